import type { PickScope } from '#contract/ordering/picklist/pick-summary';

/** The keys of pick lists in the query cache; each begins with `all`. */
export const picklistKeys = {
  all: ['picklist'] as const,
  /** The lists of whatever day and place. */
  lists: () => ['picklist', 'list'] as const,
  list: ({ date, place }: PickScope) => ['picklist', 'list', date, place] as const,
  /** The days of whatever span; `days(from, to)` begins with it. */
  allDays: () => ['picklist', 'days'] as const,
  days: (from: string, to: string) => ['picklist', 'days', from, to] as const,
  print: (id: string) => ['picklist', 'print', id] as const,
};
