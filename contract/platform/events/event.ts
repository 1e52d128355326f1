import type { RoomKind, RoomName } from '#contract/platform/events/constants';
import { Id, named } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';

/** Kinds of rooms that an event is recorded with together. */
type RoomKinds = readonly RoomKind[];

/** Declares a logged event: numbered, and replayed to clients that reconnect. */
export const event = <
  Data extends z.ZodType,
  const Rooms extends readonly [RoomKinds, ...RoomKinds[]],
  const Changes extends boolean = false,
>({
  changesPublicReads = false as Changes,
  ...definition
}: {
  data: Data;
  summary: string;
  /** Who receives it, for the documentation. */
  audience: string;
  /** The kinds of its rooms; several sets where they depend on the data. */
  rooms: Rooms;
  /**
   * Whether it changes public reads; by default not. If so, every cached endpoint must declare in `invalidatedBy`
   * whether the event invalidates its answers.
   */
  changesPublicReads?: Changes;
}) => ({ ...definition, changesPublicReads, isLogged: true as const });

/** Declares an ephemeral event: without a number, never replayed. */
export const ephemeralEvent = <Data extends z.ZodType>(definition: {
  data: Data;
  summary: string;
  audience: string;
}) => ({ ...definition, isLogged: false as const });

/** Declares an event that a client may send; nothing of it is stored. */
export const clientEvent = <Data extends z.ZodType>(definition: { data: Data; summary: string }) =>
  definition;

/** The data of an event that carries only an id. */
export const Reference = named('Reference', { _id: Id });

/**
 * A place in the log. Numbers of one epoch are not comparable with those of another: a restore from a
 * backup begins a new one.
 */
export const LogPosition = named('LogPosition', { seq: z.int(), epoch: Id.optional() });

const CaughtUp = named('CaughtUp', {
  ...LogPosition.shape,
  /** The release of the web client that this server has, as `X-Release` names it in answers. */
  release: z.string().optional(),
});

export const connectionEvents = {
  synced: ephemeralEvent({
    data: CaughtUp,
    summary: 'The client is complete up to this number.',
    audience: 'One client, after its catch-up.',
  }),
  resync: ephemeralEvent({
    data: CaughtUp,
    summary: 'What was missed cannot be replayed: refetch everything.',
    audience: 'One client.',
  }),
};

/**
 * Every event that the server sends, by its name. `contract/app/registry.ts` adds those of features (`declare module`),
 * so that what records and delivers events knows all of them and imports no feature.
 */
export interface EventRegistry {
  synced: typeof connectionEvents.synced;
  resync: typeof connectionEvents.resync;
}

export type EventName = keyof EventRegistry;
export type EventData<Name extends EventName> = z.infer<EventRegistry[Name]['data']>;

/** Logged events: numbered, and replayed to clients that reconnect. */
export type LoggedEventName = {
  [Name in EventName]: EventRegistry[Name]['isLogged'] extends true ? Name : never;
}[EventName];
/** Ephemeral events: not numbered, never replayed. */
export type EphemeralEventName = Exclude<EventName, LoggedEventName>;

/** Logged events that change public reads. */
export type PublicEventName = {
  [Name in LoggedEventName]: EventRegistry[Name]['changesPublicReads'] extends true ? Name : never;
}[LoggedEventName];

/** The rooms that an event may be recorded with. */
export type EventRoom<Name extends LoggedEventName> = RoomName<
  EventRegistry[Name]['rooms'][number][number]
>;
