import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from '../cn.ts';
import { useFieldAttributes } from './Field.tsx';
import { controlClass } from './Input.tsx';

/** A native select. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block min-w-0">
      <select
        {...useFieldAttributes()}
        {...rest}
        className={cn(controlClass, 'cursor-pointer appearance-none pr-9', className)}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute right-3 top-1/2 size-4 -translate-y-1/2 text-ink-soft"
      />
    </span>
  );
}
