import { PAYMENT_METHODS } from '#contract/ordering/orders/constants/orders';
import { z } from '#contract/platform/http/zod';
import { discardDraft, readDraft, saveDraft } from '../../../platform/offline/drafts.ts';

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

/** Returns what the buyer has typed for this farm and not ordered. */
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

/** Keeps what the buyer has typed. */
export const keepCheckoutDraft = (farmerId: string, draft: CheckoutDraft): void =>
  saveDraft(keyOf(farmerId), draft);

/** Call when the order is placed: the next one at this farm starts empty. */
export const clearCheckoutDraft = (farmerId: string): void => discardDraft(keyOf(farmerId));
