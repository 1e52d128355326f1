import type { OrderStatus } from '#contract/orders';
import { useAddressChoice } from '../lib/use-address.ts';

/** What an order list can be narrowed down to, in the order of its buttons. */
export const STATUS_FILTERS = [
  'all',
  'pending',
  'accepted',
  'completed',
  'rejected',
  'cancelled',
] as const satisfies readonly ('all' | OrderStatus)[];
export type StatusFilter = (typeof STATUS_FILTERS)[number];

/** The status filter of a list, kept in the address as `?status=`. */
export function useStatusFilter(): [StatusFilter, (filter: StatusFilter) => void] {
  return useAddressChoice('status', STATUS_FILTERS, 'all');
}

/** The filter as the API takes it: nothing for all. */
export function statusOf(filter: StatusFilter): OrderStatus | undefined {
  return filter === 'all' ? undefined : filter;
}
