import { answersFrom } from '#contract/farm/escalation/constants/quiet';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { FarmerDetail } from '#contract/farm/farmers/farmers';
import { cutoffFor } from '#contract/farm/schedule/constants';
import { slotOf } from '#contract/farm/slots/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { t } from '#contract/platform/text/constants/texts';
import { formatWallTime, knowsTimeZone, wallClockIn } from '#contract/platform/time/constants';
import { farmClockNote } from '../../farm/model/farm-clock.ts';
import { useMarket } from '../../platform/format/market.ts';
import { useNow } from '../../platform/hooks/use-now.ts';

const isWaiting = ({ status, openChange }: Pick<Order, 'status' | 'openChange'>): boolean =>
  status === 'pending' && !openChange;

/** Returns whether a farm has left an order without an answer for as long as the market lets it; it is asked again then. */
export function useIsUnanswered(
  order: Pick<Order, 'status' | 'openChange' | 'createdAt'>,
): boolean {
  const { unansweredMinutes } = useMarket();
  const waitedMs = useNow(15_000) - Date.parse(order.createdAt);
  return isWaiting(order) && waitedMs >= unansweredMinutes * 60_000;
}

/**
 * Returns from when a farm answers a waiting order, in a sentence with the farm's clock for a reader whose own shows
 * another time; undefined where it is not quiet there, or does not wait with what is due before.
 */
export function answersFromSentence(
  order: Order,
  { profile, handoff }: Pick<FarmerDetail, 'profile' | 'handoff'>,
  now: number,
): string | undefined {
  const { quietHours, timeZone } = profile;
  if (!isWaiting(order) || !quietHours || !knowsTimeZone(timeZone)) return undefined;
  const slot = slotOf(order);
  const there = wallClockIn(timeZone, now);
  const cutoff = handoff?.cutoff && cutoffFor(handoff.cutoff, slot.date);
  const end = answersFrom(quietHours, there, cutoff ? [slot, cutoff] : [slot]);
  if (!end) return undefined;
  const sentence = t(
    '{day, select, today {{farm} answers from {time}.} other {{farm} answers from {time} tomorrow.}}',
    {
      day: end.date === there.date ? 'today' : 'tomorrow',
      farm: farmNameOf(order.farmer),
      time: formatWallTime(end.time),
    },
  );
  return [sentence, farmClockNote(timeZone, now)].filter(Boolean).join(' ');
}
