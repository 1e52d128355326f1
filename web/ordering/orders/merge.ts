import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { slotOf } from '#contract/farm/slots/constants';
import type { FarmerStats, Order } from '#contract/ordering/orders/orders';
import { RECENT_ORDERS_SHOWN } from '#contract/platform/orders/constants';
import { protectFromStaleFetch, refetch } from '../../platform/realtime/in-flight.ts';
import { byField, replaceEverywhere, upsert } from '../../platform/realtime/reducer.ts';
import { bySlotFrom } from './detail/slot.ts';
import { ORDER_SCOPES, type OrderFilters, ordersKeys } from './keys.ts';

/** Newest first, as the server orders its lists. */
export const newestFirst = byField('createdAt', 'desc');

const MAX_CHANGED_ORDERS = 60;

/**
 * Returns whether the list under this key contains the order; undefined where only the server knows its
 * place: in a text search, a range of days, or another sort.
 */
function belongs(order: Order, key: QueryKey): boolean | undefined {
  const { status, search, date, from, to, sort, openChange } = (key[2] ?? {}) as OrderFilters;
  if (status !== undefined && status !== order.status) return false;
  if (date !== undefined && date !== slotOf(order).date) return false;
  if (openChange !== undefined && order.openChange === null) return false;
  return search || from || to || sort ? undefined : true;
}

/** Returns the days with which the lists by day and time begin: they follow from the clock. */
function firstDays(cache: QueryClient): Set<string> {
  const lists = cache.getQueryCache().findAll({ queryKey: ordersKeys.lists('receivedBySlot') });
  return new Set(lists.map(({ queryKey }) => (queryKey[2] as OrderFilters).firstDay ?? ''));
}

/** Returns the newest orders including this one. */
function intoRecent(recent: Order[], order: Order): Order[] {
  const known = recent.find((other) => other._id === order._id);
  if (known && known.version >= order.version) return recent;
  const others = recent.filter((other) => other !== known);
  return [...others, order].sort(newestFirst).slice(0, RECENT_ORDERS_SHOWN);
}

/**
 * Merges an order from an event or a response into the lists, its own page and the farmer's figures.
 * Ignores an order that is older than the cached one.
 */
export function mergeOrder(cache: QueryClient, order: Order): void {
  for (const scope of ORDER_SCOPES) {
    if (scope !== 'receivedBySlot') {
      upsert(cache, ordersKeys.lists(scope), order, { order: newestFirst, belongs });
    }
  }
  for (const firstDay of firstDays(cache)) {
    const key = ordersKeys.list('receivedBySlot', { firstDay });
    upsert(cache, key, order, { order: bySlotFrom(firstDay), belongs });
  }
  replaceEverywhere(cache, order, ordersKeys.detail(order._id));
  protectFromStaleFetch(cache, ordersKeys.detail(order._id));

  const figures = ordersKeys.farmerStats();
  cache.setQueryData<FarmerStats>(figures, (stats) => {
    if (!stats) return stats;
    const recentOrders = intoRecent(stats.recentOrders, order);
    return recentOrders === stats.recentOrders ? stats : { ...stats, recentOrders };
  });
  protectFromStaleFetch(cache, figures);
  refetch(cache, figures);
  refetch(cache, ordersKeys.pendingCount());

  cache.setQueryData<Order[]>(ordersKeys.changed(), (changed = []) => [
    ...changed.filter((other) => other._id !== order._id).slice(1 - MAX_CHANGED_ORDERS),
    order,
  ]);
}
