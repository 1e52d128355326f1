import { isOwnCommand } from '../../platform/queries/own-changes.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { isReplayOfLastVisit } from '../../platform/realtime/position.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { notificationsKeys } from './keys.ts';
import { mergeNotification, mergeRead } from './merge.ts';

// Not in the file that visitors load too: they have no orders.
const loadAlert = () => import('../../ordering/news/order-alert.ts');
const loadNews = () => import('../../ordering/news/order-news.ts');

/** Keeps the notifications current, and announces new and changed orders on every page. */
export const notificationReducers = {
  'notification.created': (cache, event) => mergeNotification(cache, event.data),
  'notifications.read': (cache, event) => mergeRead(cache, event.data.ids, event.data.unreadCount),
  'account.changed': (cache, event) => {
    // What was chosen in this tab is on the screen, maybe with more that is still on its way.
    if (!isOwnCommand(event.commandId)) refetch(cache, notificationsKeys.preferences());
  },
  'order.created': (_, event) => {
    if (isReplayOfLastVisit()) return;
    void loadAlert().then(({ announceOrder }) => announceOrder(event.data));
  },
  'order.updated': (_, event) => {
    // The bell has what happened while no page was open.
    if (isReplayOfLastVisit()) return;
    void loadAlert().then(({ orderChanged }) => orderChanged(event.data));
    // Whoever changed it in this tab sees that they did; in their other tabs they are notified.
    if (isOwnCommand(event.commandId)) return;
    void loadNews().then(({ showOrderNews }) => showOrderNews(event.data));
  },
} satisfies FeatureReducers;
