import { Minus, Plus } from 'lucide-react';
import { type ChangeEvent, type KeyboardEvent, useState } from 'react';
import { QUANTITY_MAX } from '#contract/constants/products';
import {
  isOffered,
  minimumOf,
  nearestOffered,
  type Steps,
  stepOf,
  stepsFrom,
} from '#contract/constants/steps';
import { parseDecimal } from '../../lib/decimal.ts';
import { cn } from '../cn.ts';
import { useFieldAttributes } from './Field.tsx';

/**
 * A quantity of goods with minus and plus buttons, which go by the step in which they are sold. A typed value becomes
 * the nearest one that can be ordered on blur, so that the input can be empty while typing.
 */
export function QuantityInput({
  value,
  onChange,
  label,
  steps = {},
  max = QUANTITY_MAX,
  fromZero = false,
  disabled = false,
  className,
}: {
  value: number;
  onChange: (value: number) => void;
  /** The accessible name, also part of the names of the buttons. */
  label: string;
  /** How the goods are sold; in whole units unless given. */
  steps?: Steps;
  /** The largest quantity that can be ordered. */
  max?: number | undefined;
  /** Whether none at all can be chosen too. */
  fromZero?: boolean;
  disabled?: boolean;
  className?: string;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const min = fromZero ? 0 : minimumOf(steps);
  const isWhole = Number.isInteger(stepOf(steps));
  const move = (count: 1 | -1) => {
    setDraft(null);
    onChange(Math.max(min, Math.min(max, stepsFrom(value, count, steps))));
  };
  const type = (event: ChangeEvent<HTMLInputElement>) => {
    setDraft(event.target.value);
    const number = parseDecimal(event.target.value);
    const isNone = fromZero && number === 0;
    if (isNone || (number <= max && isOffered(number, steps))) onChange(number);
  };
  const commitDraft = () => {
    if (draft === null) return;
    const number = parseDecimal(draft);
    const nearest = nearestOffered(number, { ...steps, quantityAvailable: Math.max(min, max) });
    if (!Number.isNaN(number)) onChange(fromZero && number <= 0 ? 0 : nearest);
    setDraft(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') commitDraft();
    // A number input does this by itself.
    if (isWhole || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    move(event.key === 'ArrowUp' ? 1 : -1);
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
        onClick={() => move(-1)}
        className={cn(side, 'border-r border-hairline')}
      >
        <Minus aria-hidden="true" className="size-4" />
      </button>
      <input
        {...useFieldAttributes()}
        {...(isWhole
          ? { type: 'number', inputMode: 'numeric', min, max, step: stepOf(steps) }
          : {
              // In a number input some browsers make 15 of '1,5'.
              type: 'text',
              inputMode: 'decimal',
              autoComplete: 'off',
              role: 'spinbutton',
              'aria-valuenow': value,
              'aria-valuemin': min,
              'aria-valuemax': max,
            })}
        aria-label={label}
        data-quiet-focus=""
        disabled={disabled}
        value={draft ?? String(value)}
        onChange={type}
        onBlur={commitDraft}
        onKeyDown={onKeyDown}
        className="tabular w-14 self-stretch bg-transparent text-center text-base outline-none disabled:text-ink-faint"
      />
      <button
        type="button"
        data-quiet-focus=""
        aria-label={`One more: ${label}`}
        disabled={disabled || value >= max}
        onClick={() => move(1)}
        className={cn(side, 'border-l border-hairline')}
      >
        <Plus aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
}
