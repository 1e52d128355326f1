import type { ComponentProps } from 'react';
import { cn } from '../cn.ts';
import { useFieldAttributes } from './Field.tsx';
import { controlClass, readOnlyClass } from './Input.tsx';

/** A multi-line text input that grows with its text in browsers with `field-sizing`. */
export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...useFieldAttributes()}
      rows={rows}
      {...rest}
      className={cn(
        controlClass,
        readOnlyClass,
        'max-h-96 min-h-24 resize-y field-sizing-content',
        className,
      )}
    />
  );
}
