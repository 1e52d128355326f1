import type { OpenOrders } from '#contract/people/users/users';
import { shortId } from '#contract/platform/http/constants';
import { plural } from '../../platform/format/format.ts';

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
