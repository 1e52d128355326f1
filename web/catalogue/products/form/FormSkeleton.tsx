import { Loading, Skeleton } from '../../../platform/ui/feedback/Skeleton.tsx';

/** A placeholder for the product form. */
export function FormSkeleton() {
  return (
    <Loading className="grid gap-5 rounded border border-hairline bg-surface p-5">
      <Skeleton className="h-10 rounded" />
      <Skeleton className="h-32 rounded" />
      <div className="grid gap-5 sm:grid-cols-2">
        <Skeleton className="h-10 rounded" />
        <Skeleton className="h-10 rounded" />
        <Skeleton className="h-10 rounded" />
        <Skeleton className="h-10 rounded" />
      </div>
    </Loading>
  );
}
