import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSetAtom } from 'jotai';
import { useEffect, useMemo } from 'react';
import { conversationsQuery } from '../farm/messages/queries.ts';
import { pendingCountQuery } from '../ordering/orders/queries.ts';
import { unreadCountOf } from '../people/model/unread.ts';
import { hasConversations, mayForFarm } from '../platform/session/farm-work.ts';
import { useAuth } from '../platform/session/use-auth.ts';
import { countsAtom, type NavigationCounts, NO_COUNTS } from './counts.ts';

/** Returns the live badge numbers of the navigation items, by path, and the number of pending orders. */
export function useCounts(): NavigationCounts {
  const { user } = useAuth();
  const conversations = useInfiniteQuery({
    ...conversationsQuery(),
    enabled: hasConversations(user),
  });
  const isOfFarm = mayForFarm(user, 'read');
  const pending = useQuery({ ...pendingCountQuery(), enabled: isOfFarm });
  const unreadMessages = user ? unreadCountOf(conversations.data) : 0;
  const pendingOrders = isOfFarm ? (pending.data ?? 0) : 0;
  return useMemo(
    () => ({
      pendingOrders,
      places: {
        '/messages': unreadMessages,
        '/admin/messages': unreadMessages,
        '/farmer/orders': pendingOrders,
      },
    }),
    [unreadMessages, pendingOrders],
  );
}

/** Keeps {@link countsAtom} up to date while somebody is signed in. */
export function useShownCounts(): void {
  const counts = useCounts();
  const show = useSetAtom(countsAtom);
  useEffect(() => show(counts), [counts, show]);
  useEffect(() => () => show(NO_COUNTS), [show]);
}
