/** The keys of admin data in the query cache. */
export const adminKeys = {
  stats: () => ['admin', 'stats'] as const,
  feed: () => ['admin', 'feed'] as const,
  connected: () => ['admin', 'connected'] as const,
};
