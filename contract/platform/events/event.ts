import type { RoomKind } from '#contract/platform/events/constants/events';
import { Id } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';

/** Kinds of rooms that an event is recorded with together. */
type RoomKinds = readonly RoomKind[];

/** Declares a logged event: numbered, and replayed to clients that reconnect. */
export const event = <
  Data extends z.ZodType,
  const Rooms extends readonly [RoomKinds, ...RoomKinds[]],
  const Changes extends boolean,
>(definition: {
  data: Data;
  summary: string;
  /** Who receives it, for the documentation. */
  audience: string;
  /** The kinds of its rooms; several sets where they depend on the data. */
  rooms: Rooms;
  /**
   * Whether it changes public reads. If so, every cached endpoint must declare in `invalidatedBy`
   * whether the event invalidates its answers.
   */
  changesPublicReads: Changes;
}) => ({ ...definition, isLogged: true as const });

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
export const Reference = z.object({ _id: Id }).meta({ id: 'Reference' });
