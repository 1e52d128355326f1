import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { ErrorState } from '../platform/ui/feedback/ErrorState.tsx';
import { LoadMore } from '../platform/ui/lists/LoadMore.tsx';
import type { PagedQuery } from '../platform/ui/lists/PagedList.tsx';

/** Shows what was fetched, its skeleton, or why it failed. What is there stays, whatever a later fetch does. */
export function Fetched<Data>({
  query: { data, error, refetch, isFetching },
  skeleton,
  errorClass,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'isFetching'>;
  skeleton: ReactNode;
  errorClass?: string;
  children: (data: Data) => ReactNode;
}) {
  if (data !== undefined) return children(data);
  if (!error) return skeleton;
  return (
    <ErrorState
      error={error}
      onRetry={refetch}
      pending={isFetching}
      {...(errorClass && { className: errorClass })}
    />
  );
}

/** Loads the next page of a list. */
export const NextPage = ({
  query,
  ...rest
}: { query: PagedQuery } & Pick<ComponentProps<typeof LoadMore>, 'href'>) => (
  <LoadMore
    hasMore={query.hasNextPage}
    pending={query.isFetchingNextPage}
    failed={query.isFetchNextPageError}
    onMore={query.fetchNextPage}
    {...rest}
  />
);
