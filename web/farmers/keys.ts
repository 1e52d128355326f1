/** The keys of farms in the query cache; each begins with `all`. */
export const farmersKeys = {
  all: ['farmers'] as const,
  list: () => ['farmers', 'list'] as const,
  /** The first few farms, however many; `first(limit)` begins with it. */
  firsts: () => ['farmers', 'first'] as const,
  first: (limit: number) => ['farmers', 'first', limit] as const,
  detail: (id: string) => ['farmers', 'detail', id] as const,
};
