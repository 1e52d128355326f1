import type { Order, UpdatedOrder } from '#contract/ordering/orders/orders';
import type { OpenOrders } from '#contract/people/users/users';
import { shortId } from '#contract/platform/http/constants/http';
import { formatExpected } from '#contract/platform/money/constants/money';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import { plural } from '../../platform/format/format.ts';

/** Returns the lines of an order that are left; all of an order that has none left, so that it still has a name. */
export function presentLines(items: Order['items']): Order['items'] {
  const left = items.filter(({ quantity }) => quantity > 0);
  return left.length > 0 ? left : items;
}

/** Returns the items of an order with their quantities: '2 lb Tomatoes, 1 dozen Corn, 2 × Chicken'. */
export function quantitiesInWords(items: Order['items']): string {
  return presentLines(items).map(formatLine).join(', ');
}

/** Returns the items of an order in one line: 'Tomatoes, Kale and 2 more'. */
export function itemsInWords(items: Order['items']): string {
  const present = presentLines(items);
  const names = present.slice(0, 2).map((item) => item.product.name);
  const more = present.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

/** Formats what an order costs: '₨480.00', and '≈ ₨480.00' while something in it is not weighed. */
export const formatTotal = ({
  totalAmount,
  isTotalFinal,
}: Pick<Order, 'totalAmount' | 'isTotalFinal'>): string =>
  formatExpected(totalAmount, !isTotalFinal);

/** Returns the order of an `order.updated` event in the form of a fetched order, without `change`. */
export const withoutChange = ({ change: _, ...order }: UpdatedOrder): Order => order;

type Counted = OpenOrders['pending'];

/** Names orders by their numbers, the first of many: '#1a2b3c4d, #5e6f7a8b and 3 more'. */
export function orderNumbers({ count, ids }: Counted): string {
  const named = ids.map((id) => `#${shortId(id)}`).join(', ');
  return count > ids.length ? `${named} and ${count - ids.length} more` : named;
}

/** Counts and names orders: '2 pending orders (#1a2b3c4d, #5e6f7a8b)'; empty for none. */
export const ordersInWords = (orders: Counted, kind: string): string =>
  orders.count === 0 ? '' : `${plural(orders.count, `${kind} order`)} (${orderNumbers(orders)})`;

/** Returns all open orders together. */
export const allOpen = ({ pending, accepted }: OpenOrders): Counted => ({
  count: pending.count + accepted.count,
  ids: [...accepted.ids, ...pending.ids].slice(0, 5),
});
