import type { InfiniteData } from '@tanstack/react-query';
import type { ListAnswer } from './api.ts';

/** A list of the API as far as it has been loaded, page by page. */
export type Pages<Item> = InfiniteData<ListAnswer<Item>, string | null>;

/** How a list is loaded from its start, page after page: spread into `infiniteQueryOptions`. */
export const paging = {
  initialPageParam: null as string | null,
  getNextPageParam: (last: { nextCursor: string | null }) => last.nextCursor,
};

/** Everything loaded so far, each thing once. */
export function itemsOf<Item extends { _id: string }>(
  data: Pick<Pages<Item>, 'pages'> | undefined,
): Item[] {
  const seen = new Map<string, Item>();
  for (const page of data?.pages ?? []) {
    for (const item of page.data) if (!seen.has(item._id)) seen.set(item._id, item);
  }
  return [...seen.values()];
}
