import type { ReactNode } from 'react';
import { cn } from './cn.ts';

/** A grey shape of the size of what is coming. Give it width and height by classes. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cn('bone block h-4 w-full', className)} />;
}

/** Says once, to those who cannot see the shapes, that something is loading. */
export function Loading({
  label = 'Loading',
  className,
  children,
}: {
  label?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div role="status" className={cn('animate-late', className)}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}

/** Lines of text to come. */
export function SkeletonText({ lines = 3, className }: { lines?: number; className?: string }) {
  return (
    <span aria-hidden="true" className={cn('grid gap-2.5', className)}>
      {count(lines).map((line) => (
        <Skeleton key={line} className={cn('h-3.5', line === lines && lines > 1 && 'w-3/5')} />
      ))}
    </span>
  );
}

/** A picture card to come: a square, a name, a price, a farm. */
export function SkeletonCard() {
  return (
    <div aria-hidden="true" className="overflow-hidden rounded border border-hairline bg-surface">
      <Skeleton className="aspect-square w-full rounded-none" />
      <div className="grid gap-3 p-4">
        <Skeleton className="h-5 w-3/4" />
        <Skeleton className="w-1/3" />
        <Skeleton className="h-3.5 w-1/2" />
      </div>
    </div>
  );
}

/** A grid of picture cards to come, in the columns that `ProductGrid`s use. */
export function SkeletonCards({ cards = 8, className }: { cards?: number; className?: string }) {
  return (
    <Loading className={cn('grid grid-cols-2 gap-4 md:grid-cols-3 lg:grid-cols-4', className)}>
      {count(cards).map((card) => (
        <SkeletonCard key={card} />
      ))}
    </Loading>
  );
}

/** Rows of a table or list to come. */
export function SkeletonRows({ rows = 5, className }: { rows?: number; className?: string }) {
  return (
    <Loading className={cn('divide-y divide-hairline', className)}>
      {count(rows).map((row) => (
        <div key={row} aria-hidden="true" className="flex items-center gap-4 py-4">
          <Skeleton className="size-10 shrink-0 rounded-full" />
          <span className="grid grow gap-2">
            <Skeleton className="w-2/5" />
            <Skeleton className="h-3 w-3/5" />
          </span>
          <Skeleton className="hidden w-16 sm:block" />
        </div>
      ))}
    </Loading>
  );
}

function count(to: number): number[] {
  return Array.from({ length: to }, (_, index) => index + 1);
}
