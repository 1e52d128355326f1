import type { FeatureReducers } from '../realtime/reducer.ts';
import { mergeNotification, mergeRead } from './merge.ts';
import { announceOrder, orderChanged } from './order-alert.ts';

/** Keeps the notifications current, and alerts a farmer of a new order on every page. */
export const notificationReducers = {
  'notification.created': (cache, event) => mergeNotification(cache, event.data),
  'notifications.read': (cache, event) => mergeRead(cache, event.data.ids, event.data.unreadCount),
  'order.created': (_, event) => announceOrder(event.data),
  'order.updated': (_, event) => {
    orderChanged(event.data);
    // Not in the file that visitors load too, who have no orders.
    void import('./order-news.ts').then(({ tellOrderNews }) => tellOrderNews(event.data));
  },
} satisfies FeatureReducers;
