/** The keys of farms in the query cache; each begins with `all`. */
export const farmersKeys = {
  all: ['farmers'] as const,
  /** `start` is the cursor of the first page, null for the first of all. */
  list: (start: string | null = null) =>
    [...['farmers', 'list'], ...(start === null ? [] : [start])] as const,
  /** The first few farms, however many; `first(limit)` begins with it. */
  firsts: () => ['farmers', 'first'] as const,
  first: (limit: number) => ['farmers', 'first', limit] as const,
  detail: (id: string) => ['farmers', 'detail', id] as const,
};
