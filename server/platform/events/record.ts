import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { currentCommandId, currentRequestId } from '../process/request-context.ts';
import type { NewEvent } from './event.ts';

// clock_timestamp, since the transaction may have waited for locks.
const RECORD = `INSERT INTO event_outbox (id, name, data, rooms, request_id, command_id, at)
  SELECT id, name, data::json, rooms, "requestId", "commandId", clock_timestamp()
  FROM ROWS FROM (json_to_recordset($1::json) AS (
    id uuid, name text, data text, rooms text[], "requestId" text, "commandId" uuid
  )) WITH ORDINALITY AS event (id, name, data, rooms, "requestId", "commandId", place)
  ORDER BY place`;

/**
 * Writes events inside the caller's transaction, in the given order, in one statement, without numbers
 * yet. Call `sequence` after the commit; otherwise the timer numbers them up to a second later.
 */
export async function record(tx: Transaction | Database, ...events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const requestId = currentRequestId() ?? null;
  const commandId = currentCommandId() ?? null;
  const rows = events.map(({ name, data, rooms }) => ({
    id: randomUUID(),
    name,
    // As text, which the log keeps byte by byte.
    data: JSON.stringify(data),
    rooms,
    requestId,
    commandId,
  }));
  await tx.$executeRawUnsafe(RECORD, JSON.stringify(rows));
}
