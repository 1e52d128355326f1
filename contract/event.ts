import type { RoomKind } from '#contract/constants/events';
import { Id } from '#contract/http';
import { z } from '#contract/zod';

/** Kinds of rooms that an event is recorded with together. */
type RoomKinds = readonly RoomKind[];

/** Declares an event kept in the log: numbered, and replayed to whoever comes back. */
export const event = <
  Data extends z.ZodType,
  const Rooms extends readonly [RoomKinds, ...RoomKinds[]],
  const Changes extends boolean,
>(definition: {
  data: Data;
  summary: string;
  /** Who receives it, as the documentation says it. */
  audience: string;
  /** The rooms it is recorded with, by kind; several sets where it depends on the data. */
  rooms: Rooms;
  /**
   * Whether it changes what visitors can read. If so, every cached endpoint must say in
   * `invalidatedBy` whether its answers still hold.
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

/** The data of an event that says only which one it was. */
export const Reference = z.object({ _id: Id }).meta({ id: 'Reference' });
