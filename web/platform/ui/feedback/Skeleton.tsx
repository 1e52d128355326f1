import type { ReactNode } from 'react';
import { cn } from '../cn.ts';

/** A grey placeholder while content loads. Width and height are set by classes. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cn('skeleton block h-4 w-full', className)} />;
}

/** Announces to screen readers that its content is loading. */
export function Loading({
  label = 'Loading',
  isContinued = false,
  className,
  children,
}: {
  label?: string;
  /** Follows another placeholder: it is there at once, so that nothing blinks. */
  isContinued?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div role="status" className={cn(!isContinued && 'animate-late', className)}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}

/** A placeholder for lines of text. */
export function SkeletonText({ lines = 3, className }: { lines?: number; className?: string }) {
  return (
    <span aria-hidden="true" className={cn('grid gap-2.5', className)}>
      {rangeTo(lines).map((line) => (
        <Skeleton key={line} className={cn('h-3.5', line === lines && lines > 1 && 'w-3/5')} />
      ))}
    </span>
  );
}

/** A placeholder for a `ProductGrid`. */
export function SkeletonCards({ cards = 8 }: { cards?: number }) {
  return (
    <Loading className="grid grid-cols-2 gap-4 md:grid-cols-3 lg:grid-cols-4">
      {rangeTo(cards).map((card) => (
        <div
          key={card}
          aria-hidden="true"
          className="overflow-hidden rounded border border-hairline bg-surface"
        >
          <Skeleton className="aspect-square w-full rounded-none" />
          <div className="grid gap-3 p-4">
            <Skeleton className="h-5 w-3/4" />
            <Skeleton className="w-1/3" />
            <Skeleton className="h-3.5 w-1/2" />
          </div>
        </div>
      ))}
    </Loading>
  );
}

/** A placeholder for the rows of a table or list. */
export function SkeletonRows({ rows = 5, className }: { rows?: number; className?: string }) {
  return (
    <Loading className={cn('divide-y divide-hairline', className)}>
      {rangeTo(rows).map((row) => (
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

const rangeTo = (to: number) => Array.from({ length: to }, (_, index) => index + 1);
