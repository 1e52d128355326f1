import { z } from 'zod';
import { Done, endpoint, Id, Instant, ListQuery, list, one, ROLES, text } from '#contract/platform';

/** What a notification can be about, and who gets it. */
export const NOTIFICATION_KINDS = [
  'order.placed',
  'order.cancelledByConsumer',
  'order.unanswered',
  'order.statusChanged',
  'message.unread',
  'stock.low',
] as const;
export const NotificationKind = z.enum(NOTIFICATION_KINDS);
export type NotificationKind = z.infer<typeof NotificationKind>;

/** Beside the bell, which always shows. */
export const OUTSIDE_CHANNELS = ['email', 'push'] as const;
export type OutsideChannel = (typeof OUTSIDE_CHANNELS)[number];

export const Notification = z.object({
  _id: Id,
  kind: NotificationKind,
  title: z.string(),
  body: z.string(),
  /** The page it leads to, a path of the web client. */
  link: z.string(),
  isRead: z.boolean(),
  createdAt: Instant,
});
export type Notification = z.infer<typeof Notification>;

export const MarkNotificationsRead = z.object({
  /** All of them when left out. */
  ids: z.array(Id).max(200).optional(),
});
export type MarkNotificationsRead = z.infer<typeof MarkNotificationsRead>;

const ChannelChoice = z.object({ email: z.boolean(), push: z.boolean() });

/** Which kinds go out over which channel. */
export const Preferences = z.object({
  'order.placed': ChannelChoice,
  'order.cancelledByConsumer': ChannelChoice,
  'order.unanswered': ChannelChoice,
  'order.statusChanged': ChannelChoice,
  'message.unread': ChannelChoice,
  'stock.low': ChannelChoice,
});
export type Preferences = z.infer<typeof Preferences>;

/** Everything goes out over every channel until the person says otherwise. */
export const DEFAULT_PREFERENCES: Preferences = {
  'order.placed': { email: true, push: true },
  'order.cancelledByConsumer': { email: true, push: true },
  'order.unanswered': { email: true, push: true },
  'order.statusChanged': { email: true, push: true },
  'message.unread': { email: true, push: true },
  'stock.low': { email: true, push: true },
};

/** A browser's push subscription as `PushSubscription.toJSON()` gives it. */
export const SubscribePush = z.object({
  endpoint: z.url({ protocol: /^https$/ }).max(1000),
  keys: z.object({
    p256dh: z.string().regex(/^[A-Za-z0-9_-]{80,100}={0,2}$/),
    auth: z.string().regex(/^[A-Za-z0-9_-]{20,30}={0,2}$/),
  }),
});
export type SubscribePush = z.infer<typeof SubscribePush>;

export const UnsubscribePush = z.object({ endpoint: text(1000) });
export type UnsubscribePush = z.infer<typeof UnsubscribePush>;

export const notificationsApi = {
  list: endpoint({
    method: 'GET',
    path: '/notifications',
    summary: "The signed-in user's notifications, newest first",
    access: ROLES,
    query: ListQuery,
    answer: list(Notification).extend({ unreadCount: z.number().int() }),
  }),
  markRead: endpoint({
    method: 'PUT',
    path: '/notifications/read',
    summary: 'Mark some notifications, or all, as read',
    access: ROLES,
    body: MarkNotificationsRead,
    answer: one(z.object({ unreadCount: z.number().int() })),
    rate: 'writes',
  }),
  preferences: endpoint({
    method: 'GET',
    path: '/notifications/preferences',
    summary: 'Which notifications go out by email and push',
    access: ROLES,
    answer: one(Preferences),
  }),
  updatePreferences: endpoint({
    method: 'PUT',
    path: '/notifications/preferences',
    summary: 'Choose which notifications go out by email and push',
    access: ROLES,
    body: Preferences.partial(),
    answer: one(Preferences),
    rate: 'writes',
  }),
  pushKey: endpoint({
    method: 'GET',
    path: '/notifications/push-key',
    summary: 'The public VAPID key a browser subscribes with',
    access: ROLES,
    answer: one(z.object({ publicKey: z.string() })),
  }),
  subscribePush: endpoint({
    method: 'POST',
    path: '/notifications/push-subscriptions',
    summary: 'Send push messages to this browser',
    access: ROLES,
    body: SubscribePush,
    answer: Done,
    status: 201,
    rate: 'writes',
  }),
  unsubscribePush: endpoint({
    method: 'DELETE',
    path: '/notifications/push-subscriptions',
    summary: 'Send no more push messages to this browser',
    access: ROLES,
    body: UnsubscribePush,
    answer: Done,
    rate: 'writes',
  }),
};

export const queuesApi = {
  open: endpoint({
    method: 'POST',
    path: '/admin/queues-session',
    summary: 'Open the board of job queues at /admin/queues to this browser for half an hour',
    access: ['admin'],
    answer: Done,
    status: 201,
    rate: 'writes',
  }),
};
