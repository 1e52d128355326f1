import { FARMS_WATCH_MAX, WATCH_MAX } from '#contract/platform/events/constants';
import { clientEvent, type EventData, type EventName } from '#contract/platform/events/event';
import { Id, Instant, named } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';

/** What every server event carries as its one argument. */
export interface Envelope<Name extends EventName = EventName> {
  /** The event's number in the log; absent on ephemeral events. */
  seq?: number;
  /** Unique per event; a redelivery has the same id. */
  id: string;
  at: string;
  name: Name;
  data: EventData<Name>;
  /**
   * The `Idempotency-Key` of the command that caused it, if that was a UUID: by it a client recognizes
   * what it did itself.
   */
  commandId?: string;
}

/** What the data of every event comes in. */
export const EnvelopeHead = z.object({
  seq: z.int().optional(),
  id: Id,
  at: Instant,
  name: z.string(),
  data: z.unknown(),
  commandId: Id.optional(),
});

/** What a client may send over the socket; nothing of it is stored. */
export const CLIENT_EVENTS = {
  typing: clientEvent({
    data: z.object({ to: Id, isTyping: z.boolean() }),
    summary: 'Tells somebody one may write to that one is typing.',
  }),
  'presence.watch': clientEvent({
    data: z.object({ userIds: z.array(Id).max(WATCH_MAX) }),
    summary: 'Subscribes to the presence of these people.',
  }),
  'products.watch': clientEvent({
    data: z.object({ productIds: z.array(Id).max(WATCH_MAX) }),
    summary: 'Subscribes to changes of these products; acknowledged with their present versions.',
  }),
  'farms.watch': clientEvent({
    data: z.object({ farmIds: z.array(Id).max(FARMS_WATCH_MAX) }),
    summary:
      'Subscribes to the slots of these farms; acknowledged once subscribed. What was read before may be out of date.',
  }),
};
export type ClientEventName = keyof typeof CLIENT_EVENTS;
export type ClientEventData<Name extends ClientEventName> = z.infer<
  (typeof CLIENT_EVENTS)[Name]['data']
>;

/**
 * The acknowledgement of `products.watch`: the present version of each product, without those that
 * are deleted or hidden from this user. With it a client detects changes between read and watch.
 */
export const WatchedVersions = z.record(Id, z.int()).meta({ id: 'WatchedVersions' });
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
  'farms.watch': (data: ClientEventData<'farms.watch'>, acknowledge?: () => void) => void;
}

/** The `auth` of a handshake. */
export const HandshakeAuth = named('HandshakeAuth', {
  token: z.string().max(4096).optional(),
  /** The last `seq` the client saw; the server replays later events. */
  after: z.int().min(0).optional(),
  /** The epoch that `after` is of, as `synced` or `resync` named it; of another one nothing is replayed. */
  epoch: Id.optional(),
});
export type HandshakeAuth = z.infer<typeof HandshakeAuth>;
