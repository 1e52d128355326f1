import { type Calls, LIST_LIMIT } from '#contract/platform/http/constants';

/** Builds room names. Only the server joins sockets to rooms. */
export const room = {
  user: (id: string) => `user:${id}` as const,
  /** Everyone who works for the farm. */
  farm: (id: string) => `farm:${id}` as const,
  /** Those of them who may write its messages. */
  farmMessages: (id: string) => `farm-messages:${id}` as const,
  /** Sockets that watch the product. Everyone may watch, so an event with this room is public. */
  product: (id: string) => `product:${id}` as const,
  /** Sockets that watch the farm's slots. Everyone may watch, so an event with this room is public. */
  farmWatchers: (id: string) => `watched-farm:${id}` as const,
  admins: 'role:admin',
  everyone: 'public',
} as const;

export type RoomKind = keyof typeof room;

/** The room names of a kind. */
export type RoomName<Kind extends RoomKind = RoomKind> = {
  [Each in RoomKind]: (typeof room)[Each] extends (id: string) => infer Name
    ? Name
    : (typeof room)[Each];
}[Kind];

export const SOCKET_LIMITS = {
  packetBytes: 16 * 1024,
  messagesPerMinute: 100,
  socketsPerUser: 10,
  handshakeMs: 5000,
  /** The server pings this often; a dead connection is noticed by it on both sides. */
  pingIntervalMs: 15_000,
  /** Open sockets of visitors per address and process. */
  visitorSocketsPerAddress: 100,
} as const;

/** The longest that a read of the log waits for news, in seconds. */
export const EVENTS_WAIT_MAX_S = 20;
/** Most products and farms that one read of the log watches: addresses beyond 8 KB are refused by many proxies. */
export const EVENTS_WATCH_MAX = 100;

export const eventsApi = {
  read: { method: 'GET', path: '/events' },
} as const satisfies Calls;

/** Days an event stays in the log. */
export const LOG_RETENTION_DAYS = 7;
/** With more events to replay than this, the server sends `resync`, because refetching is cheaper. */
export const REPLAY_MAX = 500;

/** How many products a socket may watch at once, and how many people. */
export const WATCH_MAX = LIST_LIMIT.max;

/** Most farms whose slots one connection can watch. */
export const FARMS_WATCH_MAX = 20;
