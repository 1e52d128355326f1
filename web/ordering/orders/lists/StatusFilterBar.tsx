import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { slotOf } from '#contract/farm/slots/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { isFoundIn } from '#contract/platform/text/constants/names';
import { isPhoneFound } from '#contract/platform/text/constants/phones';
import { t } from '#contract/platform/text/constants/texts';
import { ApiError } from '../../../platform/api/api-error.ts';
import { useSearchParamChoice } from '../../../platform/hooks/use-search-param.ts';
import { itemsOf, type Pages } from '../../../platform/queries/pages.ts';
import { useLiveList } from '../../../platform/queries/use-live-list.ts';
import { byField } from '../../../platform/realtime/reducer.ts';
import { FilterBar } from '../../../platform/ui/lists/FilterBar.tsx';
import { statusName } from '../../../platform/ui/primitives/Button.tsx';
import {
  belongs,
  bySlotFrom,
  newestFirst,
  type OrderFilters,
  type OrderScope,
  ordersKeys,
} from '../../model/order-cache.ts';
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
  const known = useKnownOrders(query, [scope], filters);
  const list = useLiveOrders(
    known ?? itemsOf(query.data),
    JSON.stringify([scope, filters]),
    query.isSuccess,
  );
  return { query, list, isKnownOnly: known !== undefined };
}

/**
 * Returns what is known of a list that was not read yet while the market cannot be reached: the orders of other lists
 * of these scopes that belong in it. Undefined where nothing is, or the server alone knows what does.
 */
function useKnownOrders(
  { data, error }: { data: unknown; error: Error | null },
  scopes: readonly OrderScope[],
  { firstDay: _, search = '', ...filters }: OrderFilters,
): Order[] | undefined {
  const cache = useQueryClient();
  if (data || !(error instanceof ApiError && error.isOffline)) return undefined;
  const all = scopes.flatMap((scope) =>
    cache
      .getQueriesData<Pages<Order>>({ queryKey: ordersKeys.lists(scope) })
      .flatMap(([, pages]) => itemsOf(pages)),
  );
  const known = [...new Map(all.map((order) => [order._id, order])).values()].filter(
    (order) => belongs(order, filters) && isFound(order, search),
  );
  return known.length > 0 ? known.sort(newestFirst) : undefined;
}

/** Says that a list has only what was read before. */
export const KnownOnly = () => (
  <p className="mb-3 text-sm text-ink-soft">
    {t('No answer from the market. These are the orders that this device knows.')}
  </p>
);

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
  const known = useKnownOrders(query, ['received', 'receivedBySlot'], filters);
  if (isBySlot) known?.sort(bySlotFrom(today));
  const answered = (known ?? itemsOf(query.data)).filter((order) => order.status !== 'pending');
  const view = `answered ${status ?? ''} ${isBySlot} ${date} ${search}`;
  const list = useLiveOrders(answered, view, query.isSuccess);
  return { query, list, isKnownOnly: known !== undefined };
}

/** Returns all orders that wait for the farmer's answer, oldest first or by day and time. */
export function useWaitingOrders({ search, date, isBySlot, today }: OrderSearch) {
  const query = useInfiniteQuery(waitingOrdersQuery());
  const all = itemsOf(query.data);
  const waiting = all
    .filter((order) => isFound(order, search) && (date === '' || slotOf(order).date === date))
    .sort(isBySlot ? bySlotFrom(today) : oldestFirst);
  const view = `waiting ${isBySlot} ${date} ${search}`;
  return { query, all, list: useLiveOrders(waiting, view, query.isSuccess), isKnownOnly: false };
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
