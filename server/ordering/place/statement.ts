import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Transaction } from '../../../prisma/client.ts';
import { type ShelfRow, stockEvent } from '../../catalogue/stock/stock-events.ts';
import { slotLoad, slotUpdated } from '../../farm/slots/present.ts';
import { unavailable } from '../../platform/http/errors.ts';
import { retryConflicts } from '../../platform/stores/postgres.ts';

/** A statement whose plan each connection keeps under its name. */
export interface Statement {
  name: string;
  text: string;
}

/** Runs one statement, alone or within a transaction. */
export type Run = <Row extends object>(
  statement: Statement,
  values: readonly unknown[],
) => Promise<Row[]>;

/** Runs each statement as a transaction of its own, again when it lost against another one. */
export const runAlone =
  (pool: pg.Pool): Run =>
  <Row extends object>(statement: Statement, values: readonly unknown[]) =>
    retryConflicts(async () => (await pool.query<Row>({ ...statement, values: [...values] })).rows);

/** Runs statements within a transaction of Prisma's. */
export const runWithin =
  (tx: Transaction): Run =>
  ({ text }, values) =>
    tx.$queryRawUnsafe(text, ...values);

const ATTEMPTS_MAX = 8;
const PAUSE_MS = 15;

/**
 * Asks `attempt` (reading, deciding and writing once) until it has an outcome. It has none when what it
 * had read was no longer true when it wrote; then nothing was written.
 * @throws 503 when others were quicker every time
 */
export async function untilDecided<Outcome extends object>(
  attempt: (tries: number) => Promise<Outcome | undefined>,
): Promise<Outcome> {
  for (let tries = 1; tries <= ATTEMPTS_MAX; tries++) {
    const outcome = await attempt(tries);
    if (outcome) return outcome;
    if (tries > 1) await sleep(Math.random() * PAUSE_MS * 2 ** tries);
  }
  throw unavailable();
}

/**
 * Events as a statement takes them in a parameter: `productId` where it is to put in the stock that it
 * left, `slotId` where it is to put in the room.
 */
export const eventsIn = (
  parameter: `$${number}`,
) => `ROWS FROM (json_to_recordset(${parameter}::json) AS (
    id uuid, name text, data json, rooms text[], "productId" uuid, "slotId" uuid
  )) WITH ORDINALITY AS event (id, name, data, rooms, "productId", "slotId", place)`;

/** Events for {@link eventsIn} of products, by ascending id, in which the statement is to put in the stock. */
export const stockEvents = (products: readonly ShelfRow[]) =>
  [...products]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map((product) => ({ ...stockEvent(product), id: randomUUID(), productId: product.id }));

/** Events for {@link eventsIn} of slots, in which the statement is to put in the room. */
export const roomEvents = (slots: readonly { slotId: string; farmId: string }[]) =>
  slots.map(({ slotId, farmId }) => ({
    ...slotUpdated({ id: slotId, farmId, taken: 0, capacity: null, state: 'open' }),
    id: randomUUID(),
    slotId,
  }));

/** Joins each event to the stock or room that the statement has left: `moved` products, and `slots`. */
export const leftOverJoins = (slots: string): string =>
  `LEFT JOIN moved ON moved.id = event."productId" LEFT JOIN ${slots} ON ${slots}.id = event."slotId"`;

/** An event's data, with the stock that `moved` left of its product, or the room in its slot. */
export const eventData = (slots: string): string => `CASE
    WHEN moved.id IS NOT NULL THEN (event.data::jsonb || jsonb_build_object(
      'quantityAvailable', wire_quantity(moved.stock_milli), 'version', moved.version))::json
    WHEN ${slots}.id IS NOT NULL THEN (event.data::jsonb || ${slotLoad(slots)})::json
    ELSE event.data
  END`;
