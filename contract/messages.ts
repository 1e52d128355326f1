import { messagesApi as calls, MESSAGE_MAX, THREAD_LIMIT } from '#contract/constants/messages';
import { ephemeralEvent, event } from '#contract/event';
import {
  endpoint,
  Id,
  Instant,
  ListQuery,
  list,
  one,
  ROLES,
  requiredText,
  UserIdParams,
} from '#contract/http';
import { Person, PersonWithRole } from '#contract/users';
import { z } from '#contract/zod';

export * from '#contract/constants/messages';

export const Message = z
  .object({
    _id: Id,
    sender: Person,
    receiver: Person,
    content: z.string(),
    isRead: z.boolean(),
    createdAt: Instant,
    /** The id of the order it is about. */
    relatedOrder: Id.optional(),
  })
  .meta({ id: 'Message' });
export type Message = z.infer<typeof Message>;

export const Conversation = z
  .object({
    user: PersonWithRole,
    lastMessage: z.object({
      _id: Id,
      content: z.string(),
      createdAt: Instant,
      /** The id of who wrote it. */
      sender: Id,
    }),
    unreadCount: z.number().int(),
  })
  .meta({ id: 'Conversation' });
export type Conversation = z.infer<typeof Conversation>;

export const SendMessage = z.object({
  /** Made by the client so that a repeat is the same message. */
  _id: Id.optional(),
  receiver: Id,
  content: requiredText(MESSAGE_MAX, 'Write something first.'),
  relatedOrder: Id.optional(),
});
export type SendMessage = z.infer<typeof SendMessage>;

export const ThreadQuery = z.object({
  limit: z.coerce.number().int().min(1).max(THREAD_LIMIT.max).default(THREAD_LIMIT.default),
  /** A message's id: only what was written before it. */
  before: Id.optional(),
});
export type ThreadQuery = z.infer<typeof ThreadQuery>;

/** The reader has read everything the sender wrote until `at`. */
export const ReadReceipt = z
  .object({ reader: Id, sender: Id, at: Instant })
  .meta({ id: 'ReadReceipt' });
export type ReadReceipt = z.infer<typeof ReadReceipt>;

export const messageEvents = {
  'message.created': event({
    data: Message,
    summary: 'A message was written.',
    audience: 'Its receiver and its sender.',
    rooms: [['user']],
    changesPublicReads: false,
  }),
  'messages.read': event({
    data: ReadReceipt,
    summary: 'Somebody read what another wrote.',
    audience: 'Both of them.',
    rooms: [['user']],
    changesPublicReads: false,
  }),
  typing: ephemeralEvent({
    data: z.object({ from: Id, isTyping: z.boolean() }),
    summary: 'Somebody is typing.',
    audience: 'The other party.',
  }),
};

export const messagesApi = {
  send: endpoint({
    ...calls.send,
    summary: 'Write to someone',
    access: ROLES,
    body: SendMessage,
    answer: one(Message),
    status: 201,
    rate: 'messages',
    failures: [404, 409],
  }),
  conversations: endpoint({
    ...calls.conversations,
    summary: "The signed-in user's conversations, latest first",
    access: ROLES,
    query: ListQuery,
    answer: list(Conversation).extend({
      /** Over all conversations, not only those of this part. */
      unreadCount: z.number().int(),
    }),
  }),
  thread: endpoint({
    ...calls.thread,
    summary: 'The newest messages with one person, in time order',
    access: ROLES,
    params: UserIdParams,
    query: ThreadQuery,
    answer: list(Message).extend({
      /** Who the thread is with, and whether one may write to them. */
      user: PersonWithRole,
      mayWrite: z.boolean(),
    }),
    failures: [404],
  }),
  markRead: endpoint({
    ...calls.markRead,
    summary: 'Mark everything that one person wrote as read',
    access: ROLES,
    params: UserIdParams,
    answer: one(ReadReceipt),
    rate: 'writes',
    failures: [404],
  }),
};
