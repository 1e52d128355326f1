import { OPEN_STATUSES } from '#contract/platform/orders/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { shownIn } from '../../farm/slots/policy.ts';
import { sqlList } from '../../platform/stores/sql.ts';
import { readClock } from '../../platform/time/clock.ts';
import { appointmentOf, dayOf } from '../model/handover.ts';
import { type OrderRow, readOrders } from '../model/present.ts';
import { type OrderPlan, writeOrders } from '../model/write.ts';
import { readMover } from './move-slot.ts';
import { withNewTimes } from './move-times.ts';

/** Orders read and written at once, so that thousands of them need neither long statements nor many. */
const ORDERS_PER_STATEMENT = 200;

// $1 the farms. What is over, or is answered for good, stays as it was; so do days from before the last one that can be
// entered, whose instant another zone may have in a year of five digits.
const LOCK = `SELECT id FROM orders
  WHERE farmer_id = ANY ($1::uuid[]) AND status IN (${sqlList(OPEN_STATUSES)}) AND starts_at > now()
    AND date < '3000-01-01'
  ORDER BY id FOR NO KEY UPDATE`;

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
    const plans = rows.flatMap((row) => moveOf(row, { by: by ?? row.farmer, at }, timeZone));
    await writeOrders(tx, await withNewTimes(tx, plans, timeZone));
  }
}

/** Returns the move of an order, or none where both zones show its date and time at the same instant. */
function moveOf(row: OrderRow, who: Pick<OrderPlan, 'by' | 'at'>, timeZone: string): OrderPlan[] {
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
  return [
    {
      ...who,
      before: row,
      handover: times,
      change: { kind: 'slot', ...detail },
      reason: isSameClock ? null : SKIPPED,
    },
  ];
}

/** What the timeline and the notice say of an order whose time the new clock does not show. */
const SKIPPED = "The farm's time zone changed, and its clock skips this time that night.";
