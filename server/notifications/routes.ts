import { notificationsApi, queuesApi } from '#contract/notifications';
import { audit } from '../admin/service.ts';
import type { Platform } from '../platform/platform.ts';
import { listAnswer, type Route, route } from '../platform/route.ts';
import { readVapid } from '../platform/vapid.ts';
import { makeBoardCookie } from './queues-board.ts';
import {
  listNotifications,
  markNotificationsRead,
  readPreferences,
  subscribePush,
  unsubscribePush,
  updatePreferences,
} from './service.ts';

/** The calls around the bell, preferences and push messages. */
export const notificationsRoutes = (platform: Platform): Route[] => {
  const { publicKey } = readVapid(platform.env);
  return [
    route(notificationsApi.list, async ({ user, query }) => {
      const page = await listNotifications(platform, user.id, query);
      return { ...listAnswer(page), unreadCount: page.unreadCount };
    }),

    route(notificationsApi.markRead, async ({ user, body }) => ({
      data: { unreadCount: await markNotificationsRead(platform, user.id, body.ids) },
    })),

    route(notificationsApi.preferences, async ({ user }) => ({
      data: await readPreferences(platform, user.id),
    })),

    route(notificationsApi.updatePreferences, async ({ user, body }) => ({
      data: await updatePreferences(platform, user.id, body),
    })),

    route(notificationsApi.pushKey, async () => ({ data: { publicKey } })),

    route(notificationsApi.subscribePush, async ({ user, body }) => {
      await subscribePush(platform, user.id, body);
      return {};
    }),

    route(notificationsApi.unsubscribePush, async ({ user, body }) => {
      await unsubscribePush(platform, user.id, body.endpoint);
      return {};
    }),

    route(queuesApi.open, async ({ user, ctx }) => {
      // On the board jobs can be tried again and deleted.
      await audit(platform.db, user, 'queues.opened', user.id);
      ctx.append('Set-Cookie', await makeBoardCookie(platform, user.id));
      return {};
    }),
  ];
};
