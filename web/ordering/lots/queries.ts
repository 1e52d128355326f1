import { infiniteQueryOptions } from '@tanstack/react-query';
import { lotsApi } from '#contract/ordering/lots/constants';
import { call } from '../../platform/api/api.ts';
import { paging } from '../../platform/queries/pages.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

/** The keys of lots in the query cache. */
export const lotKeys = {
  all: ['lots'] as const,
  lot: (lot: string) => ['lots', lot] as const,
};

const PAGE_SIZE = 50;

/** Who got goods of a lot of the signed-in person's farm, page by page. */
export const lotQuery = (lot: string) =>
  infiniteQueryOptions({
    queryKey: lotKeys.lot(lot),
    queryFn: ({ pageParam, signal }) =>
      call(lotsApi.list, { query: { lot, limit: PAGE_SIZE, cursor: pageParam }, signal }),
    ...paging,
  });

/** Returns the whole list as CSV, which comes in parts. */
export async function fetchLotFile(lot: string): Promise<string> {
  const parts: string[] = [];
  let cursor: string | null = null;
  do {
    const { data }: { data: { csv: string; nextCursor: string | null } } = await call(
      lotsApi.file,
      { query: { lot, cursor } },
    );
    parts.push(data.csv);
    cursor = data.nextCursor;
  } while (cursor !== null);
  return parts.join('');
}

/** Fetches the list again once an order has changed: which of them have the lot only the server knows. */
export const lotReducers = {
  'order.updated': (cache) => refetch(cache, lotKeys.all),
} satisfies FeatureReducers;
