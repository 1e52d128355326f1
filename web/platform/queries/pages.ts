import type { InfiniteData } from '@tanstack/react-query';

/** The response for one page of a list; `nextCursor` is null on the last one. */
export type ListAnswer<Item> = {
  success: true;
  data: Item[];
  count: number;
  nextCursor: string | null;
};

/** The loaded pages of a list. */
export type Pages<Item> = InfiniteData<ListAnswer<Item>, string | null>;

/** Cursor paging, to be spread into `infiniteQueryOptions`. */
export const paging = {
  initialPageParam: null as string | null,
  getNextPageParam: (last: { nextCursor: string | null }) => last.nextCursor,
};

/** Returns all loaded items without duplicates. */
export function itemsOf<Item extends { _id: string }>(
  data: Pick<Pages<Item>, 'pages'> | undefined,
): Item[] {
  const seen = new Map<string, Item>();
  for (const page of data?.pages ?? []) {
    for (const item of page.data) if (!seen.has(item._id)) seen.set(item._id, item);
  }
  return [...seen.values()];
}

/** What the query keys of a feature begin with, where another feature refetches all of it. */
export const rootKeys = {
  products: ['products'],
  users: ['users'],
} as const;
