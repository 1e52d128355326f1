import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { FarmerStats, Order, OrderStatus } from '#contract/orders';
import { refetch, touched } from '../realtime/in-flight.ts';
import { byField, renew, upsert } from '../realtime/reducer.ts';

/** What an order list is narrowed down to; what is left out is not asked for. */
export type OrderFilters = { status?: OrderStatus | undefined; search?: string | undefined };

/** The order lists there are: a consumer's, a farmer's, an admin's. */
export const ORDER_SCOPES = ['mine', 'received', 'all'] as const;
export type OrderScope = (typeof ORDER_SCOPES)[number];

/** Newest first, as the server orders its lists. */
export const newestFirst = byField('createdAt', 'desc');

const RECENT = 5;
const CHANGED_MAX = 60;

/** The orders that changed last: what a list shows of one that is just leaving it. */
export const CHANGED_ORDERS_KEY = ['changed-orders'] as const;

/** Whether the list under this key holds the order; undefined where words are searched for. */
function belongs(order: Order, key: QueryKey): boolean | undefined {
  const { status, search } = (key[2] ?? {}) as OrderFilters;
  if (status !== undefined && status !== order.status) return false;
  return search ? undefined : true;
}

/** The first few of the newest orders, with this one in its place. */
export function intoRecent(recent: Order[], order: Order): Order[] {
  const known = recent.find((other) => other._id === order._id);
  if (known && known.version >= order.version) return recent;
  const others = recent.filter((other) => other !== known);
  return [...others, order].sort(newestFirst).slice(0, RECENT);
}

/**
 * Puts an order, as an event or an answer brought it, wherever it is shown: in the lists, on its
 * own page, among the farmer's figures. One that is older than what is known changes nothing.
 */
export function mergeOrder(cache: QueryClient, order: Order): void {
  for (const scope of ORDER_SCOPES) {
    upsert(cache, ['orders', scope], order, { order: newestFirst, belongs });
  }
  renew(cache, order, ['orders', 'detail', order._id]);
  touched(cache, ['orders', 'detail', order._id]);

  const figures = ['orders', 'farmer-stats'];
  cache.setQueryData<FarmerStats>(figures, (stats) => {
    if (!stats) return stats;
    const recentOrders = intoRecent(stats.recentOrders, order);
    return recentOrders === stats.recentOrders ? stats : { ...stats, recentOrders };
  });
  touched(cache, figures);
  refetch(cache, figures);

  cache.setQueryData<Order[]>(CHANGED_ORDERS_KEY, (changed = []) => [
    ...changed.filter((other) => other._id !== order._id).slice(1 - CHANGED_MAX),
    order,
  ]);
}
