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
