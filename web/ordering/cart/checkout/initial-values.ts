import { POSSIBLE_DAYS_MAX, type WallMoment } from '#contract/farm/schedule/constants';
import type { PossibleDay } from '#contract/farm/schedule/schedule';
import { PAYMENT_METHODS } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import type { Address } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { addDays, clockMs, dayIn, wallClockIn } from '#contract/platform/time/constants';
import { clockShows, minutesOf, timeAt } from '#contract/platform/time/constants/clock';
import { ApiError } from '../../../platform/api/api-error.ts';
import { discardDraft, readDraft, saveDraft } from '../../../platform/offline/drafts.ts';
import { fitsGoods, type LastDay } from '../../model/last-day.ts';

/** Days that are offered as big choices. */
export const DAYS_SHOWN = 6;
/** Times that are offered for one day. */
const TIMES_MAX = 8;
const STEPS_MINUTES = [30, 60, 120, 180];
/** How long before its pickup an order for today is suggested at the earliest, in minutes. */
const LEAD_MINUTES = 30;

/** What the checkout knows of a farm's days. */
export type FarmDays = {
  /** Those for which one can order, of the next month; undefined where they could not be loaded. */
  days: readonly PossibleDay[] | undefined;
  /** The farm lists hours or has a cut-off, so that days can be suggested. */
  keepsDays: boolean;
  /** The farm has a cut-off, so that it is worth saying until when one can order. */
  hasCutoff: boolean;
  /** The farm's; the reader's where it could not be loaded. */
  timeZone: string | undefined;
  /** How many days ahead the farm takes orders; undefined where that is not known. */
  bookableDays?: number | undefined;
  /** Until when all of the cart can be had; the days are no later. */
  lastDay?: LastDay | null | undefined;
};

/** What the farm's clock shows, and of which time zone it is: some nights skip times. */
type FarmClock = WallMoment & { timeZone?: string | undefined };

/** Returns the clock of a time zone, the reader's without one, at `now` (milliseconds). */
export const farmClockAt = (timeZone: string | undefined, now: number): FarmClock => ({
  ...wallClockIn(timeZone, now),
  timeZone,
});

const isShown = (date: string, time: string, { timeZone }: FarmClock): boolean =>
  timeZone === undefined || clockShows(timeZone, { date, time });

/** Returns the days for which one can still order at `now` (milliseconds). */
export const stillPossible = (
  days: readonly PossibleDay[] | undefined,
  now: number,
): PossibleDay[] => days?.filter(({ ordersUntil }) => Date.parse(ordersUntil) > now) ?? [];

/**
 * Returns times to suggest for a day, within its hours and `clock`, the farm's, ahead; none where the farm
 * lists no hours. Hours that go on after midnight count until it.
 */
export function timesOf({ date, open, close }: PossibleDay, clock: FarmClock): string[] {
  if (open === null || close === null) return [];
  const from = minutesOf(open);
  const to = close > open ? minutesOf(close) : 24 * 60;
  const earliest = date === clock.date ? minutesOf(clock.time) + LEAD_MINUTES : 0;
  for (const step of STEPS_MINUTES) {
    const times: string[] = [];
    const first = Math.max(from, Math.ceil(earliest / step) * step);
    for (let minutes = first; minutes < to; minutes += step) {
      const time = timeAt(minutes);
      if (isShown(date, time, clock)) times.push(time);
    }
    if (times.length <= TIMES_MAX || step === STEPS_MINUTES.at(-1)) return times;
  }
  return [];
}

const isWithin = ({ open, close }: PossibleDay, time: string): boolean =>
  open === null || close === null || (time >= open && (close <= open || time <= close));

/**
 * Returns the time that a day begins with: the one that was wanted or used before, if the farm is open then,
 * else the first to suggest. Empty where there is none.
 */
export function timeFor(day: PossibleDay, clock: FarmClock, wanted: string): string {
  const isAhead = day.date > clock.date || wanted > clock.time;
  if (wanted !== '' && isAhead && isWithin(day, wanted) && isShown(day.date, wanted, clock)) {
    return wanted;
  }
  return timesOf(day, clock)[0] ?? '';
}

/**
 * Returns the time that another day begins with. A time that was only suggested, since the usual one has passed today,
 * gives way to the usual one; one that the consumer chose stays.
 * @param moment.suggestedTime what was suggested last; by now the clock may suggest something later
 */
export function timeOnOther(
  day: PossibleDay,
  clock: FarmClock,
  moment: { time: string; suggestedTime: string; usualTime: string },
): string {
  const { time, suggestedTime, usualTime } = moment;
  const isChosen = time !== suggestedTime || usualTime === '';
  return timeFor(day, clock, isChosen ? time : usualTime);
}

/** Returns the day and time that the checkout begins with; empty where nothing can be suggested. */
export function firstChoice(
  { days, keepsDays, timeZone }: FarmDays,
  now: number,
  wantedTime: string,
): { date: string; time: string } {
  if (!keepsDays) return { date: '', time: '' };
  const clock = farmClockAt(timeZone, now);
  const choices = stillPossible(days, now).map((day) => ({
    date: day.date,
    time: timeFor(day, clock, wantedTime),
    isSensible: day.open === null || timesOf(day, clock).length > 0,
  }));
  const { date = '', time = '' } = choices.find(({ isSensible }) => isSensible) ?? {};
  return { date, time };
}

/**
 * Returns the first possible day from a date on, if one cannot order for that date: the farm is closed, its
 * cut-off has passed, or not all of the cart can be had. Undefined where one can, or where it is not known.
 */
export function insteadOf(
  date: string,
  { days, timeZone, lastDay }: FarmDays,
  now: number,
): PossibleDay | undefined {
  const today = wallClockIn(timeZone, now).date;
  const isNear = date >= today && date < addDays(today, POSSIBLE_DAYS_MAX);
  const isKnown = isNear || !fitsGoods(date, lastDay);
  const possible = stillPossible(days, now);
  if (!isKnown || possible.some((day) => day.date === date)) return undefined;
  return possible.find((day) => day.date > date) ?? possible.at(0);
}

const day = z.string().regex(/^(\d{4}-\d{2}-\d{2})?$/);
const time = z.string().regex(/^(\d{2}:\d{2})?$/);
const text = z.string();

/** What was typed into the checkout form, valid or not. */
const CheckoutDraft = z.object({
  orderType: z.enum(['pickup', 'delivery']),
  /** At a farm with places only the slot counts, elsewhere all but the slot. */
  pickupDetails: z.object({ date: day, time, location: text, slotId: text }),
  deliveryDetails: z.object({
    address: z.object({ street: text, city: text, state: text, zipCode: text }),
    date: day,
    time,
    isAreaConfirmed: z.boolean(),
  }),
  paymentMethod: z.enum(PAYMENT_METHODS),
  notes: text,
});
export type CheckoutDraft = z.infer<typeof CheckoutDraft>;

const keyOf = (farmerId: string): string => `checkout:${farmerId}`;

/** Returns what the consumer has typed for this farm and not ordered. */
export const readCheckoutDraft = (farmerId: string): CheckoutDraft | undefined =>
  CheckoutDraft.safeParse(readDraft(keyOf(farmerId))).data;

/** Returns a draft without days that have passed; `today` is the farm's. */
export function withoutPastDays(draft: CheckoutDraft, today: string): CheckoutDraft {
  const upcoming = <Details extends { date: string }>(details: Details): Details =>
    details.date < today ? { ...details, date: '' } : details;
  return {
    ...draft,
    pickupDetails: upcoming(draft.pickupDetails),
    deliveryDetails: upcoming(draft.deliveryDetails),
  };
}

/** Keeps what the consumer has typed. */
export const keepCheckoutDraft = (farmerId: string, draft: CheckoutDraft): void =>
  saveDraft(keyOf(farmerId), draft);

/** Call when the order is placed: the next one at this farm starts empty. */
export const clearCheckoutDraft = (farmerId: string): void => discardDraft(keyOf(farmerId));

/** What of a farm's terms the checkout begins with. */
export type StartingTerms = FarmDays & {
  acceptsPickup: boolean;
  acceptsDelivery: boolean;
  /** The default pickup location. */
  pickupLocation: string;
};

/**
 * Returns what the checkout form begins with: the draft, as far as the farm still offers it; else as the consumer
 * ordered at this farm last; else defaults. Where no day is chosen, it is the first that the farm offers, at
 * the time of the last order if the farm is open then.
 */
export function initialValues(
  terms: StartingTerms,
  address: Address,
  { draft, last }: { draft: CheckoutDraft | undefined; last: Order | undefined },
  now: number = clockMs(),
): CheckoutDraft {
  const usual = terms.acceptsPickup || !terms.acceptsDelivery ? 'pickup' : 'delivery';
  const typed = draft
    ? withoutPastDays(draft, dayIn(terms.timeZone, now))
    : fromLast(terms, address, last);
  const isOffered = typed.orderType === 'pickup' ? terms.acceptsPickup : terms.acceptsDelivery;
  const first = firstChoice(terms, now, usualTimeOf(last));
  const begin = <Details extends { date: string; time: string }>(details: Details): Details =>
    details.date === '' && details.time === '' ? { ...details, ...first } : details;
  return {
    ...typed,
    orderType: isOffered ? typed.orderType : usual,
    pickupDetails: begin(typed.pickupDetails),
    deliveryDetails: begin(typed.deliveryDetails),
  };
}

/** Returns the time for which the consumer ordered at this farm last; empty for none. */
export const usualTimeOf = (last: Order | undefined): string =>
  (last?.pickupDetails ?? last?.deliveryDetails)?.time ?? '';

/** Returns the way, the place and the payment of the last order; date and time are chosen again. */
function fromLast(terms: StartingTerms, address: Address, last: Order | undefined): CheckoutDraft {
  const none = { date: '', time: '' };
  return {
    orderType: last?.deliveryDetails ? 'delivery' : 'pickup',
    pickupDetails: {
      ...none,
      location: last?.pickupDetails?.location || terms.pickupLocation,
      slotId: '',
    },
    deliveryDetails: {
      ...none,
      address: last?.deliveryDetails?.address ?? address,
      isAreaConfirmed: false,
    },
    paymentMethod: last?.paymentMethod ?? 'cash',
    notes: '',
  };
}

/** Returns the day that the server offers instead of a refused one; null for any other failure. */
export function nextOf(error: unknown): PossibleDay | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code !== 'DAY_CLOSED' && error.code !== 'CUTOFF_PASSED') return null;
  return (error.details as { data?: { next?: PossibleDay | null } }).data?.next ?? null;
}

/** The terms of the farm that the checkout needs. */
export type FarmTerms = StartingTerms & {
  /** Miles. */
  deliveryRadius: number | null;
  /** Postcodes and cities it delivers to; empty where it lists none. */
  deliveryAreas: readonly string[];
  /** Returns a sentence about the business hours on a day, `YYYY-MM-DD`. */
  hoursOn: (date: string) => string | undefined;
};
