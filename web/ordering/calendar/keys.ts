/** The keys of calendars in the query cache; each begins with `all`. */
export const calendarKeys = {
  all: ['calendar'] as const,
  farm: () => ['calendar', 'farm'] as const,
};
