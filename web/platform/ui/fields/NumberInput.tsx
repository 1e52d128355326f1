import type { ComponentProps, KeyboardEvent } from 'react';
import { stepsFrom } from '#contract/platform/quantities/constants/step-fields';
import { formatCount } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import {
  type NumberLimits,
  readTyped,
  writeTyped,
} from '#contract/platform/text/constants/typed-numbers';
import { Input } from './Field.tsx';

type Typed = {
  /** What the field holds, as it was typed or as `writeTyped` writes it. */
  text: string;
  onText: (text: string) => void;
  limits?: NumberLimits | undefined;
};

type NumberInputProps = Typed &
  Omit<ComponentProps<'input'>, 'type' | 'role' | 'step' | 'min' | 'max' | 'value' | 'onChange'> & {
    /** What the arrow keys add or take away. */
    step?: number;
  };

/**
 * An input for a number, which the caller reads by `readTyped` with the same limits. It is a text field, because
 * browsers read a number field by their own language, and only in Latin digits.
 */
export function NumberInput({ text, onText, limits = {}, step = 1, ...props }: NumberInputProps) {
  const { value, question } = readTyped(text, limits);
  const { min, max } = limits;
  const onKeyDown = onArrows((count) => {
    const next = stepsFrom(value || 0, count, { step });
    const atLeast = Math.max(min ?? next, next);
    onText(writeTyped(Math.min(max ?? atLeast, atLeast)));
  });
  return (
    <>
      <Input
        {...spinButton(value, limits)}
        {...props}
        {...(question && { 'aria-invalid': true })}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <NumberQuestion text={text} onText={onText} limits={limits} />
    </>
  );
}

const keyboardOf = (decimals: number | undefined) => (decimals === 0 ? 'numeric' : 'decimal');

/** Returns the attributes of a text field with this number; NaN for none. */
export const spinButton = (value: number, { decimals, min, max }: NumberLimits) =>
  ({
    type: 'text',
    // Phones have no minus on the keyboards of digits.
    inputMode: (min ?? 0) < 0 ? 'text' : keyboardOf(decimals),
    autoComplete: 'off',
    role: 'spinbutton',
    'aria-valuenow': Number.isNaN(value) ? undefined : value,
    'aria-valuemin': min,
    'aria-valuemax': max,
  }) as const;

/** Returns the handler of the keys that count up and down. */
export const onArrows = (move: (count: 1 | -1) => void) => (event: KeyboardEvent) => {
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
  event.preventDefault();
  move(event.key === 'ArrowUp' ? 1 : -1);
};

/** Asks which of two numbers a field's text is, where only the less likely one fits the field. */
export function NumberQuestion({ text, onText, limits }: Typed) {
  const { question } = readTyped(text, limits);
  if (!question) return null;
  return (
    <span
      role="alert"
      className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-tomato-ink"
    >
      <span>
        {t('Is it {typed} or {other}?', {
          typed: formatCount(question[0]),
          other: formatCount(question[1]),
        })}
      </span>
      {question.map((number) => (
        <button
          key={number}
          type="button"
          // The field keeps the focus: what it does when it is left could move this button from under the pointer.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onText(writeTyped(number))}
          className="needs-scripts tabular min-h-8 rounded border border-outline bg-surface px-2.5 font-medium text-ink hover:bg-sunken pointer-coarse:min-h-11"
        >
          {formatCount(number)}
        </button>
      ))}
    </span>
  );
}
