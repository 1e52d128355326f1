/** The keys of messages in the query cache; each begins with `all`. */
export const messagesKeys = {
  all: ['messages'] as const,
  conversations: () => ['messages', 'conversations'] as const,
  thread: (userId: string) => ['messages', 'thread', userId] as const,
};
