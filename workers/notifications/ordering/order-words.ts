import { formatSlot, slotOf, wayOf } from '#contract/farm/slots/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { formatExpected } from '#contract/platform/money/constants';

/** Formats what an order costs, as an estimate while something in it is not weighed. */
export const totalInText = ({
  totalAmount,
  isTotalFinal,
}: Pick<Order, 'totalAmount' | 'isTotalFinal'>): string =>
  formatExpected(totalAmount, !isTotalFinal);

/** Returns an order's short name: `#` and the first 8 characters of its id. */
export const orderName = (order: Pick<Order, '_id'>): string => `#${shortId(order._id)}`;

/** Returns the path of an order's page. */
export const orderLink = (order: Pick<Order, '_id'>): string => `/orders/${order._id}`;

/** Returns when and how an order is handed over: `pickup on Sat, Nov 28 at 10:00 AM`. */
export function handoverOf(order: Parameters<typeof slotOf>[0] & Pick<Order, 'createdAt'>): string {
  const slot = slotOf(order);
  // Texts are read later as well: the year is left out if the order was placed in it.
  return `${wayOf(slot).toLowerCase()} on ${formatSlot(slot, order.createdAt)}`;
}
