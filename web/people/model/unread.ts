import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { rewrite } from '../../platform/realtime/reducer.ts';

/** The loaded pages of a list, which all have the number of its unread items. */
type Pages = { pages: readonly { unreadCount: number }[] };

/** Returns the number of unread items, loaded or not. */
export const unreadCountOf = (data: Pages | undefined): number => data?.pages[0]?.unreadCount ?? 0;

/** Changes the number of unread items of the list under this key. */
export function changeUnread(
  cache: QueryClient,
  queryKey: QueryKey,
  change: (count: number) => number,
): void {
  rewrite(cache, queryKey, (cached) => {
    const data = cached as Pages | undefined;
    if (!data) return data;
    const unreadCount = Math.max(0, change(unreadCountOf(data)));
    return { ...data, pages: data.pages.map((page) => ({ ...page, unreadCount })) };
  });
}
