import { z } from 'zod';
import { type PaymentMethod, PlaceOrder } from '#contract/orders';
import { requiredText } from '#contract/platform';
import { todayWall } from '../lib/format.ts';

/** The payment methods in words, the default first. */
export const PAYMENT_LABELS: Record<PaymentMethod, string> = {
  cash: 'Cash on Pickup/Delivery',
  bank_transfer: 'Bank transfer',
  other: 'Other',
};

/** The first day one can choose: past neither here nor in UTC, by which the server judges. */
export function firstDay(now = new Date()): string {
  const utc = now.toISOString().slice(0, 10);
  const here = todayWall(now);
  return [here, utc].toSorted()[1] ?? here;
}

const day = z.iso
  .date('Choose a date.')
  .refine((date) => date >= firstDay(), 'Choose a date that is not in the past.');
const time = requiredText(5, 'Choose a time.');

const { pickupDetails, deliveryDetails, notes, paymentMethod } = PlaceOrder.shape;

/** What the checkout asks for; the fields are named as the order has them. */
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
