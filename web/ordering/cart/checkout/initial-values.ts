import type { PossibleDay } from '#contract/farm/schedule/schedule';
import type { Order } from '#contract/ordering/orders/orders';
import type { Address } from '#contract/platform/http/http';
import { clockMs, dayIn } from '#contract/platform/time/constants';
import { ApiError } from '../../../platform/api/api-error.ts';
import { type CheckoutDraft, withoutPastDays } from './checkout-draft.ts';
import { type FarmDays, firstChoice } from './days.ts';

/** What of a farm's terms the checkout begins with. */
export type StartingTerms = FarmDays & {
  acceptsPickup: boolean;
  acceptsDelivery: boolean;
  /** The default pickup location. */
  pickupLocation: string;
};

/**
 * Returns what the checkout form begins with: the draft, as far as the farm still offers it; else as the buyer
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

/** Returns the time for which the buyer ordered at this farm last; empty for none. */
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
