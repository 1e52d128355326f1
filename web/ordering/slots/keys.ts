/** The keys of pickup slots in the query cache; each begins with `all`. */
export const slotsKeys = {
  all: ['slots'] as const,
  /** What one farm offers, of whatever days. */
  offeredBy: (farmId: string) => ['slots', 'offered', farmId] as const,
  offered: (farmId: string, from: string, to: string) =>
    ['slots', 'offered', farmId, from, to] as const,
  /** The slots of the signed-in person's farm, of whatever days. */
  own: () => ['slots', 'own'] as const,
  ownOf: (from: string, to: string) => ['slots', 'own', from, to] as const,
  /** The orders of whatever slot. */
  allOrders: () => ['slots', 'orders'] as const,
  orders: (id: string) => ['slots', 'orders', id] as const,
};
