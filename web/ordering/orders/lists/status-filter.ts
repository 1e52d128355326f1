import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import { useSearchParamChoice } from '../../../platform/hooks/use-search-param.ts';

/** The status filters, in the order of their buttons. */
export const STATUS_FILTERS = [
  'all',
  'pending',
  'accepted',
  'completed',
  'rejected',
  'cancelled',
] as const satisfies readonly ('all' | OrderStatus)[];
export type StatusFilter = (typeof STATUS_FILTERS)[number];

/** Returns the status filter of a list, kept in the URL as `?status=`, and its setter. */
export function useStatusFilter(): [StatusFilter, (filter: StatusFilter) => void] {
  return useSearchParamChoice('status', STATUS_FILTERS, 'all');
}

/** Returns the filter as the API takes it: undefined for all. */
export function statusOf(filter: StatusFilter): OrderStatus | undefined {
  return filter === 'all' ? undefined : filter;
}
