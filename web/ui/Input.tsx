import type { ComponentProps } from 'react';
import { cn } from './cn.ts';
import { useFieldWiring } from './Field.tsx';

/** The shape shared by everything one types or chooses in. 16 px text keeps phones from zooming. */
export const controlClass = cn(
  'w-full min-w-0 min-h-10 rounded border border-outline bg-surface px-3 py-2 text-base text-ink',
  'transition-colors hover:border-ink-soft',
  'focus-visible:outline-2 focus-visible:outline-leaf focus-visible:outline-offset-1',
  'aria-invalid:border-tomato aria-invalid:bg-tomato-soft/40',
  'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-faint',
  'pointer-coarse:min-h-11 sm:text-sm pointer-coarse:text-base',
);

/** What one may read and copy but not change. Not for a `<select>`, which browsers call read-only. */
export const readOnlyClass = 'read-only:bg-sunken read-only:text-ink-soft';

/** A single line to type in. Inside a `Field` it is labelled and described by it. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input {...useFieldWiring()} {...rest} className={cn(controlClass, readOnlyClass, className)} />
  );
}
