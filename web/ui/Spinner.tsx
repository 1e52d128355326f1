import { LoaderCircle } from 'lucide-react';
import { cn } from './cn.ts';

/** A small turning wheel. It is decoration: say in words, near it, what is going on. */
export function Spinner({ className }: { className?: string }) {
  return (
    <LoaderCircle
      aria-hidden="true"
      className={cn('size-5 shrink-0 animate-spin motion-reduce:animate-none', className)}
    />
  );
}

/** Fills the page while nothing else can be shown. Appears only when the wait is noticeable. */
export function FullPageSpinner({ label = 'Loading' }: { label?: string }) {
  return (
    <div role="status" className="grid min-h-[60dvh] place-items-center text-leaf animate-late">
      <Spinner className="size-9" />
      <span className="sr-only">{label}</span>
    </div>
  );
}
