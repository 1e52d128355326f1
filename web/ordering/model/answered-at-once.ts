import { membersApi } from '#contract/farm/members/constants';
import { cutoffFor, isBefore } from '#contract/farm/schedule/constants';
import type { FarmSchedule, UpdateFarmSchedule } from '#contract/farm/schedule/schedule';
import { slotOf } from '#contract/farm/slots/constants';
import { ordersApi } from '#contract/ordering/orders/constants';
import { clockMs, wallClockIn } from '#contract/platform/time/constants';
import { call } from '../../platform/api/api.ts';

/** The orders that are asked for at once. */
const PAGE_SIZE = 100;

/**
 * Returns how many waiting orders a new cut-off would accept or reject as soon as it is saved, because it has passed
 * for their days. Orders whose customers are being asked about a change are left alone.
 */
export async function countAnsweredAtOnce(
  { cutoff: before }: FarmSchedule,
  { cutoff, atCutoff }: UpdateFarmSchedule,
): Promise<number> {
  const isSame = before?.daysBefore === cutoff?.daysBefore && before?.time === cutoff?.time;
  if (!cutoff || isSame || atCutoff === 'remind') return 0;
  const { data: farm } = await call(membersApi.farm);
  const nowMs = clockMs();
  const clock = wallClockIn(farm.timeZone, nowMs);
  const days = new Map<string, { ahead: number; begun: number }>();
  let cursor: string | undefined;
  do {
    const page = await call(ordersApi.received, {
      query: { status: 'pending', limit: PAGE_SIZE, cursor },
    });
    for (const order of page.data) {
      const { date } = slotOf(order);
      if (order.openChange || isBefore(clock, cutoffFor(cutoff, date))) continue;
      const day = days.get(date) ?? { ahead: 0, begun: 0 };
      const isAhead = order.startsAt !== undefined && Date.parse(order.startsAt) > nowMs;
      day[isAhead ? 'ahead' : 'begun'] += 1;
      days.set(date, day);
    }
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  // A day is looked at while something of it is ahead. What has begun is rejected with it, and never accepted.
  return [...days.values()]
    .filter(({ ahead }) => ahead > 0)
    .reduce((sum, { ahead, begun }) => sum + ahead + (atCutoff === 'reject' ? begun : 0), 0);
}
