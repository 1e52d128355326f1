/** The keys of notifications in the query cache. */
export const notificationsKeys = {
  list: () => ['notifications'] as const,
  /** Whether this browser shows push messages. */
  pushState: () => ['push-in-this-browser'] as const,
  preferences: () => ['notification-preferences'] as const,
};
