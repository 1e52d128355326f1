import { Loading, Skeleton } from '../../platform/ui/feedback/Skeleton.tsx';

/** The grid of farm cards. */
export const FARMERS_GRID_CLASS = 'grid gap-4 sm:grid-cols-2 lg:grid-cols-3';

/** Farm cards that are being loaded. */
export function FarmerCardSkeletons({ cards }: { cards: number }) {
  return (
    <Loading className={FARMERS_GRID_CLASS}>
      {Array.from({ length: cards }, (_, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
          key={index}
          aria-hidden="true"
          className="overflow-hidden rounded border border-hairline bg-surface"
        >
          <Skeleton className="aspect-2/1 h-auto w-full rounded-none" />
          <div className="grid gap-3 p-4">
            <Skeleton className="h-5 w-3/5" />
            <Skeleton className="w-2/5" />
            <Skeleton className="h-16" />
          </div>
        </div>
      ))}
    </Loading>
  );
}
