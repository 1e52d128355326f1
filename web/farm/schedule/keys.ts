/** The keys of farms' days in the query cache; each begins with `all`. */
export const scheduleKeys = {
  all: ['schedule'] as const,
  own: () => ['schedule', 'own'] as const,
  /** The days of whatever farm; `days(farmId)` begins with it. */
  allDays: () => ['schedule', 'days'] as const,
  days: (farmId: string) => ['schedule', 'days', farmId] as const,
};
