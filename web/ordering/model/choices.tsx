import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../../platform/ui/cn.ts';

/**
 * A radio button as a card, at least 44 px high. One that cannot be chosen any more is greyed but keeps its
 * place and the focus; choosing it calls `onRefused`.
 */
export function ChoiceCard({
  name,
  value,
  label,
  note,
  isChosen,
  isAvailable = true,
  onChoose,
  onRefused,
}: {
  /** The group it belongs to. */
  name: string;
  value?: string;
  label: ReactNode;
  /** A few words below the label. */
  note?: ReactNode;
  isChosen: boolean;
  isAvailable?: boolean;
  onChoose: () => void;
  onRefused?: () => void;
}) {
  return (
    <label
      className={cn(
        // Relative, so that the hidden input is where its card is when it takes the focus.
        'relative grid min-h-11 cursor-pointer content-center rounded border border-outline bg-surface px-3 py-2 text-sm transition-colors duration-200',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-leaf',
        isChosen && 'border-leaf bg-leaf-soft text-leaf-ink forced-colors:border-[Highlight]',
        !isAvailable && 'cursor-not-allowed border-hairline bg-sunken text-ink-soft',
      )}
    >
      <input
        type="radio"
        name={name}
        value={value}
        checked={isChosen}
        // Not `disabled`, which would lose the focus when somebody else is quicker.
        aria-disabled={!isAvailable || undefined}
        onChange={() => (isAvailable ? onChoose() : onRefused?.())}
        className="sr-only top-1/2 inset-s-1/2"
      />
      <span className={cn('font-medium', !isAvailable && 'line-through decoration-1')}>
        {label}
      </span>
      {note && <span className="text-xs">{note}</span>}
    </label>
  );
}

/** A radio button with its label in a row of its own. */
export const RadioRow = ({ children, ...input }: ComponentProps<'input'>) => (
  <label className="flex min-h-11 cursor-pointer items-center gap-3 rounded border border-hairline px-3 has-checked:border-leaf has-checked:bg-leaf-soft has-disabled:cursor-not-allowed has-disabled:text-ink-faint has-focus-visible:outline-2 has-focus-visible:outline-leaf">
    <input {...input} type="radio" data-quiet-focus="" className="size-4 shrink-0 accent-leaf" />
    {children}
  </label>
);
