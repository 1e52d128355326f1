import { capitalized } from '../../../platform/format/format.ts';
import { FilterBar } from '../../../platform/ui/lists/FilterBar.tsx';
import { STATUS_FILTERS, type StatusFilter } from './status-filter.ts';

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
