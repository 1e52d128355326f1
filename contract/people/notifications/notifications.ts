import {
  notificationsApi as calls,
  forEachKind,
  MARK_READ_MAX,
  NOTIFICATION_KINDS,
  NOTIFICATION_SUBJECTS,
} from '#contract/people/notifications/constants';
import { event } from '#contract/platform/events/event';
import { ROLES } from '#contract/platform/http/constants';
import { endpoints } from '#contract/platform/http/endpoint';
import { Id, Instant, ListQuery, list, named, one, text } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

export const NotificationKind = z.enum(NOTIFICATION_KINDS);
export type NotificationKind = z.infer<typeof NotificationKind>;

export const Notification = named('Notification', {
  _id: Id,
  kind: NotificationKind,
  /**
   * What its words are made of, as its kind has it: ids, people by their present names, minor units, thousandths,
   * instants and days. Who shows it writes the words, in the reader's language.
   */
  params: z.record(z.string(), z.unknown()).optional(),
  /** In English, of a notification from before there were `params`. */
  title: z.string().optional(),
  body: z.string().optional(),
  /** A path of the web client. */
  link: z.string(),
  isRead: z.boolean(),
  createdAt: Instant,
});
export type Notification = z.infer<typeof Notification>;

/** What notifications are about: an order, the conversation with a person, or a product. */
export const NotificationSubject = named('NotificationSubject', {
  kind: z.enum(NOTIFICATION_SUBJECTS),
  _id: Id,
});
export type NotificationSubject = z.infer<typeof NotificationSubject>;

/** All notifications when both are omitted. */
export const MarkNotificationsRead = z
  .object({
    ids: z.array(Id).max(MARK_READ_MAX).optional(),
    /** All about this, because it was seen. */
    subject: NotificationSubject.optional(),
  })
  .refine(({ ids, subject }) => !ids || !subject, {
    path: ['subject'],
    error: () => t('Send either ids or a subject.'),
  });
export type MarkNotificationsRead = z.infer<typeof MarkNotificationsRead>;

const ChannelChoice = named('ChannelChoice', {
  email: z.boolean(),
  push: z.boolean(),
  /** Of kinds that may be texted. Without it the choice stays, as with clients of before there were texts. */
  sms: z.boolean().optional(),
});

/** The channels of each kind. */
export const Preferences = z.object(forEachKind(ChannelChoice)).meta({ id: 'Preferences' });
export type Preferences = z.infer<typeof Preferences>;

/** A browser's push subscription, as returned by `PushSubscription.toJSON()`. */
export const SubscribePush = z.object({
  endpoint: z.url({ protocol: /^https$/ }).max(1000),
  keys: z.object({
    p256dh: z.string().regex(/^[A-Za-z0-9_-]{80,100}={0,2}$/),
    auth: z.string().regex(/^[A-Za-z0-9_-]{20,30}={0,2}$/),
  }),
});
export type SubscribePush = z.infer<typeof SubscribePush>;

/** Names a browser by its subscription. */
export const PushEndpoint = z.object({ endpoint: text(1000) });

export const notificationEvents = {
  'notification.created': event({
    data: Notification,
    summary: 'There is something to know.',
    audience: 'Its user.',
    rooms: [['user']],
  }),
  'notifications.read': event({
    data: z.object({ ids: z.array(Id).nullable(), unreadCount: z.int() }),
    summary: 'Notifications were read, ids null being all.',
    audience: 'Their user.',
    rooms: [['user']],
  }),
};

export const notificationsApi = endpoints(calls, {
  list: {
    summary: "The signed-in user's notifications, newest first",
    access: ROLES,
    query: ListQuery,
    answer: list(Notification).extend({ unreadCount: z.int() }),
  },
  markRead: {
    summary: 'Mark some notifications, those about a subject, or all, as read',
    access: ROLES,
    body: MarkNotificationsRead,
    answer: one(z.object({ unreadCount: z.int() })),
  },
  preferences: {
    summary: 'Which notifications go out by email, push and text message',
    access: ROLES,
    answer: one(Preferences),
  },
  updatePreferences: {
    summary: 'Choose which notifications go out by email, push and text message',
    access: ROLES,
    body: Preferences.partial(),
    answer: one(Preferences),
  },
  pushKey: {
    summary: 'The public VAPID key a browser subscribes with',
    access: ROLES,
    answer: one(z.object({ publicKey: z.string() })),
  },
  subscribePush: {
    summary:
      'Send push messages to this browser until its session is ended, which becomes a remembered one',
    access: ROLES,
    body: SubscribePush,
    status: 201,
  },
  renewPush: {
    summary:
      'Go on with the push messages of this browser in a new session, unless they have ended with the last one',
    access: ROLES,
    body: PushEndpoint,
    answer: one(z.object({ isSubscribed: z.boolean() })),
  },
  unsubscribePush: {
    summary: 'Send no more push messages to this browser',
    access: ROLES,
    body: PushEndpoint,
  },
});
