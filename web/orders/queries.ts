import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { FarmerStats, Order, OrderStatus, UpdateOrderStatus } from '#contract/orders';
import { type Answer, api, type ListAnswer } from '../lib/api.ts';
import { ApiError } from '../lib/api-error.ts';
import { paging } from '../lib/pages.ts';
import { patch } from '../realtime/reducer.ts';
import { toast, toastError } from '../ui/toast.ts';
import { CHANGED_ORDERS_KEY, mergeOrder, type OrderFilters, type OrderScope } from './merge.ts';

/** How many orders a list loads at once. */
const PAGE = 24;
/** The most the server gives at once, for the list a farmer must see whole. */
const WHOLE = 200;

const paths: Record<OrderScope, string> = {
  mine: '/orders/consumer',
  received: '/orders/farmer',
  all: '/orders',
};

/**
 * A list of orders, newest first: those the signed-in consumer placed (`mine`), those placed with
 * the signed-in farmer (`received`), or every order of the market (`all`, admins).
 */
export const ordersQuery = (scope: OrderScope, filters: OrderFilters = {}) =>
  infiniteQueryOptions({
    queryKey: ['orders', scope, filters] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<ListAnswer<Order>>(paths[scope], {
        query: { ...filters, limit: PAGE, cursor: pageParam },
        signal,
      }),
    ...paging,
  });

/** What waits for the farmer's answer, in as few parts as possible. */
export const waitingOrdersQuery = () =>
  infiniteQueryOptions({
    queryKey: ['orders', 'received', { status: 'pending', whole: true }] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<ListAnswer<Order>>(paths.received, {
        query: { status: 'pending', limit: WHOLE, cursor: pageParam },
        signal,
      }),
    ...paging,
  });

/** One order. */
export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'detail', id] as const,
    queryFn: async ({ signal }) =>
      (await api.get<Answer<Order>>(`/orders/${encodeURIComponent(id)}`, { signal })).data,
  });

/** The orders that changed lately, as they are now; events alone tell it. */
export const changedOrdersQuery = () =>
  queryOptions({
    queryKey: CHANGED_ORDERS_KEY,
    queryFn: (): Order[] => [],
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The figures of the signed-in farmer's whole farm. */
export const farmerStatsQuery = () =>
  queryOptions({
    queryKey: ['orders', 'farmer-stats'] as const,
    queryFn: async ({ signal }) =>
      (await api.get<Answer<FarmerStats>>('/orders/stats/farmer', { signal })).data,
  });

/** Shows a status before the server has said so; no order moves between lists by it. */
function showStatus(cache: QueryClient, { _id, version }: Order, status: OrderStatus): void {
  patch<Order>(cache, ['orders'], _id, (order) =>
    order.version === version ? { ...order, status } : order,
  );
}

/**
 * Changes an order's status. It shows at once, and is taken back when the server refuses: then the
 * orders are fetched again, since somebody else was perhaps quicker.
 */
export function useUpdateOrderStatus() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ order, ...body }: UpdateOrderStatus & { order: Order }) =>
      api.put<Answer<Order>>(`/orders/${order._id}`, body),
    onMutate: ({ order, status }) => showStatus(cache, order, status),
    onSuccess: ({ data }, { status }) => {
      mergeOrder(cache, data);
      toast.success(`Order status updated to ${status}`);
    },
    onError: (error, { order }) => {
      showStatus(cache, order, order.status);
      toastError(error);
      const overtaken = error instanceof ApiError && [403, 404, 409].includes(error.status);
      if (overtaken) void cache.invalidateQueries({ queryKey: ['orders'] });
    },
  });
}
