/** The keys of how to pay farms in the query cache; each begins with `all`. */
export const paymentKeys = {
  all: ['payment'] as const,
  own: () => ['payment', 'own'] as const,
  ofOrder: (orderId: string) => ['payment', 'ofOrder', orderId] as const,
};
