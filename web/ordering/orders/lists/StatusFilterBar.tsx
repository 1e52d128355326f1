import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import { capitalized } from '../../../platform/format/format.ts';
import { useSearchParamChoice } from '../../../platform/hooks/use-search-param.ts';
import { FilterBar } from '../../../platform/ui/lists/FilterBar.tsx';

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

const labels = STATUS_FILTERS.map((value) => ({ value, label: capitalized(value) }));

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
      label="Order status"
      options={labels.map((option) => ({ ...option, count: counts[option.value] }))}
      value={value}
      onChange={onChange}
    />
  );
}
