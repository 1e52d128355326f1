import type { QueryClient } from '@tanstack/react-query';
import type { Conversation, Message, ReadReceipt } from '#contract/messages';
import { itemsOf, type Pages } from '../lib/pages.ts';
import { refetch } from '../realtime/in-flight.ts';
import { byField, type Order, patch, patchWhere, upsert } from '../realtime/reducer.ts';

/** A conversation as the cache keeps it: named by the person it is with. */
export type ConversationItem = Conversation & { _id: string };

/** The key of the list of conversations. */
export const CONVERSATIONS_KEY = ['messages', 'conversations'] as const;

/** The key of the messages exchanged with one person. */
export const threadKey = (userId: string) => ['messages', 'thread', userId] as const;

/** Threads are kept latest first, as their pages come: the newest part, then older ones. */
const latestFirst = byField('createdAt', 'desc');

/** The conversation in which something was said last stands first. */
const latestSpoken: Order<ConversationItem> = (a, b) =>
  latestFirst(
    { _id: a._id, createdAt: a.lastMessage.createdAt },
    { _id: b._id, createdAt: b.lastMessage.createdAt },
  );

/** Who the reader `me` exchanged this message with. */
export function otherParty(message: Message, me: string): string {
  return message.sender._id === me ? message.receiver._id : message.sender._id;
}

/**
 * Puts a message, as an event or an answer brought it, into its thread and before its conversation,
 * as `me` sees them. The same message twice changes nothing.
 */
export function mergeMessage(cache: QueryClient, message: Message, me: string): void {
  const other = otherParty(message, me);
  upsert(cache, threadKey(other), message, {
    order: latestFirst,
    // What was read stays read, whatever an older telling says.
    merge: (old, fresh) => (old.isRead && !fresh.isRead ? { ...fresh, isRead: true } : fresh),
  });

  const list = cache.getQueryData<Pages<ConversationItem>>(CONVERSATIONS_KEY);
  const known = itemsOf(list).find((conversation) => conversation._id === other);
  const last = known?.lastMessage;
  if (last?._id === message._id) return;
  if (!known || !last || last.createdAt > message.createdAt) {
    // A new conversation, or one too far down the list, or news from the past: nothing here tells
    // the role of the other, or how much of it is unread.
    refetch(cache, CONVERSATIONS_KEY);
    return;
  }
  const isUnread = message.receiver._id === me && !message.isRead;
  upsert(
    cache,
    CONVERSATIONS_KEY,
    {
      ...known,
      lastMessage: {
        _id: message._id,
        content: message.content,
        createdAt: message.createdAt,
        sender: message.sender._id,
      },
      unreadCount: known.unreadCount + (isUnread ? 1 : 0),
    },
    { order: latestSpoken },
  );
}

/** Marks as read what a receipt says was read, as `me` sees it. */
export function mergeRead(cache: QueryClient, receipt: ReadReceipt, me: string): void {
  const other = receipt.reader === me ? receipt.sender : receipt.reader;
  patchWhere<Message>(cache, threadKey(other), (message) =>
    !message.isRead && message.sender._id === receipt.sender && message.createdAt <= receipt.at
      ? { ...message, isRead: true }
      : message,
  );
  if (receipt.reader !== me) return;
  patch<ConversationItem>(cache, CONVERSATIONS_KEY, other, (conversation) => {
    if (conversation.unreadCount === 0) return conversation;
    if (conversation.lastMessage.createdAt <= receipt.at) {
      return { ...conversation, unreadCount: 0 };
    }
    // More was said since: only the server knows how much of it is unread.
    refetch(cache, CONVERSATIONS_KEY);
    return conversation;
  });
}
