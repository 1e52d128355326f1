import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Conversation, Message, ReadReceipt } from '#contract/farm/messages/messages';
import { changeUnread } from '../../people/model/unread.ts';
import { itemsOf, type ListAnswer } from '../../platform/queries/pages.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { byField, type Order, patch, patchWhere, upsert } from '../../platform/realtime/reducer.ts';

/** The keys of messages in the query cache; each begins with `all`. */
export const messagesKeys = {
  all: ['messages'] as const,
  conversations: () => ['messages', 'conversations'] as const,
  /** All threads; `thread(userId)` begins with it. */
  threads: () => ['messages', 'thread'] as const,
  thread: (userId: string) => ['messages', 'thread', userId] as const,
};

/** A conversation in the cache; its id is that of the other person. */
export type ConversationItem = Conversation & { _id: string };

/** A page of conversations, with the unread count of all conversations. */
export type ConversationPage = ListAnswer<ConversationItem> & { unreadCount: number };

/** Returns what somebody is called whom one writes with: a farm by its own name. */
export const correspondentName = ({ farmName, name }: Conversation['user']): string =>
  farmName || name;

/** The loaded pages of conversations. */
type ConversationPages = InfiniteData<ConversationPage, string | null>;

/** The order of a thread, latest first, as its pages are loaded. */
const latestFirst = byField('createdAt', 'desc');

/** The order of conversations: the one with the latest message first. */
const latestMessageFirst: Order<ConversationItem> = (a, b) =>
  latestFirst(
    { _id: a._id, createdAt: a.lastMessage.createdAt },
    { _id: b._id, createdAt: b.lastMessage.createdAt },
  );

/** Returns the id of the person with whom `me` exchanged this message. */
function otherParty(message: Message, me: string): string {
  return message.sender._id === me ? message.receiver._id : message.sender._id;
}

/**
 * Merges a message from an event or a response into its thread and its conversation, as seen by `me`.
 * Idempotent.
 */
export function mergeMessage(cache: QueryClient, message: Message, me: string): void {
  const other = otherParty(message, me);
  upsert(cache, messagesKeys.thread(other), message, {
    order: latestFirst,
    // A read message stays read, also if an older event arrives.
    merge: (old, fresh) => (old.isRead && !fresh.isRead ? { ...fresh, isRead: true } : fresh),
  });

  const list = cache.getQueryData<ConversationPages>(messagesKeys.conversations());
  const known = itemsOf(list).find((conversation) => conversation._id === other);
  const last = known?.lastMessage;
  if (last?._id === message._id) return;
  if (!known || !last || last.createdAt > message.createdAt) {
    // The conversation is new or not loaded, or the message is old: the other person's role and the
    // unread count are not known here.
    refetch(cache, messagesKeys.conversations());
    return;
  }
  const isUnread = message.receiver._id === me && !message.isRead;
  const { _id, content, createdAt, sender } = message;
  const conversation = {
    ...known,
    lastMessage: { _id, content, createdAt, sender: sender._id },
    unreadCount: known.unreadCount + (isUnread ? 1 : 0),
  };
  upsert(cache, messagesKeys.conversations(), conversation, { order: latestMessageFirst });
  if (isUnread) changeUnread(cache, messagesKeys.conversations(), (count) => count + 1);
}

/** Marks the messages of a read receipt as read, as seen by `me`. */
export function mergeRead(cache: QueryClient, receipt: ReadReceipt, me: string): void {
  const other = receipt.reader === me ? receipt.sender : receipt.reader;
  patchWhere<Message>(cache, messagesKeys.thread(other), (message) =>
    !message.isRead && message.sender._id === receipt.sender && message.createdAt <= receipt.at
      ? { ...message, isRead: true }
      : message,
  );
  if (receipt.reader !== me) return;
  const list = cache.getQueryData<ConversationPages>(messagesKeys.conversations());
  const known = itemsOf(list).find((conversation) => conversation._id === other);
  if (known?.unreadCount === 0) return;
  if (!known || known.lastMessage.createdAt > receipt.at) {
    // Not loaded, or there are later messages: only the server knows the unread count.
    refetch(cache, messagesKeys.conversations());
    return;
  }
  patch<ConversationItem>(cache, messagesKeys.conversations(), other, (conversation) => ({
    ...conversation,
    unreadCount: 0,
  }));
  changeUnread(cache, messagesKeys.conversations(), (count) => count - known.unreadCount);
}
