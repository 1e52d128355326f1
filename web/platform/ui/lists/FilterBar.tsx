import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { cn } from '../cn.ts';

/** A row of toggle buttons of which one is selected. Where it does not fit it scrolls to the selected one. */
export function FilterBar<Value extends string>({
  label,
  options,
  value,
  onChange,
  className,
}: {
  /** The accessible name. */
  label: string;
  options: readonly { value: Value; label: ReactNode; count?: number | undefined }[];
  value: Value;
  onChange: (value: Value) => void;
  className?: string;
}) {
  // Counts that arrive later make the buttons wider.
  const counts = options.map(({ count }) => count).join();
  const row = useShownChoice('[aria-pressed="true"]', `${value} ${counts}`);
  return (
    <fieldset data-print="hide" className={cn('needs-scripts min-w-0', className)}>
      <legend className="sr-only">{label}</legend>
      <div ref={row} className="-mx-1 flex gap-2 overflow-x-auto px-1 py-1 [scrollbar-width:none]">
        {options.map((option) => (
          <button
            key={option.value}
            type="button"
            aria-pressed={option.value === value}
            onClick={() => onChange(option.value)}
            className={cn(
              'min-h-9 shrink-0 rounded-full border border-outline bg-surface px-4 py-1.5 text-sm font-medium text-ink-soft',
              'transition-colors hover:bg-sunken hover:text-ink pointer-coarse:min-h-11',
              'aria-pressed:border-leaf aria-pressed:bg-leaf aria-pressed:text-on-leaf',
            )}
          >
            {option.label}
            {option.count !== undefined && (
              <span className="tabular ms-1.5 inline-block text-xs opacity-85">{option.count}</span>
            )}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/**
 * Scrolls a row so that its selected part can be seen, when `changed` does. Only the row scrolls:
 * `scrollIntoView` would move the page too.
 * @param selector finds the selected part
 * @param changed what the selection or the width of the row's parts follows from
 * @returns the ref of the row
 */
export function useShownChoice(
  selector: string,
  changed: string,
): RefObject<HTMLDivElement | null> {
  const row = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selected part is read from the page.
  useEffect(() => {
    const box = row.current;
    const selected = box?.querySelector<HTMLElement>(selector);
    if (!box || !selected) return;
    const [own, its] = [box.getBoundingClientRect(), selected.getBoundingClientRect()];
    if (its.left < own.left || its.right > own.right) {
      box.scrollLeft += its.left - own.left - (own.width - its.width) / 2;
    }
  }, [selector, changed]);
  return row;
}
