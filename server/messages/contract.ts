import { z } from 'zod';
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
} from '#contract/platform';
import { Person, PersonWithRole } from '#contract/users';

export const MESSAGE_MAX = 2000;
/** How many messages of a thread are answered at once. */
export const THREAD_LIMIT = { default: 50, max: 100 } as const;

export const Message = z.object({
  _id: Id,
  sender: Person,
  receiver: Person,
  content: z.string(),
  isRead: z.boolean(),
  createdAt: Instant,
  /** The id of the order it is about. */
  relatedOrder: Id.optional(),
});
export type Message = z.infer<typeof Message>;

export const Conversation = z.object({
  user: PersonWithRole,
  lastMessage: z.object({
    _id: Id,
    content: z.string(),
    createdAt: Instant,
    /** The id of who wrote it. */
    sender: Id,
  }),
  unreadCount: z.number().int(),
});
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
export const ReadReceipt = z.object({ reader: Id, sender: Id, at: Instant });
export type ReadReceipt = z.infer<typeof ReadReceipt>;

export const messagesApi = {
  send: endpoint({
    method: 'POST',
    path: '/messages',
    summary: 'Write to someone',
    access: ROLES,
    body: SendMessage,
    answer: one(Message),
    status: 201,
    rate: 'messages',
    failures: [403, 404, 409],
  }),
  conversations: endpoint({
    method: 'GET',
    path: '/messages',
    summary: "The signed-in user's conversations, latest first",
    access: ROLES,
    query: ListQuery,
    answer: list(Conversation),
  }),
  thread: endpoint({
    method: 'GET',
    path: '/messages/:userId',
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
    method: 'PUT',
    path: '/messages/read/:userId',
    summary: 'Mark everything that one person wrote as read',
    access: ROLES,
    params: UserIdParams,
    answer: one(ReadReceipt),
    rate: 'writes',
    failures: [404],
  }),
};
