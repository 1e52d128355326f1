import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useAuth } from '../auth/use-auth.ts';
import { conversationsQuery, unreadMessagesOf } from '../messages/queries.ts';
import { pendingCountQuery } from '../orders/queries.ts';

/** Returns the live badge numbers of the navigation items, by path, and the number of pending orders. */
export function useCounts(): { places: Readonly<Record<string, number>>; pendingOrders: number } {
  const { user } = useAuth();
  const conversations = useInfiniteQuery({ ...conversationsQuery(), enabled: user !== null });
  const pending = useQuery({ ...pendingCountQuery(), enabled: user?.role === 'farmer' });
  const unreadMessages = user ? unreadMessagesOf(conversations.data) : 0;
  const pendingOrders = user?.role === 'farmer' ? (pending.data ?? 0) : 0;
  return {
    pendingOrders,
    places: {
      '/messages': unreadMessages,
      '/admin/messages': unreadMessages,
      '/farmer/orders': pendingOrders,
    },
  };
}
