/** The keys of the signed-in customer's stock alerts in the query cache; each begins with `all`. */
export const stockAlertsKeys = {
  all: ['stockAlerts'] as const,
  ofProduct: (id: string) => ['stockAlerts', id] as const,
};
