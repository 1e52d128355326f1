import { X } from 'lucide-react';
import type { FilterName, SetFilter } from './filters.ts';

/** The filters that are set; pressing one removes it. */
export function FilterChips({
  filters,
  onRemove,
}: {
  filters: readonly SetFilter[];
  onRemove: (names: readonly FilterName[]) => void;
}) {
  if (filters.length === 0) return null;
  return (
    <ul aria-label="Chosen" className="needs-scripts flex flex-wrap gap-2">
      {filters.map(({ label, names }) => (
        <li key={names.join()}>
          <button
            type="button"
            aria-label={`Remove ${label}`}
            onClick={() => onRemove(names)}
            className="inline-flex min-h-9 items-center gap-1.5 rounded-full bg-leaf-soft px-3.5 py-1 text-sm font-medium text-leaf-ink hover:bg-sunken pointer-coarse:min-h-11"
          >
            {label}
            <X aria-hidden="true" className="size-4" />
          </button>
        </li>
      ))}
    </ul>
  );
}
