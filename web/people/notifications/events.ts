import { isOwnCommand } from '../../platform/queries/use-changes.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { notificationsKeys } from './keys.ts';
import { mergeNotification, mergeRead } from './merge.ts';

/** Keeps the notifications current. */
export const notificationReducers = {
  'notification.created': (cache, event) => mergeNotification(cache, event.data),
  'notifications.read': (cache, event) => mergeRead(cache, event.data.ids, event.data.unreadCount),
  'account.changed': (cache, event) => {
    // What was chosen in this tab is on the screen, maybe with more that is still on its way.
    if (!isOwnCommand(event.commandId)) refetch(cache, notificationsKeys.preferences());
  },
} satisfies FeatureReducers;
