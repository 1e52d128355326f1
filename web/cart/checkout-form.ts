import { requiredText } from '#contract/http';
import { type PaymentMethod, PlaceOrder } from '#contract/orders';
import { z } from '#contract/zod';
import { localToday } from '../lib/format.ts';

/** The labels of the payment methods, the default first. */
export const PAYMENT_LABELS: Record<PaymentMethod, string> = {
  cash: 'Cash on Pickup/Delivery',
  bank_transfer: 'Bank transfer',
  other: 'Other',
};

/** Returns the first selectable day: today here or in UTC, which the server uses, whichever is later. */
export function firstDay(now = new Date()): string {
  const utc = now.toISOString().slice(0, 10);
  const here = localToday(now);
  return [here, utc].toSorted()[1] ?? here;
}

const day = z.iso
  .date('Choose a date.')
  .refine((date) => date >= firstDay(), 'Choose a date that is not in the past.');
const time = requiredText(5, 'Choose a time.');

const { pickupDetails, deliveryDetails, notes, paymentMethod } = PlaceOrder.shape;

/** The schema of the checkout form, with the field names of an order. */
export const Checkout = z.discriminatedUnion('orderType', [
  z.object({
    orderType: z.literal('pickup'),
    pickupDetails: pickupDetails.unwrap().extend({ date: day, time }),
    notes,
    paymentMethod,
  }),
  z.object({
    orderType: z.literal('delivery'),
    deliveryDetails: deliveryDetails.unwrap().extend({ date: day, time }),
    notes,
    paymentMethod,
  }),
]);
export type Checkout = z.infer<typeof Checkout>;
