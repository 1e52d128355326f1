import type { OrderSort } from '#contract/ordering/orders/constants';
import type { OrderStatus } from '#contract/platform/orders/constants';

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
