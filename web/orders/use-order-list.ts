import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Order } from '#contract/orders';
import { itemsOf } from '../lib/pages.ts';
import { useLiveList } from '../lib/use-live-list.ts';
import { byField } from '../realtime/reducer.ts';
import type { OrderFilters, OrderScope } from './keys.ts';
import { changedOrdersQuery, ordersQuery, waitingOrdersQuery } from './queries.ts';

const oldestFirst = byField('createdAt', 'asc');

/** Returns a live list of orders and its query. */
export function useOrderList(scope: OrderScope, filters: OrderFilters) {
  const query = useInfiniteQuery(ordersQuery(scope, filters));
  const list = useLiveOrders(
    itemsOf(query.data),
    `${scope} ${filters.status ?? ''} ${filters.search ?? ''}`,
    query.isSuccess,
  );
  return { query, list };
}

/** Returns the answered orders of a farmer, newest first. */
export function useAnsweredOrders(status: OrderFilters['status'], enabled: boolean) {
  const query = useInfiniteQuery({ ...ordersQuery('received', { status }), enabled });
  const answered = itemsOf(query.data).filter((order) => order.status !== 'pending');
  return { query, list: useLiveOrders(answered, `answered ${status ?? ''}`, query.isSuccess) };
}

/** Returns all orders that wait for the farmer's answer, oldest first. */
export function useWaitingOrders() {
  const query = useInfiniteQuery(waitingOrdersQuery());
  const waiting = itemsOf(query.data).sort(oldestFirst);
  return { query, list: useLiveOrders(waiting, 'waiting', query.isSuccess) };
}

function useLiveOrders(orders: Order[], view: string, ready: boolean) {
  const { data: changed = [] } = useQuery(changedOrdersQuery());
  return useLiveList(orders, { view, ready, changed });
}
