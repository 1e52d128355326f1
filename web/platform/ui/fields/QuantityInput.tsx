import { Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { quantityLimits, stepsFrom } from '#contract/platform/quantities/constants/step-fields';
import {
  isOffered,
  minimumOf,
  nearestOffered,
  type Steps,
} from '#contract/platform/quantities/constants/steps';
import { QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import { t } from '#contract/platform/text/constants/texts';
import { readTyped, writeTyped } from '#contract/platform/text/constants/typed-numbers';
import { cn } from '../cn.ts';
import { useFieldAttributes } from './Field.tsx';
import { NumberQuestion, onArrows, spinButton } from './NumberInput.tsx';

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
  const limits = quantityLimits(steps, max);
  const move = (count: 1 | -1) => {
    setDraft(null);
    onChange(Math.max(min, Math.min(max, stepsFrom(value, count, steps))));
  };
  const type = (text: string) => {
    setDraft(text);
    const number = readTyped(text, limits).value;
    const isNone = fromZero && number === 0;
    if (isNone || (number <= max && isOffered(number, steps))) onChange(number);
  };
  const commit = (text: string) => {
    const { value: number, question } = readTyped(text, limits);
    if (question) return;
    const nearest = nearestOffered(number, { ...steps, quantityAvailable: Math.max(min, max) });
    if (!Number.isNaN(number)) onChange(fromZero && number <= 0 ? 0 : nearest);
    setDraft(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && draft !== null) commit(draft);
    onArrows(move)(event);
  };
  return (
    <div className="grid w-fit gap-1">
      <Stepper
        label={label}
        onStep={move}
        isLeast={disabled || value <= min}
        isMost={disabled || value >= max}
        className={className}
      >
        <input
          {...useFieldAttributes()}
          {...spinButton(value, { ...limits, min, max })}
          aria-label={label}
          data-quiet-focus=""
          disabled={disabled}
          value={draft ?? writeTyped(value)}
          onChange={(event) => type(event.target.value)}
          onBlur={() => draft !== null && commit(draft)}
          onKeyDown={onKeyDown}
          className="tabular w-14 self-stretch bg-transparent text-center text-base outline-none disabled:text-ink-faint"
        />
      </Stepper>
      <NumberQuestion text={draft ?? ''} onText={commit} limits={limits} />
    </div>
  );
}

/** A field of a number, as its child, between buttons for one less and one more. */
export function Stepper({
  label,
  onStep,
  isLeast,
  isMost = false,
  className,
  children,
}: {
  /** Part of the names of the buttons. */
  label: string;
  onStep: (count: 1 | -1) => void;
  isLeast: boolean;
  isMost?: boolean;
  className?: string | undefined;
  children: ReactNode;
}) {
  const button = (count: 1 | -1, name: string, disabled: boolean) => (
    <button
      type="button"
      data-quiet-focus=""
      aria-label={`${name}: ${label}`}
      disabled={disabled}
      onClick={() => onStep(count)}
      className={cn(
        'grid w-10 shrink-0 place-items-center self-stretch border-hairline text-leaf hover:bg-leaf-soft',
        'disabled:cursor-not-allowed disabled:text-ink-faint disabled:hover:bg-transparent pointer-coarse:w-11',
        count < 0 ? 'border-e' : 'border-s',
      )}
    >
      {count < 0 ? <Minus className="size-4" /> : <Plus className="size-4" />}
    </button>
  );
  return (
    <div
      className={cn(
        'inline-flex min-h-10 w-fit shrink-0 items-center overflow-hidden rounded border border-outline bg-surface pointer-coarse:min-h-[calc(2.75rem+2px)]',
        'focus-within:outline-2 focus-within:outline-leaf focus-within:outline-offset-1',
        className,
      )}
    >
      {button(-1, t('One less'), isLeast)}
      {children}
      {button(1, t('One more'), isMost)}
    </div>
  );
}
