import { isBookable } from '#contract/farm/schedule/constants';
import { type PaymentMethod, PlaceOrder } from '#contract/ordering/orders/orders';
import { FreePickup } from '#contract/ordering/orders/pickup';
import { DeliveryAddressForm, requiredText } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { type Message, msg, t } from '#contract/platform/text/constants/texts';
import { dayIn } from '#contract/platform/time/constants';
import { clockShows } from '#contract/platform/time/constants/clock';
import { basisOf } from '../../../catalogue/model/weights.ts';
import { chooseEarlier, fitsGoods, type LastDay } from '../../model/last-day.ts';
import { type Cart, type LinePreference, lineKey } from '../rules.ts';

/** The labels of the payment methods, the default first. */
export const PAYMENT_LABELS: Record<PaymentMethod, Message> = {
  cash: msg('Cash on Pickup/Delivery'),
  bank_transfer: msg('Bank transfer'),
  other: msg('Other'),
};

const time = requiredText(5, () => t('Choose a time.'));

const { deliveryDetails, notes, paymentMethod } = PlaceOrder.shape;

/** The pickup at a farm with places: what the fields of a free pickup hold is of no matter then. */
const slotPickup = z.object({ slotId: requiredText(36, () => t('Choose a time.')) });

/** The refusal of a time that the farm's clock skips that night. */
const SKIPPED = {
  path: ['time'],
  error: () => t('The clock goes forward that night and skips this time. Choose another time.'),
};

/**
 * Returns the schema of the checkout form, with the field names of an order. A day is past, as for the
 * server, when it is over where the farm is.
 *
 * @param hasSlots whether a pickup needs a slot of the farm instead of a free day, time and location
 * @param bookableDays how many days ahead the farm takes orders; undefined where that is not known
 * @param lastDay until when all of the cart can be had
 */
export function checkoutAt(
  timeZone: string | undefined,
  hasSlots = false,
  bookableDays?: number | undefined,
  lastDay?: LastDay | null,
) {
  const date = z.iso
    .date({ error: () => t('Choose a date.') })
    .refine((day) => day >= dayIn(timeZone), {
      error: () => t('Choose a date that is not in the past.'),
    })
    .refine((day) => isBookable({ bookableDays }, day, dayIn(timeZone)), {
      error: () =>
        t(
          'This farm takes orders {days, plural, one {# day} other {# days}} ahead. Choose an earlier date.',
          { days: bookableDays ?? 0 },
        ),
    })
    .refine((day) => fitsGoods(day, lastDay), {
      error: () => (lastDay ? chooseEarlier(lastDay) : ''),
    });
  const isShown = (moment: { date: string; time: string }) =>
    timeZone === undefined || clockShows(timeZone, moment);
  return z.discriminatedUnion('orderType', [
    z.object({
      orderType: z.literal('pickup'),
      pickupDetails: hasSlots
        ? slotPickup
        : FreePickup.extend({ date, time }).refine(isShown, SKIPPED),
      notes,
      paymentMethod,
    }),
    z.object({
      orderType: z.literal('delivery'),
      deliveryDetails: deliveryDetails
        .unwrap()
        .extend({
          address: DeliveryAddressForm,
          date,
          time,
          // Only a yes is sent: who does not know leaves it to the farm.
          isAreaConfirmed: z.boolean().transform((isConfirmed) => isConfirmed || undefined),
        })
        .refine(isShown, SKIPPED),
      notes,
      paymentMethod,
    }),
  ]);
}
export type Checkout = z.infer<ReturnType<typeof checkoutAt>>;
export type CheckoutInput = z.input<ReturnType<typeof checkoutAt>>;

/** Returns the lines of a cart with what the consumer wishes for each; without a wish it is as their profile says. */
export const withPreferences = (cart: Cart, wishes: ReadonlyMap<string, LinePreference>) =>
  cart.lines.map((line) => ({ ...line, preference: wishes.get(lineKey(line)) }));

/** Returns the request body for the current cart and the consumer's choices. */
export function toOrder(
  cart: Cart,
  input: Checkout,
  wishes: ReadonlyMap<string, LinePreference>,
): { cart: Cart; order: PlaceOrder } {
  const { orderType: _, ...how } = input;
  return {
    cart,
    order: {
      farmer: cart.farmerId ?? '',
      items: withPreferences(cart, wishes).map(({ preference, ...line }) => ({
        product: line.productId,
        ...(line.size && { size: line.size._id }),
        quantity: line.quantity,
        price: line.price,
        ...basisOf(line),
        ...preference,
      })),
      ...how,
    },
  };
}
