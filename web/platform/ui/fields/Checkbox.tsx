import { Check } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../cn.ts';

/** A checkbox with a clickable label. */
export function Checkbox({
  label,
  hint,
  className,
  ...rest
}: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint?: ReactNode }) {
  return (
    <label
      className={cn(
        'inline-flex cursor-pointer items-start gap-2.5 py-1.5 text-sm text-ink',
        'has-disabled:cursor-not-allowed has-disabled:text-ink-faint pointer-coarse:min-h-11',
        'pointer-coarse:items-center',
        className,
      )}
    >
      <span className="relative mt-px inline-grid size-5 shrink-0 place-items-center">
        <input
          {...rest}
          type="checkbox"
          className={cn(
            'peer size-5 cursor-pointer appearance-none rounded-xs border border-outline bg-surface',
            'checked:border-leaf checked:bg-leaf disabled:cursor-not-allowed disabled:bg-sunken',
          )}
        />
        <Check
          aria-hidden="true"
          strokeWidth={3}
          className="pointer-events-none absolute size-3.5 text-on-leaf opacity-0 peer-checked:opacity-100"
        />
      </span>
      <span>
        {label}
        {hint && <span className="block text-ink-soft">{hint}</span>}
      </span>
    </label>
  );
}
