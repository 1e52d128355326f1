import type { ComponentProps } from 'react';
import { Input } from './Input.tsx';

/**
 * A text input for a number with decimals, with a dot or a comma. Not of the type `number`, in which some browsers drop
 * the comma of '1,5' and keep 15. What is typed is read by `parseDecimal`; in a form, register it with `decimalField`.
 */
export function DecimalInput(props: Omit<ComponentProps<'input'>, 'type' | 'inputMode'>) {
  return <Input autoComplete="off" {...props} type="text" inputMode="decimal" />;
}
