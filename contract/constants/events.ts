/** Rooms are joined by the server alone. */
export const room = {
  user: (id: string) => `user:${id}` as const,
  /** Whoever watches the product. Everyone may, so an event with this room is public. */
  product: (id: string) => `product:${id}` as const,
  admins: 'role:admin',
  everyone: 'public',
} as const;

export type RoomKind = keyof typeof room;

/** The names that rooms of a kind have. */
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
  /** Open sockets of visitors from one address, on each process. */
  visitorSocketsPerAddress: 100,
} as const;

/** Days an event stays in the log. */
export const LOG_RETENTION_DAYS = 7;
/** With more than this many events to replay, reading everything anew is cheaper: `resync`. */
export const REPLAY_MAX = 500;
