import type { ComponentProps } from 'react';
import { cn } from '../cn.ts';
import { useFieldAttributes } from './Field.tsx';

/** The classes shared by all form controls. Phones zoom into controls with text below 16 px. */
export const controlClass = cn(
  'w-full min-w-0 min-h-10 rounded border border-outline bg-surface px-3 py-2 text-base text-ink',
  'transition-colors hover:border-ink-soft',
  'focus-visible:outline-2 focus-visible:outline-leaf focus-visible:outline-offset-1',
  'aria-invalid:border-tomato aria-invalid:bg-tomato-soft/40',
  'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-faint',
  'pointer-coarse:min-h-11 sm:text-sm pointer-coarse:text-base',
);

/** The classes of read-only controls. Not for a `<select>`, which always matches `:read-only`. */
export const readOnlyClass = 'read-only:bg-sunken read-only:text-ink-soft';

/** A single-line text input, labelled by its `Field`. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      {...useFieldAttributes()}
      {...rest}
      className={cn(controlClass, readOnlyClass, className)}
    />
  );
}

/** An input for an email address, which no keyboard capitalizes or corrects. */
export function EmailInput(props: ComponentProps<'input'>) {
  return <Input {...props} type="email" autoCapitalize="none" spellCheck={false} />;
}
