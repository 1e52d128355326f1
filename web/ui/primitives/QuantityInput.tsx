import { Minus, Plus } from 'lucide-react';
import { type ChangeEvent, useState } from 'react';
import { cn } from '../cn.ts';
import { useFieldAttributes } from './Field.tsx';

/**
 * A number input with minus and plus buttons. A typed value is clamped to `min` and `max` on blur, so
 * that the input can be empty while typing.
 */
export function QuantityInput({
  value,
  onChange,
  label,
  min = 1,
  max,
  disabled = false,
  className,
}: {
  value: number;
  onChange: (value: number) => void;
  /** The accessible name, also part of the names of the buttons. */
  label: string;
  min?: number;
  max?: number | undefined;
  disabled?: boolean;
  className?: string;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const clamp = (wanted: number) => Math.max(min, Math.min(max ?? Number.MAX_SAFE_INTEGER, wanted));
  const step = (by: number) => {
    setDraft(null);
    onChange(clamp(value + by));
  };
  const type = (event: ChangeEvent<HTMLInputElement>) => {
    const text = event.target.value;
    setDraft(text);
    const number = Number(text);
    if (text !== '' && Number.isInteger(number) && clamp(number) === number) onChange(number);
  };
  const commitDraft = () => {
    if (draft === null) return;
    const number = Math.round(Number(draft));
    if (draft.trim() !== '' && Number.isFinite(number)) onChange(clamp(number));
    setDraft(null);
  };
  const side = cn(
    'grid w-10 shrink-0 place-items-center self-stretch text-leaf hover:bg-leaf-soft',
    'disabled:cursor-not-allowed disabled:text-ink-faint disabled:hover:bg-transparent pointer-coarse:w-11',
  );
  return (
    <div
      className={cn(
        'inline-flex w-fit min-h-10 items-center overflow-hidden rounded border border-outline bg-surface pointer-coarse:min-h-[calc(2.75rem+2px)]',
        'focus-within:outline-2 focus-within:outline-leaf focus-within:outline-offset-1',
        className,
      )}
    >
      <button
        type="button"
        data-quiet-focus=""
        aria-label={`One less: ${label}`}
        disabled={disabled || value <= min}
        onClick={() => step(-1)}
        className={cn(side, 'border-r border-hairline')}
      >
        <Minus aria-hidden="true" className="size-4" />
      </button>
      <input
        {...useFieldAttributes()}
        type="number"
        inputMode="numeric"
        aria-label={label}
        data-quiet-focus=""
        min={min}
        max={max}
        step={1}
        disabled={disabled}
        value={draft ?? String(value)}
        onChange={type}
        onBlur={commitDraft}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commitDraft();
        }}
        className="tabular w-14 self-stretch bg-transparent text-center text-base outline-none disabled:text-ink-faint"
      />
      <button
        type="button"
        data-quiet-focus=""
        aria-label={`One more: ${label}`}
        disabled={disabled || (max !== undefined && value >= max)}
        onClick={() => step(1)}
        className={cn(side, 'border-l border-hairline')}
      >
        <Plus aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
}
