import { type DayRulesRow, dayRulesFields, dayRulesOf } from '../farmers/present.ts';
import { isClosedDay, ordersUntil } from '../schedule/policy.ts';
import type { SlotOffer } from './policy.ts';
import type { Closing, SlotRow } from './present.ts';

/** What of a farm says until when its slots can be ordered for, as {@link CLOSING_ROW} reads it. */
export interface ClosingFarm extends DayRulesRow {
  timeZone: string;
}

/** A {@link ClosingFarm} as one JSON value; `farm` names a row of `farmer_profiles`. */
export const CLOSING_ROW = `json_build_object('timeZone', farm.time_zone, ${dayRulesFields('farm')})`;

/**
 * Returns a function that says until when a farm's slot can be ordered for, and whether the farm's schedule
 * closes its day. Slots follow the hours of their place, not those of the farm.
 */
export function closingOf(
  farm: ClosingFarm,
): (slot: Pick<SlotRow, 'date' | 'startsAt'>) => Closing {
  const rules = dayRulesOf(farm);
  return ({ date, startsAt }) => {
    const start = new Date(startsAt);
    return {
      closesAt: ordersUntil(rules, date, farm.timeZone, start) ?? start,
      isDayClosed: isClosedDay(rules, date),
    };
  };
}

/** Returns what the rules of a slot decide on. */
export const offerOf = (row: SlotRow, closing: Closing): SlotOffer => ({
  taken: row.taken,
  capacity: row.capacity,
  state: row.state,
  isPlaceActive: row.place.isActive,
  startsAt: new Date(row.startsAt),
  ...closing,
});
