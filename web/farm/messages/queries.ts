import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { messagesApi } from '#contract/farm/messages/constants';
import type { Message, SendMessage } from '#contract/farm/messages/messages';
import { t } from '#contract/platform/text/constants/texts';
import { type AnswerOf, call, newId } from '../../platform/api/api.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { paging } from '../../platform/queries/pages.ts';
import { retryDelay, shouldRetry } from '../../platform/queries/query-client.ts';
import { senderIdOf, useAuth } from '../../platform/session/session.ts';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';
import { type ConversationPage, mergeMessage, mergeRead, messagesKeys } from './merge.ts';
import { sendThroughOutbox, unsentOf } from './outbox.ts';

/** The page size of conversations. */
const CONVERSATIONS_PAGE_SIZE = 100;
/** The page size of a thread. */
const THREAD_PAGE_SIZE = 50;

/** A page of a thread, latest message first, with the other person and whether they accept messages. */
export type ThreadPage = AnswerOf<typeof messagesApi.thread>;

/** The signed-in user's conversations, the latest first. */
export const conversationsQuery = () =>
  infiniteQueryOptions({
    queryKey: messagesKeys.conversations(),
    queryFn: async ({ pageParam, signal }): Promise<ConversationPage> => {
      const answer = await call(messagesApi.conversations, {
        query: { limit: CONVERSATIONS_PAGE_SIZE, cursor: pageParam },
        signal,
      });
      return { ...answer, data: answer.data.map((item) => ({ _id: item.user._id, ...item })) };
    },
    ...paging,
  });

/** The messages with one person: the newest page first, then older ones. */
export const threadQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: messagesKeys.thread(userId),
    queryFn: async ({ pageParam, signal }): Promise<ThreadPage> => {
      const answer = await call(messagesApi.thread, {
        params: { userId },
        query: { limit: THREAD_PAGE_SIZE, before: pageParam },
        signal,
      });
      return { ...answer, data: answer.data.toReversed() };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.nextCursor === null ? null : (last.data.at(-1)?._id ?? null)),
  });

/** A message to send. The client creates its id, so that a retry is the same message. */
type OutgoingMessage = Omit<SendMessage, 'receiver'> & { _id: string };

/**
 * Sends messages to one person, one after the other. Temporary failures are retried while there is a
 * network, then the message waits in the outbox for the line. Refusals are shown in a toast.
 */
export function useSendMessage(receiverId: string) {
  const cache = useQueryClient();
  const { user } = useAuth();
  const me = senderIdOf(user);
  return useMutation({
    // Mutations of one scope run in order.
    scope: { id: `messages to ${receiverId}` },
    mutationFn: (message: OutgoingMessage) =>
      call(messagesApi.send, { body: { ...message, receiver: receiverId } }),
    retry: (failures, error) => navigator.onLine && shouldRetry(failures, error),
    retryDelay,
    onSuccess: ({ data }) => {
      if (me) mergeMessage(cache, data, me);
    },
    // Also when the form is gone by then.
    onError: (error, { _id, content, relatedOrder }) => {
      if (!user || !isUnanswered(error)) return toastError(error);
      const unsent = { _id, receiver: receiverId, content, relatedOrder };
      sendThroughOutbox(cache, unsentOf(user, unsent));
      toast.info(t("Not sent yet. We'll send your message when you're back."));
    },
  });
}

/**
 * Returns how to send a text to one person, and whether one is on its way. The same text sent again after a failure keeps
 * its id, so that it is delivered once. `onDone` is called when it was sent, or waits in the outbox; not on a refusal.
 */
export function useSendText(
  receiverId: string,
  /** The id of an order between both people that it is about. */
  relatedOrder?: string,
) {
  const send = useSendMessage(receiverId);
  const attempt = useRef<{ _id: string; content: string } | null>(null);
  const sendText = (content: string, onDone: (isSent: boolean) => void): void => {
    if (send.isPending) return;
    if (attempt.current?.content !== content) attempt.current = { _id: newId(), content };
    const finish = (isSent: boolean) => {
      attempt.current = null;
      onDone(isSent);
    };
    send.mutate(
      { ...attempt.current, ...(relatedOrder === undefined ? {} : { relatedOrder }) },
      {
        onSuccess: () => {
          toast.success(t('Message sent'));
          finish(true);
        },
        onError: (error) => {
          // It waits in the outbox now.
          if (isUnanswered(error)) finish(false);
        },
      },
    );
  };
  return [sendText, send.isPending] as const;
}

/** Returns whether a call had no answer: the message may be sent or not, and is safe to repeat. */
const isUnanswered = (error: unknown): boolean => error instanceof ApiError && error.isOffline;

/** Marks all messages of one person as read. */
export function useMarkRead(userId: string) {
  const cache = useQueryClient();
  const me = senderIdOf(useAuth().user);
  return useMutation({
    mutationFn: (_latest: Message | undefined) =>
      call(messagesApi.markRead, { params: { userId } }),
    onMutate: (latest) => {
      if (!me || !latest) return;
      mergeRead(cache, { reader: me, sender: userId, at: latest.createdAt }, me);
    },
    onSuccess: ({ data }) => {
      if (me) mergeRead(cache, data, me);
    },
    onError: () => cache.invalidateQueries({ queryKey: messagesKeys.all }),
  });
}
