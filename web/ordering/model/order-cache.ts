import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { slotOf } from '#contract/farm/slots/constants';
import { isOpenStatus, type OrderSort } from '#contract/ordering/orders/constants';
import type { FarmerStats, Order } from '#contract/ordering/orders/orders';
import { type OrderStatus, RECENT_ORDERS_SHOWN } from '#contract/platform/orders/constants';
import { protectFromStaleFetch, refetch } from '../../platform/realtime/in-flight.ts';
import { byField, replaceEverywhere, upsert } from '../../platform/realtime/reducer.ts';

/** The filters of an order list, and the sort of the admin's. */
export type OrderFilters = {
  status?: OrderStatus | undefined;
  search?: string | undefined;
  /** The day of pickup or delivery, `YYYY-MM-DD`. */
  date?: string | undefined;
  /** The first and the last day on which the order was placed, `YYYY-MM-DD`. */
  from?: string | undefined;
  to?: string | undefined;
  /** Only those with a proposal that waits for an answer. */
  openChange?: 'true' | undefined;
  /** The day that a list by day and time begins with; the days before it follow. */
  firstDay?: string | undefined;
  /** Undefined for newest first. */
  sort?: OrderSort | undefined;
};

/** The order lists there are: a consumer's, a farmer's (newest first, or by day and time), an admin's. */
export const ORDER_SCOPES = ['mine', 'received', 'receivedBySlot', 'all'] as const;
export type OrderScope = (typeof ORDER_SCOPES)[number];

/** The keys of orders in the query cache; each but `changed` begins with `all`. */
export const ordersKeys = {
  all: ['orders'] as const,
  lists: (scope: OrderScope) => ['orders', scope] as const,
  list: (scope: OrderScope, filters: OrderFilters) => ['orders', scope, filters] as const,
  waiting: () => ['orders', 'received', { status: 'pending', whole: true }] as const,
  /** The pages of single orders; `detail(id)` begins with it. */
  details: () => ['orders', 'detail'] as const,
  detail: (id: string) => ['orders', 'detail', id] as const,
  pendingCount: () => ['orders', 'pending-count'] as const,
  farmerStats: () => ['orders', 'farmer-stats'] as const,
  /** The orders that changed last, for lists that still show an order that left them. */
  changed: () => ['changed-orders'] as const,
};

/** Compares orders by day, time and id, as the server orders its list. */
export const bySlot = bySlotFrom('');

/**
 * Compares orders by day, time and id from a day on, as the server does: the days before it follow, the latest first.
 */
export function bySlotFrom(firstDay: string): (one: Order, other: Order) => number {
  return (one, other) => {
    const [a, b] = [slotOf(one), slotOf(other)];
    const [isBefore, isOtherBefore] = [a.date < firstDay, b.date < firstDay];
    if (isBefore !== isOtherBefore) return isBefore ? 1 : -1;
    const byDay = isBefore ? compare(b.date, a.date) : compare(a.date, b.date);
    return byDay || compare(a.time, b.time) || compare(one._id, other._id);
  };
}

/**
 * Returns whether the day of a handover is over. For a reader whose day began before the farm's it is not, while the
 * time of the handover is still to come.
 */
export function isDayPast(
  order: Pick<Order, 'pickupDetails' | 'deliveryDetails' | 'startsAt' | 'endsAt'>,
  today: string,
  now: number,
): boolean {
  const isToCome = Date.parse(order.endsAt ?? order.startsAt ?? '') > now;
  return slotOf(order).date < today && !isToCome;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns whether the handover still lies ahead, so that a calendar and directions are of use. */
export const isAhead = ({ status }: Pick<Order, 'status'>): boolean => isOpenStatus(status);

/** Newest first, as the server orders its lists. */
export const newestFirst = byField('createdAt', 'desc');

const MAX_CHANGED_ORDERS = 60;

/**
 * Returns whether a list of these filters contains the order; undefined where only the server knows its
 * place: in a text search, a range of days, or another sort.
 */
export function belongs(order: Order, filters: OrderFilters): boolean | undefined {
  const { status, search, date, from, to, sort, openChange } = filters;
  if (status !== undefined && status !== order.status) return false;
  if (date !== undefined && date !== slotOf(order).date) return false;
  if (openChange !== undefined && order.openChange === null) return false;
  return search || from || to || sort ? undefined : true;
}

/** As {@link belongs}, by the key of a list. */
const belongsUnder = (order: Order, key: QueryKey): boolean | undefined =>
  belongs(order, (key[2] ?? {}) as OrderFilters);

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
      upsert(cache, ordersKeys.lists(scope), order, { order: newestFirst, belongs: belongsUnder });
    }
  }
  for (const firstDay of firstDays(cache)) {
    const key = ordersKeys.list('receivedBySlot', { firstDay });
    upsert(cache, key, order, { order: bySlotFrom(firstDay), belongs: belongsUnder });
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
