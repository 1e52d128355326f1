import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '../../prisma/client.ts';
import { currentCommandId, currentRequestId } from '../process/request-context.ts';
import type { NewEvent } from './event.ts';

/**
 * Writes events inside the caller's transaction, in the given order, in one statement, without numbers
 * yet. Call `sequence` after the commit; otherwise the timer numbers them up to a second later.
 */
export async function record(tx: Transaction | Database, ...events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const ids = events.map(() => randomUUID());
  const names = events.map(({ name }) => name);
  const data = events.map((event) => JSON.stringify(event.data));
  // As JSON, since Postgres would flatten arrays of arrays.
  const rooms = events.map((event) => JSON.stringify(event.rooms));
  // clock_timestamp, since the transaction may have waited for locks.
  await tx.$executeRaw`
    INSERT INTO event_outbox (id, name, data, rooms, request_id, command_id, at)
    SELECT id, name, data::json, ARRAY(SELECT json_array_elements_text(rooms::json)),
           ${currentRequestId() ?? null}, ${currentCommandId() ?? null}::uuid, clock_timestamp()
    FROM unnest(${ids}::uuid[], ${names}::text[], ${data}::text[], ${rooms}::text[])
      WITH ORDINALITY AS event (id, name, data, rooms, place)
    ORDER BY place`;
}
