import type { ComponentProps } from 'react';
import { SLOT_CAPACITY_MAX } from '#contract/constants/slots';
import { Input } from './primitives/Input.tsx';

/** An input for how many orders a slot takes; empty for any number. */
export function CapacityInput(props: ComponentProps<'input'>) {
  return (
    <Input
      type="number"
      inputMode="numeric"
      min={1}
      max={SLOT_CAPACITY_MAX}
      step={1}
      placeholder="No limit"
      {...props}
    />
  );
}
