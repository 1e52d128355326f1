import { useInfiniteQuery } from '@tanstack/react-query';
import { useAuth } from '../auth/use-auth.ts';
import { itemsOf } from '../lib/pages.ts';
import { conversationsQuery, unreadMessagesOf } from '../messages/queries.ts';
import { waitingOrdersQuery } from '../orders/queries.ts';

/** The numbers that stand on places in the navigation, by address, kept live. */
export function useCounts(): { places: Readonly<Record<string, number>>; pendingOrders: number } {
  const { user } = useAuth();
  const conversations = useInfiniteQuery({ ...conversationsQuery(), enabled: user !== null });
  const waiting = useInfiniteQuery({ ...waitingOrdersQuery(), enabled: user?.role === 'farmer' });
  const unreadMessages = user ? unreadMessagesOf(conversations.data) : 0;
  const pendingOrders = user?.role === 'farmer' ? itemsOf(waiting.data).length : 0;
  return {
    pendingOrders,
    places: {
      '/messages': unreadMessages,
      '/admin/messages': unreadMessages,
      '/farmer/orders': pendingOrders,
      '/orders': pendingOrders,
    },
  };
}
