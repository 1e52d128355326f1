import { z } from 'zod';
import { Connected } from '#contract/admin';
import { Message, ReadReceipt } from '#contract/messages';
import { Notification } from '#contract/notifications';
import { Order } from '#contract/orders';
import { Id, Instant } from '#contract/platform';
import { Product } from '#contract/products';
import { User } from '#contract/users';

const Reference = z.object({ _id: Id });

/** Events kept in the log: numbered, replayed to whoever comes back. */
export const LOGGED_EVENTS = {
  'order.created': Order,
  'order.updated': Order,
  'message.created': Message,
  'messages.read': ReadReceipt,
  'product.created': Product,
  'product.updated': Product,
  'product.deleted': Reference,
  'category.changed': Reference,
  'notification.created': Notification,
  'notifications.read': z.object({ ids: z.array(Id).nullable(), unreadCount: z.number().int() }),
  'farmer.updated': Reference,
  'order.unanswered': Order,
  'user.created': User,
  'user.deleted': Reference,
} as const;

/** Events of the moment: without a number, never replayed. */
export const PASSING_EVENTS = {
  typing: z.object({ from: Id, isTyping: z.boolean() }),
  'presence.changed': z.object({
    userId: Id,
    online: z.boolean(),
    lastSeenAt: Instant.nullable(),
  }),
  'connected.changed': Connected,
  synced: z.object({ seq: z.number().int() }),
  resync: z.object({ seq: z.number().int() }),
} as const;

export const EVENTS = { ...LOGGED_EVENTS, ...PASSING_EVENTS } as const;

export type LoggedEventName = keyof typeof LOGGED_EVENTS;
export type PassingEventName = keyof typeof PASSING_EVENTS;
export type EventName = keyof typeof EVENTS;
export type EventData<Name extends EventName> = z.infer<(typeof EVENTS)[Name]>;

/** What every server event carries as its one argument. */
export interface Envelope<Name extends EventName = EventName> {
  /** The event's number in the log; absent on passing events. */
  seq?: number;
  /** The same on a re-delivery. */
  id: string;
  at: string;
  name: Name;
  data: EventData<Name>;
}

const EnvelopeHead = z.object({
  seq: z.number().int().optional(),
  id: Id,
  at: Instant,
  name: z.string(),
  data: z.unknown(),
});

/** Reads an envelope off the wire. @throws ZodError when it is not of the contract's form */
export function parseEnvelope<Name extends EventName>(name: Name, input: unknown): Envelope<Name> {
  const head = EnvelopeHead.parse(input);
  return { ...head, name, data: EVENTS[name].parse(head.data) } as Envelope<Name>;
}

/** Rooms are joined by the server alone. */
export const room = {
  user: (id: string) => `user:${id}`,
  product: (id: string) => `product:${id}`,
  admins: 'role:admin',
  everyone: 'public',
} as const;

/** What a client may send over the socket; nothing of it is stored. */
export const CLIENT_EVENTS = {
  typing: z.object({ to: Id, isTyping: z.boolean() }),
  'presence.watch': z.object({ userIds: z.array(Id).max(200) }),
  'products.watch': z.object({ productIds: z.array(Id).max(200) }),
} as const;
export type ClientEventName = keyof typeof CLIENT_EVENTS;
export type ClientEventData<Name extends ClientEventName> = z.infer<(typeof CLIENT_EVENTS)[Name]>;

/**
 * The answer to `products.watch`: the version each product has now (missing when it is gone), so
 * that a change between reading a product and watching it is not lost.
 */
export const WatchedVersions = z.record(Id, z.number().int());
export type WatchedVersions = z.infer<typeof WatchedVersions>;

export type ServerToClientEvents = {
  [Name in EventName]: (envelope: Envelope<Name>) => void;
};

export interface ClientToServerEvents {
  typing: (data: ClientEventData<'typing'>) => void;
  'presence.watch': (data: ClientEventData<'presence.watch'>) => void;
  'products.watch': (
    data: ClientEventData<'products.watch'>,
    acknowledge?: (versions: WatchedVersions) => void,
  ) => void;
}

/** What a handshake may bring. */
export const HandshakeAuth = z.object({
  token: z.string().max(4096).optional(),
  /** The last number seen; the server replays what came after it. */
  after: z.number().int().min(0).optional(),
});
export type HandshakeAuth = z.infer<typeof HandshakeAuth>;

export const SOCKET_LIMITS = {
  packetBytes: 16 * 1024,
  messagesPerMinute: 100,
  socketsPerUser: 10,
  handshakeMs: 5000,
} as const;

/** Days an event stays in the log. */
export const LOG_RETENTION_DAYS = 7;
/** With more than this many events to replay, reading everything anew is cheaper: `resync`. */
export const REPLAY_MAX = 500;
