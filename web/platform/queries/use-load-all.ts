import { useEffect } from 'react';

/** The part of a `useInfiniteQuery` result that loading all pages needs. */
type Loadable = {
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
};

/** Loads all pages of a list while `wanted`. Returns whether pages are still missing. */
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
