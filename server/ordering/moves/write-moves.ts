import type { SlotChange } from '#contract/ordering/orders/order-timeline';
import type { Transaction } from '../../../prisma/client.ts';
import { dayRulesOf } from '../../farm/farmers/present.ts';
import { CUTOFF_TIMER, cutoffInstant, cutoffTimerKey } from '../../farm/schedule/rules.ts';
import { shownIn } from '../../farm/slots/policy.ts';
import type { SlotRow } from '../../farm/slots/present.ts';
import type { SlotWithFarm } from '../../farm/slots/read.ts';
import type { NewTimer } from '../../platform/stores/timers.ts';
import { readClock } from '../../platform/time/clock.ts';
import { appointmentOf, dayOf, handoverIn, proposalTimers } from '../model/handover.ts';
import { changeInSlices, IS_OPEN, lockOrdersWhere, readActor } from '../model/open-orders.ts';
import type { OrderRow } from '../model/present.ts';
import type { ProposalRow } from '../model/present-lines.ts';
import { type OrderPlan, writeOrders } from '../model/write.ts';

/** Orders that go to another slot. They and both slots are locked, and may go there. */
export interface SlotMove {
  orders: readonly OrderRow[];
  to: SlotRow;
}

/** Who moves orders, and why. */
type Actor = Pick<OrderPlan, 'by' | 'at'> & { reason: string | null };

/**
 * Moves orders to other slots. What is to happen at a time of theirs happens at the new one.
 * @returns the orders and the slots as they are after it
 */
export async function writeSlotMoves(
  tx: Transaction,
  locked: ReadonlyMap<string, Pick<SlotWithFarm, 'row'>>,
  moves: readonly SlotMove[],
  mover: Actor,
): Promise<{ orders: OrderRow[]; slots: Map<string, SlotRow> }> {
  const slots = new Map<string, SlotRow>();
  const count = (slot: SlotRow, change: number) => {
    const now = slots.get(slot.id) ?? slot;
    slots.set(slot.id, { ...now, taken: now.taken + change });
  };
  const plans = moves.flatMap(({ orders, to }) =>
    orders.map((before) => {
      const left = locked.get(before.slotId ?? '');
      if (left) count(left.row, -1);
      count(to, 1);
      return slotMove(before, to, mover);
    }),
  );
  const orders = await writeOrders(tx, await withNewTimes(tx, plans));
  return { orders, slots };
}

/** Returns the plan of an order that goes to a slot. */
export function slotMove(before: OrderRow, to: SlotRow, mover: Actor): OrderPlan {
  const handover = handoverIn(to);
  const detail: SlotChange = {
    from: new Date(before.startsAt ?? `${dayOf(before)}T${before.time}Z`).toISOString(),
    to: new Date(handover.startsAt ?? mover.at).toISOString(),
    before: appointmentOf(before),
    after: appointmentOf({ ...before, ...handover }),
  };
  return { ...mover, before, handover, change: { kind: 'slot', ...detail } };
}

/**
 * Returns plans of orders that move with what follows from their new times: an open proposal ends no later than the
 * handover begins, and the cut-off of the new day looks at what waits for the farm. A zone that is not written yet is
 * given.
 */
export async function withNewTimes(
  tx: Transaction,
  plans: readonly OrderPlan[],
  newTimeZone?: string,
): Promise<OrderPlan[]> {
  const timers = await cutoffTimersOf(tx, plans, newTimeZone);
  return plans.map((plan) => {
    const { before, handover, at } = plan;
    const sooner = soonerIn({ ...before, ...handover }, at);
    return {
      ...plan,
      proposals: sooner,
      timers: [
        // A reminder that would have come already is left out.
        ...sooner
          .flatMap(proposalTimers)
          .filter(({ kind, dueAt }) => kind === 'order.change' || dueAt > at),
        ...(timers.get(before.id) ?? []),
      ],
    };
  });
}

/** Returns the open proposals of an order that would end after its handover begins, with their new end. */
const soonerIn = ({ proposals, startsAt }: OrderRow, at: Date): ProposalRow[] =>
  proposals.flatMap((proposal) => {
    const untilMs = new Date(proposal.answerBy).getTime();
    const startsMs = startsAt === null ? untilMs : new Date(startsAt).getTime();
    // One whose time is over stays as it is: its timer is about to end it.
    if (at.getTime() >= untilMs || startsMs >= untilMs) return [];
    return [{ ...proposal, answerBy: new Date(startsMs).toISOString() }];
  });

/**
 * Returns the timers, by order, that let the cut-off of their new day look at orders that wait for the farm. That of
 * the old day finds them no longer. Each order has its own: see `cutoff-follow-up.ts`. A day whose cut-off has passed
 * gets none but to accept: who moved an order there is not to see it rejected, nor to be reminded of it at once.
 */
async function cutoffTimersOf(
  tx: Transaction,
  plans: readonly OrderPlan[],
  newTimeZone?: string,
): Promise<Map<string, NewTimer[]>> {
  const waiting = plans.filter(
    ({ before, handover }) =>
      before.status === 'pending' && dayOf(before) !== dayOf({ ...before, ...handover }),
  );
  const [first] = waiting;
  const farm =
    first && (await tx.farmerProfile.findUnique({ where: { userId: first.before.farmerId } }));
  if (!farm) return new Map();
  const { cutoff } = dayRulesOf(farm);
  return new Map(
    waiting.map(({ before, handover, at }) => {
      const { farmerId, id } = before;
      const day = dayOf({ ...before, ...handover });
      const dueAt = cutoffInstant(cutoff, day, newTimeZone ?? farm.timeZone);
      const isIn = dueAt && (dueAt > at || farm.atCutoff === 'accept');
      const key = cutoffTimerKey(farmerId, day, id);
      return [id, isIn ? [{ kind: CUTOFF_TIMER, key, dueAt }] : []];
    }),
  );
}

/**
 * Gives the open orders of the days to come the instants that their dates and times have in a new time zone of their
 * farm, which `changedBy` changed; without somebody the farm did. An order at a time that the new clock skips gets the
 * time that it shows instead, and its consumer is told. Call it in the transaction that changes the zone, once the
 * farm's row is locked, so that no order can be placed by the old clock behind it, and before any product is locked.
 */
export async function moveOpenOrders(
  tx: Transaction,
  farmerIds: string | readonly string[],
  { timeZone, changedBy }: { timeZone: string; changedBy: string | null },
): Promise<void> {
  // What is over, or is answered permanently, stays as it was; so do days from before the last one that can be entered,
  // whose instant another zone may have in a year of five digits.
  const ids = await lockOrdersWhere(
    tx,
    `farmer_id = ANY ($1::uuid[]) AND ${IS_OPEN} AND starts_at > now() AND date < '3000-01-01'`,
    [farmerIds].flat(),
  );
  if (ids.length === 0) return;
  const by = changedBy === null ? null : await readActor(tx, changedBy);
  const at = await readClock(tx);
  await changeInSlices(tx, ids, (orders) => {
    const plans = orders.flatMap((row) => moveOf(row, { by: by ?? row.farmer, at }, timeZone));
    return withNewTimes(tx, plans, timeZone);
  });
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
      // What the timeline and the notice say where the new clock does not show the order's time.
      ...(isSameClock ? {} : { cause: 'clock_skips' }),
    },
  ];
}
