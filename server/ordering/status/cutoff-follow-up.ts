import { CUTOFF_TIMER, cutoffTimerKey } from '../../farm/schedule/rules.ts';
import type { NewTimer } from '../../platform/stores/timers.ts';
import { dayOf } from '../model/handover.ts';
import type { OrderRow } from '../model/present.ts';

/** Milliseconds; of proposals that end together, as those of one shortage do, the first follow-up finds all. */
const GATHER_MS = 60_000;

/**
 * Returns the timer that lets the cut-off look at an order again whose proposal has ended and that still waits for the
 * farm: the cut-off passes over what waits for its buyer, so the order would stay pending for ever. It looks at the
 * present state, and waits on where it is still ahead. Each order has its own, since the timer of the day is locked before
 * orders by whoever answers them at the cut-off.
 */
export function cutoffFollowUp({
  before,
  after,
  at,
}: {
  before: OrderRow;
  after: OrderRow;
  at: Date;
}): NewTimer[] {
  const isFreed = before.proposals.length > 0 && after.proposals.length === 0;
  if (!isFreed || after.status !== 'pending') return [];
  return [
    {
      kind: CUTOFF_TIMER,
      key: cutoffTimerKey(after.farmerId, dayOf(after), after.id),
      dueAt: new Date(at.getTime() + GATHER_MS),
    },
  ];
}
