import { type ComponentProps, type KeyboardEvent, useEffect, useRef } from 'react';
import { stepsFrom } from '#contract/constants/steps';
import { parseDecimal } from '../../lib/decimal.ts';
import { Input } from './Input.tsx';

type Props = Omit<ComponentProps<'input'>, 'type' | 'inputMode' | 'role' | 'step' | 'ref'> & {
  /** What the arrow keys add or take away. */
  step?: number;
  ref?: (input: HTMLInputElement | null) => void;
};

/**
 * An input for a number with decimals, with a dot or a comma. Not of the type `number`, in which some browsers drop the
 * comma of '1,5' and keep 15. What is typed is read by `parseDecimal`; in a form, register it with `decimalField`.
 */
export function DecimalInput({ step = 1, min, ref, ...props }: Props) {
  const input = useRef<HTMLInputElement>(null);
  // Forms set the value of the element without rendering it.
  const syncValueNow = () => {
    const value = parseDecimal(input.current?.value ?? '');
    if (Number.isNaN(value)) input.current?.removeAttribute('aria-valuenow');
    else input.current?.setAttribute('aria-valuenow', String(value));
  };
  useEffect(syncValueNow);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const count = event.key === 'ArrowUp' ? 1 : -1;
    const next = stepsFrom(parseDecimal(event.currentTarget.value) || 0, count, { step });
    enter(event.currentTarget, String(Math.max(Number(min ?? next), next)));
  };
  return (
    <Input
      autoComplete="off"
      {...props}
      ref={(element) => {
        input.current = element;
        ref?.(element);
      }}
      type="text"
      inputMode="decimal"
      role="spinbutton"
      aria-valuemin={min === undefined ? undefined : Number(min)}
      min={min}
      step={step}
      onInput={syncValueNow}
      onKeyDown={onKeyDown}
    />
  );
}

/** Sets what an input holds as if it were typed: React does not notice what is assigned to `value`. */
function enter(input: HTMLInputElement, text: string): void {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
  set?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
