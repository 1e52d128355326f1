import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { slotOf } from '#contract/farm/slots/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { isFoundIn } from '#contract/platform/text/constants/names';
import { isPhoneFound } from '#contract/platform/text/constants/phones';
import { t } from '#contract/platform/text/constants/texts';
import { useSearchParamChoice } from '../../../platform/hooks/use-search-param.ts';
import { itemsOf } from '../../../platform/queries/pages.ts';
import { useLiveList } from '../../../platform/queries/use-live-list.ts';
import { byField } from '../../../platform/realtime/reducer.ts';
import { FilterBar } from '../../../platform/ui/lists/FilterBar.tsx';
import { statusName } from '../../../platform/ui/primitives/Button.tsx';
import { bySlotFrom, type OrderFilters, type OrderScope } from '../../model/order-cache.ts';
import { changedOrdersQuery, ordersQuery, waitingOrdersQuery } from '../queries.ts';

/** The status filters, in the order of their buttons. */
const STATUS_FILTERS = [
  'all',
  'pending',
  'accepted',
  'completed',
  'rejected',
  'cancelled',
] as const satisfies readonly ('all' | OrderStatus)[];
type StatusFilter = (typeof STATUS_FILTERS)[number];

/** Returns the status filter of a list, kept in the URL as `?status=`, and its setter. */
export function useStatusFilter(): [StatusFilter, (filter: StatusFilter) => void] {
  return useSearchParamChoice('status', STATUS_FILTERS, 'all');
}

/** Returns the filter as the API takes it: undefined for all. */
export function statusOf(filter: StatusFilter): OrderStatus | undefined {
  return filter === 'all' ? undefined : filter;
}

/** The status filter of an order list, with the counts that are known. */
export function StatusFilterBar({
  value,
  onChange,
  counts = {},
}: {
  value: StatusFilter;
  onChange: (value: StatusFilter) => void;
  counts?: Partial<Record<StatusFilter, number | undefined>>;
}) {
  return (
    <FilterBar
      label={t('Order status')}
      options={STATUS_FILTERS.map((filter) => ({
        value: filter,
        label: filter === 'all' ? t('All') : statusName(filter),
        count: counts[filter],
      }))}
      value={value}
      onChange={onChange}
    />
  );
}

const oldestFirst = byField('createdAt', 'asc');

/** What a farmer looks for among the received orders. */
type OrderSearch = {
  /** Words of the customer's or a product's name, the customer's phone number, or the start of the order's id. */
  search: string;
  /** The day of pickup or delivery, or empty for any. */
  date: string;
  /** By day and time, from today on. */
  isBySlot: boolean;
  /** `YYYY-MM-DD`. */
  today: string;
};

/** Returns a live list of orders and its query. */
export function useOrderList(scope: OrderScope, filters: OrderFilters) {
  const query = useInfiniteQuery(ordersQuery(scope, filters));
  const list = useLiveOrders(
    itemsOf(query.data),
    JSON.stringify([scope, filters]),
    query.isSuccess,
  );
  return { query, list };
}

/** Returns the answered orders of a farmer, newest first or by day and time. */
export function useAnsweredOrders(
  status: OrderFilters['status'],
  { search, date, isBySlot, today }: OrderSearch,
  enabled: boolean,
) {
  const filters = {
    status,
    ...(isBySlot ? { firstDay: today } : {}),
    ...(search === '' ? {} : { search }),
    ...(date === '' ? {} : { date }),
  };
  const query = useInfiniteQuery({
    ...ordersQuery(isBySlot ? 'receivedBySlot' : 'received', filters),
    enabled,
  });
  const answered = itemsOf(query.data).filter((order) => order.status !== 'pending');
  const view = `answered ${status ?? ''} ${isBySlot} ${date} ${search}`;
  return { query, list: useLiveOrders(answered, view, query.isSuccess) };
}

/** Returns all orders that wait for the farmer's answer, oldest first or by day and time. */
export function useWaitingOrders({ search, date, isBySlot, today }: OrderSearch) {
  const query = useInfiniteQuery(waitingOrdersQuery());
  const all = itemsOf(query.data);
  const waiting = all
    .filter((order) => isFound(order, search) && (date === '' || slotOf(order).date === date))
    .sort(isBySlot ? bySlotFrom(today) : oldestFirst);
  const view = `waiting ${isBySlot} ${date} ${search}`;
  return { query, all, list: useLiveOrders(waiting, view, query.isSuccess) };
}

/** Returns whether the search finds the order, by the rule of the server. */
export function isFound(order: Order, search: string): boolean {
  const names = [order.consumer.name, ...order.items.map(({ product }) => product.name)];
  return (
    isFoundIn(names, search) ||
    isPhoneFound(order.consumer.phone, search) ||
    order._id.startsWith(search.trim().toLowerCase().replace(/^#/, ''))
  );
}

function useLiveOrders(orders: Order[], view: string, ready: boolean) {
  const { data: changed = [] } = useQuery(changedOrdersQuery());
  return useLiveList(orders, { view, ready, changed });
}
