import type { ComponentProps } from 'react';
import { cn } from './cn.ts';
import { useFieldWiring } from './Field.tsx';
import { controlClass, readOnlyClass } from './Input.tsx';

/** Several lines to type in; grows with what is written where the browser can. */
export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...useFieldWiring()}
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
