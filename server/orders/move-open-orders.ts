import { OPEN_STATUSES } from '#contract/constants/orders';
import type { Transaction } from '../../prisma/client.ts';
import { record } from '../events/event-log.ts';
import { sqlList } from '../process/sql-list.ts';
import { setTimers } from '../process/timers.ts';
import { instantOf } from '../process/wall-clock.ts';
import type { PersonRow } from '../users/present.ts';
import { readMover } from './move-slot.ts';
import { answeredInTime, writeAnswerTimes } from './move-times.ts';
import { orderRooms } from './place.ts';
import { type OrderRow, presentOrder, readOrders } from './present.ts';

/** Orders read and written at once, so that thousands of them need neither long statements nor many. */
const ORDERS_PER_STATEMENT = 200;

// $1 the farms. What is over, or is answered for good, stays as it was.
const LOCK = `SELECT id FROM orders
  WHERE farmer_id = ANY ($1::uuid[]) AND status IN (${sqlList(OPEN_STATUSES)}) AND starts_at > now()
  ORDER BY id FOR NO KEY UPDATE`;

// $1 the moves, each of an order that this transaction has locked.
const WRITE = `WITH move AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS (
      "orderId" uuid, version int, sequence int, "byId" uuid, detail jsonb, "startsAt" timestamptz(3),
      "endsAt" timestamptz(3), at timestamptz(3))
  ), moved AS (
    UPDATE orders o SET starts_at = move."startsAt", ends_at = move."endsAt", version = move.version, updated_at = move.at
    FROM move WHERE o.id = move."orderId"
  )
  INSERT INTO order_timeline (order_id, sequence, kind, detail, version, by_id, at)
  SELECT "orderId", sequence, 'slot', detail, version, "byId", at FROM move`;

/** An order whose handover starts at another instant, and who changed the clock. */
interface Move {
  row: OrderRow;
  by: PersonRow;
  from: string;
  to: string;
  endsAt: string | null;
}

/**
 * Gives the open orders of the days to come the instants that their dates and times have in a new time
 * zone of their farm, which `changedBy` changed; without somebody the farm did. Call it in the transaction that changes the zone, once the farm's row is locked, so
 * that no order can be placed by the old clock behind it, and before any product is locked.
 */
export async function moveOpenOrders(
  tx: Transaction,
  farmerIds: string | readonly string[],
  { timeZone, changedBy }: { timeZone: string; changedBy: string | null },
): Promise<void> {
  const locked = await tx.$queryRawUnsafe<{ id: string }[]>(LOCK, [farmerIds].flat());
  const ids = locked.map(({ id }) => id);
  if (ids.length === 0) return;
  const by = changedBy === null ? null : await readMover(tx, changedBy);
  const [clock] = await tx.$queryRawUnsafe<{ at: Date }[]>('SELECT clock_timestamp() AS at');
  const at = clock?.at ?? new Date();
  for (let start = 0; start < ids.length; start += ORDERS_PER_STATEMENT) {
    const rows = await readOrders(tx, ids.slice(start, start + ORDERS_PER_STATEMENT));
    const moves = rows
      .flatMap((row) => moveOf(row, by ?? row.farmer, timeZone))
      .map((move) => ({ ...move, before: move.row, after: afterMove(move, at) }));
    if (moves.length === 0) continue;
    await tx.$executeRawUnsafe(
      WRITE,
      JSON.stringify(moves.map((move) => ({ ...toEntry(move), at }))),
    );
    await setTimers(tx, await writeAnswerTimes(tx, moves, at));
    await record(
      tx,
      ...moves.map((move) => ({
        name: 'order.updated' as const,
        data: {
          ...presentOrder(move.after),
          change: { kind: 'slot' as const, from: move.from, to: move.to },
        },
        rooms: orderRooms(move.row),
      })),
    );
  }
}

/** Returns the move of an order, or none where both zones show its date and time at the same instant. */
function moveOf(row: OrderRow, by: PersonRow, timeZone: string): Move[] {
  const date = typeof row.date === 'string' ? row.date : row.date.toISOString().slice(0, 10);
  const to = instantOf({ date, time: row.time }, timeZone).toISOString();
  const from = new Date(row.startsAt ?? to).toISOString();
  if (from === to) return [];
  const { endTime: time } = row;
  const endsAt = time === null ? null : instantOf({ date, time }, timeZone).toISOString();
  return [{ row, by, from, to, endsAt }];
}

const nextSequence = ({ timeline }: OrderRow): number => (timeline.at(-1)?.sequence ?? 0) + 1;

/** The order as it is after a move. */
const afterMove = ({ row, by, from, to, endsAt }: Move, at: Date): OrderRow =>
  answeredInTime(
    {
      ...row,
      startsAt: to,
      endsAt,
      version: row.version + 1,
      timeline: [
        ...row.timeline,
        {
          sequence: nextSequence(row),
          kind: 'slot',
          status: null,
          detail: { from, to },
          at: at.toISOString(),
          reason: null,
          by,
        },
      ],
    },
    at,
  );

const toEntry = ({ row, by, from, to, endsAt }: Move) => ({
  orderId: row.id,
  version: row.version + 1,
  sequence: nextSequence(row),
  byId: by.id,
  detail: { from, to },
  startsAt: to,
  endsAt,
});
