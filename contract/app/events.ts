import { adminEvents } from '#contract/admin/admin/admin';
import { marketEvents } from '#contract/admin/market/market';
import { moderationEvents } from '#contract/admin/moderation/moderation';
import { categoryEvents } from '#contract/catalogue/categories/categories';
import { productEvents } from '#contract/catalogue/products/products';
import { farmerEvents } from '#contract/farm/farmers/farmers';
import { memberEvents } from '#contract/farm/members/members';
import { messageEvents } from '#contract/farm/messages/messages';
import { openingEvents } from '#contract/farm/opening/opening';
import { placeEvents } from '#contract/farm/places/places';
import { slotEvents } from '#contract/farm/slots/slots';
import { orderEvents } from '#contract/ordering/orders/orders';
import { picklistEvents } from '#contract/ordering/picklist/picklist';
import { notificationEvents } from '#contract/people/notifications/notifications';
import { userEvents } from '#contract/people/users/users';
import type { RoomName } from '#contract/platform/events/constants/events';
import { FARMS_WATCH_MAX, WATCH_MAX } from '#contract/platform/events/constants/watch';
import { clientEvent, ephemeralEvent } from '#contract/platform/events/event';
import { Id, Instant } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';

export * from '#contract/platform/events/constants/events';

/**
 * A place in the log. Numbers of one epoch are not comparable with those of another: a restore from a
 * backup begins a new one.
 */
const LogPosition = z
  .object({ seq: z.number().int(), epoch: Id.optional() })
  .meta({ id: 'LogPosition' });

const connectionEvents = {
  synced: ephemeralEvent({
    data: LogPosition,
    summary: 'The client is complete up to this number.',
    audience: 'One client, after its catch-up.',
  }),
  resync: ephemeralEvent({
    data: LogPosition,
    summary: 'What was missed cannot be replayed: refetch everything.',
    audience: 'One client.',
  }),
};

/** Every event that the server sends. Each feature declares its own in its file of the contract. */
export const EVENTS = {
  ...orderEvents,
  ...memberEvents,
  ...picklistEvents,
  ...placeEvents,
  ...slotEvents,
  ...messageEvents,
  ...productEvents,
  ...categoryEvents,
  ...farmerEvents,
  ...openingEvents,
  ...marketEvents,
  ...notificationEvents,
  ...userEvents,
  ...adminEvents,
  ...moderationEvents,
  ...connectionEvents,
};

type Events = typeof EVENTS;

export type EventName = keyof Events;
export type EventData<Name extends EventName> = z.infer<Events[Name]['data']>;

/** Logged events: numbered, and replayed to clients that reconnect. */
export type LoggedEventName = {
  [Name in EventName]: Events[Name]['isLogged'] extends true ? Name : never;
}[EventName];
/** Ephemeral events: not numbered, never replayed. */
export type EphemeralEventName = Exclude<EventName, LoggedEventName>;

/** Logged events that change public reads. */
export type PublicEventName = {
  [Name in LoggedEventName]: Events[Name]['changesPublicReads'] extends true ? Name : never;
}[LoggedEventName];

/** The rooms that an event may be recorded with. */
export type EventRoom<Name extends LoggedEventName> = RoomName<
  Events[Name]['rooms'][number][number]
>;

export const LOGGED_EVENT_NAMES = (Object.keys(EVENTS) as EventName[]).filter(
  (name): name is LoggedEventName => EVENTS[name].isLogged,
);

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

const EnvelopeHead = z.object({
  seq: z.number().int().optional(),
  id: Id,
  at: Instant,
  name: z.string(),
  data: z.unknown(),
  commandId: Id.optional(),
});

/** Parses a received envelope. @throws ZodError when it does not match the contract */
export function parseEnvelope<Name extends EventName>(name: Name, input: unknown): Envelope<Name> {
  const head = EnvelopeHead.parse(input);
  return { ...head, name, data: EVENTS[name].data.parse(head.data) } as Envelope<Name>;
}

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
export const WatchedVersions = z.record(Id, z.number().int()).meta({ id: 'WatchedVersions' });
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
export const HandshakeAuth = z
  .object({
    token: z.string().max(4096).optional(),
    /** The last `seq` the client saw; the server replays later events. */
    after: z.number().int().min(0).optional(),
    /** The epoch that `after` is of, as `synced` or `resync` named it; of another one nothing is replayed. */
    epoch: Id.optional(),
  })
  .meta({ id: 'HandshakeAuth' });
export type HandshakeAuth = z.infer<typeof HandshakeAuth>;
