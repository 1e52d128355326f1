import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { ordersApi } from '#contract/ordering/orders/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order, UpdateOrderStatus } from '#contract/ordering/orders/orders';
import { call, dataOf, newId } from '../../platform/api/api.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { paging } from '../../platform/queries/pages.ts';
import { patch } from '../../platform/realtime/reducer.ts';
import { toast, toastError, toastKept } from '../../platform/ui/feedback/toast.ts';
import {
  mergeOrder,
  type OrderFilters,
  type OrderScope,
  ordersKeys,
} from '../model/order-cache.ts';
import { statusUpdated } from './answers/answer-toasts.ts';
import { queueAnswer } from './answers/queued-answers.ts';

/** The page size of order lists. */
const PAGE_SIZE = 24;
/** The server's maximum page size, because a farmer must see all pending orders. */
const WAITING_PAGE_SIZE = 200;

const endpointByScope = {
  mine: ordersApi.placed,
  received: ordersApi.received,
  receivedBySlot: ordersApi.received,
  all: ordersApi.all,
} as const satisfies Record<OrderScope, unknown>;

/**
 * A list of orders, newest first: those the signed-in consumer placed (`mine`), those placed with
 * the signed-in farmer (`received`; `receivedBySlot` by day and time), or every order of the market
 * (`all`, admins).
 */
export const ordersQuery = (scope: OrderScope, filters: OrderFilters = {}, limit = PAGE_SIZE) =>
  infiniteQueryOptions({
    queryKey: ordersKeys.list(scope, filters),
    queryFn: ({ pageParam, signal }) =>
      call(endpointByScope[scope], {
        query: {
          ...filters,
          ...(scope === 'receivedBySlot' ? { sort: 'slot' } : {}),
          limit,
          cursor: pageParam,
        },
        signal,
      }),
    ...paging,
  });

/** The orders that wait for the farmer's answer, in as few pages as possible. */
export const waitingOrdersQuery = () =>
  infiniteQueryOptions({
    ...ordersQuery('received', { status: 'pending' }, WAITING_PAGE_SIZE),
    queryKey: ordersKeys.waiting(),
  });

/** The number of orders that wait for the signed-in farmer's answer, loaded or not. */
export const pendingCountQuery = () =>
  queryOptions({
    queryKey: ordersKeys.pendingCount(),
    queryFn: async ({ signal }) =>
      (await call(ordersApi.pendingCount, { signal })).data.pendingOrders,
  });

/** One order. */
export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ordersKeys.detail(id),
    queryFn: dataOf(ordersApi.detail, { params: { id } }),
  });

/** The orders that changed lately, in their current state; filled by events only. */
export const changedOrdersQuery = () =>
  queryOptions({
    queryKey: ordersKeys.changed(),
    queryFn: (): Order[] => [],
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The figures of the signed-in farmer's whole farm. */
export const farmerStatsQuery = () =>
  queryOptions({
    queryKey: ordersKeys.farmerStats(),
    queryFn: dataOf(ordersApi.farmerStats),
  });

/** Shows a status optimistically, without moving the order between lists. */
function showStatus(cache: QueryClient, { _id, version }: Order, status: OrderStatus): void {
  patch<Order>(cache, ordersKeys.all, _id, (order) =>
    order.version === version ? { ...order, status } : order,
  );
}

/**
 * Changes an order's status optimistically. If the server refuses, the status is reverted and the
 * orders are refetched, because someone else may have changed the order. Without an answer the status is
 * kept and sent again by itself, which is a success too.
 */
export function useUpdateOrderStatus() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ order, ...body }: UpdateOrderStatus & { order: Order }) => {
      // The same when it is sent again: without an answer it may have had its effect.
      const id = newId();
      const params = { id: order._id };
      try {
        return await call(ordersApi.updateStatus, { params, body, idempotencyKey: id });
      } catch (error) {
        if (!(error instanceof ApiError && error.isTemporary)) throw error;
        queueAnswer(order, body, cache, { retryAfter: error.retryAfter, id });
        return null;
      }
    },
    onMutate: ({ order, status }) => showStatus(cache, order, status),
    onSuccess: (answer, { order, status }) => {
      if (answer) {
        mergeOrder(cache, answer.data);
        toast.success(statusUpdated(status));
        return;
      }
      // The screens show the kept answer beside the order as the server knows it.
      showStatus(cache, order, order.status);
      toastKept();
    },
    onError: (error, { order }) => {
      showStatus(cache, order, order.status);
      toastError(error);
      const isConflict = error instanceof ApiError && [403, 404, 409].includes(error.status);
      if (isConflict) void cache.invalidateQueries({ queryKey: ordersKeys.all });
    },
  });
}
