import type { SlotChange } from '#contract/ordering/orders/order-timeline';
import { OPEN_STATUSES } from '#contract/platform/orders/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { shownIn } from '../../farm/slots/policy.ts';
import type { PersonRow } from '../../people/users/present.ts';
import { record } from '../../platform/events/event-log.ts';
import { sqlList } from '../../platform/stores/sql-list.ts';
import { setTimers } from '../../platform/stores/timers.ts';
import { readClock } from '../../platform/time/clock.ts';
import { appointmentOf, dayOf } from '../model/handover.ts';
import { type OrderRow, presentOrder, readOrders } from '../model/present.ts';
import { orderRooms } from '../place/place.ts';
import { readMover } from './move-slot.ts';
import { answeredInTime, cutoffTimersOf, writeAnswerTimes } from './move-times.ts';

/** Orders read and written at once, so that thousands of them need neither long statements nor many. */
const ORDERS_PER_STATEMENT = 200;

// $1 the farms. What is over, or is answered for good, stays as it was; so do days from before the last one that can be
// entered, whose instant another zone may have in a year of five digits.
const LOCK = `SELECT id FROM orders
  WHERE farmer_id = ANY ($1::uuid[]) AND status IN (${sqlList(OPEN_STATUSES)}) AND starts_at > now()
    AND date < '3000-01-01'
  ORDER BY id FOR NO KEY UPDATE`;

// $1 the moves, each of an order that this transaction has locked.
const WRITE = `WITH move AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS (
      "orderId" uuid, version int, sequence int, "byId" uuid, detail jsonb, reason text, date date, time text,
      "endTime" text, "startsAt" timestamptz(3), "endsAt" timestamptz(3), at timestamptz(3))
  ), moved AS (
    UPDATE orders o SET date = move.date, time = move.time, end_time = move."endTime",
      starts_at = move."startsAt", ends_at = move."endsAt", version = move.version, updated_at = move.at
    FROM move WHERE o.id = move."orderId"
  )
  INSERT INTO order_timeline (order_id, sequence, kind, detail, version, by_id, reason, at)
  SELECT "orderId", sequence, 'slot', detail, version, "byId", reason, at FROM move`;

/** When an order is handed over, by the new clock. */
type NewTimes = Pick<OrderRow, 'date' | 'time' | 'endTime' | 'startsAt' | 'endsAt'>;

/** An order whose handover starts at another instant, or shows another time, and who changed the clock. */
interface Move {
  row: OrderRow;
  by: PersonRow;
  times: NewTimes;
  detail: SlotChange;
  /** Why date and time changed, where they did. */
  reason: string | null;
}

/**
 * Gives the open orders of the days to come the instants that their dates and times have in a new time
 * zone of their farm, which `changedBy` changed; without somebody the farm did. An order at a time that the new clock skips
 * gets the time that it shows instead, and its buyer is told. Call it in the transaction that changes the zone, once the farm's row is locked, so
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
  const at = await readClock(tx);
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
    await setTimers(tx, [
      ...(await writeAnswerTimes(tx, moves, at)),
      ...(await cutoffTimersOf(tx, moves, at, timeZone)),
    ]);
    await record(
      tx,
      ...moves.map((move) => ({
        name: 'order.updated' as const,
        data: {
          ...presentOrder(move.after),
          change: { kind: 'slot' as const, ...move.detail },
        },
        rooms: orderRooms(move.row),
      })),
    );
  }
}

/** Returns the move of an order, or none where both zones show its date and time at the same instant. */
function moveOf(row: OrderRow, by: PersonRow, timeZone: string): Move[] {
  const date = dayOf(row);
  const shown = shownIn(timeZone, { date, from: row.time, to: row.endTime });
  const times = {
    date: shown.date,
    time: shown.from,
    endTime: shown.to,
    startsAt: shown.startsAt.toISOString(),
    endsAt: shown.endsAt?.toISOString() ?? null,
  };
  const to = times.startsAt;
  const from = new Date(row.startsAt ?? to).toISOString();
  const isSameClock =
    date === times.date && row.time === times.time && row.endTime === times.endTime;
  const isSameEnd = times.endsAt === (row.endsAt && new Date(row.endsAt).toISOString());
  if (from === to && isSameEnd && isSameClock) return [];
  const detail = isSameClock
    ? { from, to }
    : { from, to, before: appointmentOf(row), after: appointmentOf({ ...row, ...times }) };
  return [{ row, by, times, detail, reason: isSameClock ? null : SKIPPED }];
}

/** What the timeline and the notice say of an order whose time the new clock does not show. */
const SKIPPED = "The farm's time zone changed, and its clock skips this time that night.";

const nextSequence = ({ timeline }: OrderRow): number => (timeline.at(-1)?.sequence ?? 0) + 1;

/** The order as it is after a move. */
const afterMove = ({ row, by, times, detail, reason }: Move, at: Date): OrderRow =>
  answeredInTime(
    {
      ...row,
      ...times,
      version: row.version + 1,
      timeline: [
        ...row.timeline,
        {
          sequence: nextSequence(row),
          kind: 'slot',
          status: null,
          detail,
          at: at.toISOString(),
          reason,
          by,
        },
      ],
    },
    at,
  );

const toEntry = ({ row, by, times, detail, reason }: Move) => ({
  orderId: row.id,
  version: row.version + 1,
  sequence: nextSequence(row),
  byId: by.id,
  detail,
  reason,
  ...times,
});
