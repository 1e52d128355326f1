import type { ReactNode } from 'react';
import { ErrorState } from '../feedback/ErrorState.tsx';
import { LoadMore } from './LoadMore.tsx';

/** What a list needs of an infinite query. */
export type PagedQuery = {
  error: Error | null;
  isPending: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  hasNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
};

/**
 * Shows a list that is loaded page by page: its skeleton, why it failed, what stands for an empty one, or
 * its items. Items that are there stay, whatever a later page does.
 */
export function PagedList<Item>({
  query,
  items,
  skeleton,
  empty,
  more,
  children,
}: {
  query: PagedQuery;
  /** The loaded items, as they are shown. */
  items: readonly Item[];
  /** Of the shape of the list. */
  skeleton: ReactNode;
  /** Replaces an empty list. */
  empty: ReactNode;
  /** Loads the next page; by default when one scrolls near. */
  more?: ReactNode;
  children: (items: readonly Item[]) => ReactNode;
}) {
  return (
    <>
      {query.isPending ? (
        skeleton
      ) : items.length > 0 ? (
        children(items)
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={query.refetch} pending={query.isFetching} />
      ) : (
        empty
      )}
      {more === undefined ? (
        <LoadMore
          hasMore={query.hasNextPage}
          pending={query.isFetchingNextPage}
          failed={query.isFetchNextPageError}
          onMore={query.fetchNextPage}
        />
      ) : (
        more
      )}
    </>
  );
}
