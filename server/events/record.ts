import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '../../prisma/client.ts';
import { currentCommandId, currentRequestId } from '../process/request-context.ts';
import type { NewEvent } from './event.ts';

/**
 * Writes events inside the caller's transaction, in the given order, in one statement, without numbers
 * yet. Call `sequence` after the commit; otherwise the timer numbers them up to a second later. A statement that
 * writes other rows too has {@link recordIn}.
 */
export async function record(tx: Transaction | Database, ...events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.$executeRawUnsafe(recordIn('$1'), eventsParameter(events));
}

/** Returns events, in their order, as a parameter of {@link recordIn}. */
export function eventsParameter(events: readonly NewEvent[]): string {
  const requestId = currentRequestId() ?? null;
  const commandId = currentCommandId() ?? null;
  return JSON.stringify(
    events.map(({ name, data, rooms }) => ({
      id: randomUUID(),
      name,
      // As text, which the log keeps byte by byte.
      data: JSON.stringify(data),
      rooms,
      requestId,
      commandId,
    })),
  );
}

/** What writes the events of a parameter: a statement, or a part of one. */
export const recordIn = (
  events: `$${number}`,
  // clock_timestamp, since the transaction may have waited for locks.
): string => `INSERT INTO event_outbox (id, name, data, rooms, request_id, command_id, at)
    SELECT id, name, data::json, rooms, "requestId", "commandId", clock_timestamp()
    FROM ROWS FROM (json_to_recordset(${events}::json) AS (
      id uuid, name text, data text, rooms text[], "requestId" text, "commandId" uuid
    )) WITH ORDINALITY AS event (id, name, data, rooms, "requestId", "commandId", place)
    ORDER BY place`;
