import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Conversation, Message, ReadReceipt, SendMessage } from '#contract/messages';
import type { PersonWithRole } from '#contract/users';
import { useAuth } from '../auth/use-auth.ts';
import { type Answer, api, type ListAnswer } from '../lib/api.ts';
import { itemsOf, type Pages, paging } from '../lib/pages.ts';
import { retryDelay, shouldRetry } from '../lib/query-client.ts';
import { toastError } from '../ui/toast.ts';
import {
  CONVERSATIONS_KEY,
  type ConversationItem,
  mergeMessage,
  mergeRead,
  threadKey,
} from './merge.ts';

/** How many conversations are loaded at once. */
const CONVERSATIONS_PAGE = 100;
/** How many messages of a thread are loaded at once. */
const THREAD_PAGE = 50;

/** A part of a thread, latest message first; with whom it is, and whether one may write to them. */
export type ThreadPage = ListAnswer<Message> & { user: PersonWithRole; mayWrite: boolean };

/** The signed-in user's conversations, the latest first. */
export const conversationsQuery = () =>
  infiniteQueryOptions({
    queryKey: CONVERSATIONS_KEY,
    queryFn: async ({ pageParam, signal }): Promise<ListAnswer<ConversationItem>> => {
      const answer = await api.get<ListAnswer<Conversation>>('/messages', {
        query: { limit: CONVERSATIONS_PAGE, cursor: pageParam },
        signal,
      });
      return { ...answer, data: answer.data.map((item) => ({ _id: item.user._id, ...item })) };
    },
    ...paging,
  });

/** How many messages nobody has read yet, over all conversations that are loaded. */
export function unreadMessagesOf(data: Pick<Pages<ConversationItem>, 'pages'> | undefined): number {
  return itemsOf(data).reduce((sum, conversation) => sum + conversation.unreadCount, 0);
}

/** What was exchanged with one person: the newest part first, then older ones. */
export const threadQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: threadKey(userId),
    queryFn: async ({ pageParam, signal }): Promise<ThreadPage> => {
      const answer = await api.get<ThreadPage>(`/messages/${encodeURIComponent(userId)}`, {
        query: { limit: THREAD_PAGE, before: pageParam },
        signal,
      });
      return { ...answer, data: answer.data.toReversed() };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.nextCursor === null ? null : (last.data.at(-1)?._id ?? null)),
  });

/** A message to send, named by the one who writes it so that a repeat is the same message. */
export type OutgoingMessage = SendMessage & { _id: string };

/**
 * Sends messages to one person, one after the other. A failure that may pass by itself is tried
 * again; one that stays is told in a toast.
 */
export function useSendMessage(receiverId: string) {
  const cache = useQueryClient();
  const { user } = useAuth();
  return useMutation({
    // Two written in a row must not overtake each other.
    scope: { id: `messages to ${receiverId}` },
    mutationFn: (message: Omit<OutgoingMessage, 'receiver'>) =>
      api.post<Answer<Message>>('/messages', { ...message, receiver: receiverId }),
    retry: shouldRetry,
    retryDelay,
    onSuccess: ({ data }) => {
      if (user) mergeMessage(cache, data, user._id);
    },
    onError: toastError,
  });
}

/** Marks everything that one person wrote as read. */
export function useMarkRead(userId: string) {
  const cache = useQueryClient();
  const { user } = useAuth();
  return useMutation({
    mutationFn: (_latest: Message | undefined) =>
      api.put<Answer<ReadReceipt>>(`/messages/read/${encodeURIComponent(userId)}`, {}),
    onMutate: (latest) => {
      if (!user || !latest) return;
      const receipt = { reader: user._id, sender: userId, at: latest.createdAt };
      mergeRead(cache, receipt, user._id);
    },
    onSuccess: ({ data }) => {
      if (user) mergeRead(cache, data, user._id);
    },
    onError: () => cache.invalidateQueries({ queryKey: ['messages'] }),
  });
}
