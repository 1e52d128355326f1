import { Loading, Skeleton } from '../../../platform/ui/feedback/states.tsx';

/**
 * The shape of a consumer's orders on the home page, while they or their file are loaded. `isContinued` says that it
 * follows another one.
 */
export function HomeOrdersSkeleton({ isContinued = false }: { isContinued?: boolean }) {
  return (
    <Loading isContinued={isContinued} className="wrap grid gap-6 lg:grid-cols-2">
      {['a', 'b'].map((part) => (
        <div key={part} className="grid gap-2">
          <Skeleton className="h-7 w-40" />
          <Skeleton className="h-32 rounded" />
        </div>
      ))}
    </Loading>
  );
}
