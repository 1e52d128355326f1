/** The keys of the set-up in the query cache. */
export const setupKeys = {
  state: () => ['setup'] as const,
};
