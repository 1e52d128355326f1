import { canBeHadOn } from '#contract/catalogue/products/constants/products';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import { type DayRules, weekdayOf } from '#contract/farm/schedule/constants';
import { dayProblem, isClosedDay } from '../../farm/schedule/rules.ts';
import { offers } from '../model/policy.ts';

/** Hours of a place on a day of the week, from 0 for Monday. */
interface PlaceRange {
  weekday: number;
  from: string;
  to: string;
}

/** What a farm hands over by: its days and hours, ways, places and the last days of its goods. */
export interface HandoverTerms {
  rules: DayRules;
  acceptsPickup: boolean;
  acceptsDelivery: boolean;
  /** The hours of the places that are offered, by the place's id. */
  places: ReadonlyMap<string, readonly PlaceRange[]>;
  /** The last day of each product that has one, by its id. */
  lastDays: ReadonlyMap<string, string>;
}

/** When, how and with which goods an order is handed over. */
export interface Agreed {
  date: string;
  time: string;
  /** When its slot ends; null without a slot. */
  endTime: string | null;
  isPickup: boolean;
  /** The place of its slot; null without one. */
  placeId: string | null;
  hasSlot: boolean;
  /** The products in it, with those that an open proposal offers instead. */
  products: readonly string[];
}

/**
 * Returns the open orders that a change meets: something stands in the way of the order afterwards that did not before.
 * What the farm agreed to beside its own rules, such as a pickup out of hours, is met by a change of these alone.
 */
export const ordersMet = <Order extends Agreed>(
  before: HandoverTerms,
  after: HandoverTerms,
  orders: readonly Order[],
): Order[] =>
  orders.filter((order) => {
    const known = obstaclesTo(order, before);
    return obstaclesTo(order, after).some((obstacle) => !known.includes(obstacle));
  });

/** Returns what stands in the way of an order by a farm's terms, each named once. */
function obstaclesTo(order: Agreed, terms: HandoverTerms): string[] {
  const { rules, lastDays } = terms;
  const { date, hasSlot, products } = order;
  const isInHours = hasSlot ? isWithinPlace(order, terms) : isWithinHours(order, rules);
  return [
    ...(isClosedDay(rules, date) ? ['day'] : []),
    ...(offers(terms, order.isPickup ? 'pickup' : 'delivery') ? [] : ['way']),
    ...(isInHours ? [] : ['hours']),
    ...products.filter((id) => !canBeHadOn({ availableUntil: lastDays.get(id) ?? null }, date)),
  ];
}

/** Whether the place of a slot is offered, and open for all of it. */
function isWithinPlace(
  { date, time, endTime, placeId }: Agreed,
  { places }: HandoverTerms,
): boolean {
  const weekday = WEEKDAYS.indexOf(weekdayOf(date));
  return (places.get(placeId ?? '') ?? []).some(
    (range) => range.weekday === weekday && range.from <= time && (endTime ?? time) <= range.to,
  );
}

/** Whether the farm is open at the moment, whatever is said of this very day. Its evening before may be closed. */
const isWithinHours = ({ date, time }: Agreed, rules: DayRules): boolean =>
  dayProblem(
    { ...rules, closedDays: rules.closedDays.filter((day) => day !== date) },
    { date, time },
  ) === undefined;
