import { notificationsApi } from '#contract/people/notifications/notifications';
import type { Platform } from '../../platform/http/platform.ts';
import { listAnswer, type Route, route } from '../../platform/http/route.ts';
import { readVapid } from '../../platform/process/vapid.ts';
import {
  listNotifications,
  markNotificationsRead,
  readPreferences,
  renewPush,
  subscribePush,
  unsubscribePush,
  updatePreferences,
} from './service.ts';

/** Routes of notifications, preferences and push subscriptions. */
export const notificationsRoutes = (platform: Platform): Route[] => {
  const { publicKey } = readVapid(platform.env);
  return [
    route(notificationsApi.list, async ({ user, query }) => {
      const page = await listNotifications(platform, user.id, query);
      return { ...listAnswer(page), unreadCount: page.unreadCount };
    }),

    route(notificationsApi.markRead, async ({ user, body }) => ({
      data: { unreadCount: await markNotificationsRead(platform, user.id, body) },
    })),

    route(notificationsApi.preferences, async ({ user }) => ({
      data: await readPreferences(platform, user.id),
    })),

    route(notificationsApi.updatePreferences, async ({ user, body }) => ({
      data: await updatePreferences(platform, user.id, body),
    })),

    route(notificationsApi.pushKey, async () => ({ data: { publicKey } })),

    route(notificationsApi.subscribePush, async ({ user, body }) => {
      await subscribePush(platform, user, body);
      return {};
    }),

    route(notificationsApi.renewPush, async ({ user, body }) => ({
      data: { isSubscribed: await renewPush(platform, user, body.endpoint) },
    })),

    route(notificationsApi.unsubscribePush, async ({ user, body }) => {
      await unsubscribePush(platform, user.id, body.endpoint);
      return {};
    }),
  ];
};
