import { PAYMENT_METHODS } from '#contract/ordering/orders/constants';
import type { Address } from '#contract/platform/http/http';
import { isBoolean, isMatch, isObjectOf, isOneOf, isText } from '../../../platform/api/check.ts';
import { ownedInTab } from '../../../platform/session/owned.ts';

/** What was typed into the checkout form, valid or not. */
export type CheckoutDraft = {
  orderType: 'pickup' | 'delivery';
  /** At a farm with places only the slot counts, elsewhere all but the slot. */
  pickupDetails: { date: string; time: string; location: string; slotId: string };
  deliveryDetails: { address: Address; date: string; time: string; isAreaConfirmed: boolean };
  paymentMethod: (typeof PAYMENT_METHODS)[number];
  notes: string;
};

/** The draft of a buyer is for one farm. */
type Stored = { farmerId: string; draft: CheckoutDraft };

const isDate = isMatch(/^(\d{4}-\d{2}-\d{2})?$/);
const isTime = isMatch(/^(\d{2}:\d{2})?$/);

const isStored = isObjectOf<Stored>({
  farmerId: isText,
  draft: isObjectOf<CheckoutDraft>({
    orderType: isOneOf(['pickup', 'delivery']),
    pickupDetails: isObjectOf<CheckoutDraft['pickupDetails']>({
      date: isDate,
      time: isTime,
      location: isText,
      slotId: isText,
    }),
    deliveryDetails: isObjectOf<CheckoutDraft['deliveryDetails']>({
      address: isObjectOf<Address>({
        street: isText,
        city: isText,
        state: isText,
        zipCode: isText,
      }),
      date: isDate,
      time: isTime,
      isAreaConfirmed: isBoolean,
    }),
    paymentMethod: isOneOf(PAYMENT_METHODS),
    notes: isText,
  }),
});

const drafts = ownedInTab<Stored>('checkout-draft', isStored);

/** Returns what the buyer typed for this farm before a reload. */
export function readCheckoutDraft(farmerId: string): CheckoutDraft | undefined {
  const stored = drafts.read();
  return stored?.farmerId === farmerId ? stored.draft : undefined;
}

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

/** Keeps what the buyer has typed, in this tab only. */
export const keepCheckoutDraft = (farmerId: string, draft: CheckoutDraft): void =>
  drafts.write({ farmerId, draft });

/** Call when the order is placed: the next one starts empty. */
export const clearCheckoutDraft = (): void => drafts.write(undefined);
