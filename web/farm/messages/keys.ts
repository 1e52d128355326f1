/** The keys of messages in the query cache; each begins with `all`. */
export const messagesKeys = {
  all: ['messages'] as const,
  conversations: () => ['messages', 'conversations'] as const,
  /** The messages with whomever; `thread(userId)` begins with it. */
  threads: () => ['messages', 'thread'] as const,
  thread: (userId: string) => ['messages', 'thread', userId] as const,
};
