import { LoaderCircle } from 'lucide-react';
import { cn } from '../cn.ts';

/** A decorative spinner; a text nearby must say what is loading. */
export function Spinner({ className }: { className?: string }) {
  return (
    <LoaderCircle
      aria-hidden="true"
      className={cn('size-5 shrink-0 animate-spin motion-reduce:animate-none', className)}
    />
  );
}

/** Fills the page while it loads. Appears after a short delay. */
export function FullPageSpinner({ label = 'Loading' }: { label?: string }) {
  return (
    <div role="status" className="grid min-h-[60dvh] place-items-center text-leaf animate-late">
      <Spinner className="size-9" />
      <span className="sr-only">{label}</span>
    </div>
  );
}
