import { useEffect } from 'react';

/** What it takes to load a list on, as `useInfiniteQuery` answers it. */
type Loadable = {
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
};

/** Loads a list to its end while that is `wanted`. Answers whether something is still to come. */
export function useLoadAll(
  { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: Loadable,
  wanted: boolean,
): boolean {
  const isIncomplete = wanted && hasNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (isIncomplete && !isFetching) fetchNextPage();
  }, [isIncomplete, isFetching, fetchNextPage]);
  return isIncomplete;
}
