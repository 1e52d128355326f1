import type { Calls } from '#contract/platform/http/constants';
import { type Message, msg } from '#contract/platform/text/constants/texts';

/** Kinds of notifications and their recipients. */
export const NOTIFICATION_KINDS = [
  'order.placed',
  'order.cancelledByConsumer',
  'order.unanswered',
  'order.cutoff',
  'order.statusChanged',
  'order.slotMoved',
  'order.kept',
  'order.reminder',
  'order.changeProposed',
  'order.changeAnswered',
  'order.changeExpired',
  'order.itemsChanged',
  'order.weighed',
  'picklist.changed',
  'message.unread',
  'stock.low',
  'stock.back',
  'farm.newProducts',
  'product.hidden',
  'account.security',
  'order.leftUnanswered',
  'report.opened',
  'report.settled',
  'farm.waiting',
  'farm.approval',
  'farm.paused',
  'store.outage',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/**
 * The kinds of notifications that ask until somebody answers. Those of a farm are sent outside the app by a plan alone;
 * what a customer is asked has none, and only shows whether it was seen.
 */
export const ATTENTION_KINDS = [
  'order.placed',
  'order.slotMoved',
  'order.changeProposed',
  'picklist.changed',
] as const satisfies readonly NotificationKind[];
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** What notifications can be about, so that seeing it reads them. */
export const NOTIFICATION_SUBJECTS = ['order', 'conversation', 'product'] as const;

/** Channels besides the app itself, which shows every notification. */
export const OUTSIDE_CHANNELS = ['email', 'push', 'sms'] as const;
export type OutsideChannel = (typeof OUTSIDE_CHANNELS)[number];

/** Kinds that are always mailed, whatever is chosen and whether or not they were read. */
export const ALWAYS_MAILED: readonly NotificationKind[] = ['account.security'];

/** Kinds that may be texted, to those who want that: what is urgent. */
export const TEXTED_KINDS: readonly NotificationKind[] = [
  'order.placed',
  'order.unanswered',
  'order.cutoff',
  'order.reminder',
  'order.changeProposed',
  'order.changeAnswered',
  'order.changeExpired',
  'picklist.changed',
  'message.unread',
  'account.security',
];

/** Returns a record that has the same for every kind. */
export const forEachKind = <Value>(value: Value) =>
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, value])) as Record<
    NotificationKind,
    Value
  >;

/** By default every kind is mailed and pushed, but for what people have to agree to first, and none is texted. */
export const DEFAULT_PREFERENCES: Record<
  NotificationKind,
  Record<Exclude<OutsideChannel, 'sms'>, boolean>
> = {
  ...forEachKind({ email: true, push: true }),
  'farm.newProducts': { email: false, push: false },
};

/** Most ids that one call marks as read. */
export const MARK_READ_MAX = 500;

/** Most push subscriptions of one person; a new one replaces the oldest. */
export const MAX_PUSH_SUBSCRIPTIONS = 20;

/** How long a browser gets push messages after its session has run out without being ended, in days. */
export const PUSH_AFTER_SESSION_DAYS = 30;

export const notificationsApi = {
  list: { method: 'GET', path: '/notifications' },
  markRead: { method: 'PUT', path: '/notifications/read' },
  preferences: { method: 'GET', path: '/notifications/preferences' },
  updatePreferences: { method: 'PUT', path: '/notifications/preferences' },
  pushKey: { method: 'GET', path: '/notifications/push-key' },
  subscribePush: { method: 'POST', path: '/notifications/push-subscriptions' },
  renewPush: { method: 'PUT', path: '/notifications/push-subscriptions' },
  unsubscribePush: { method: 'DELETE', path: '/notifications/push-subscriptions' },
} as const satisfies Calls;

/**
 * Mails and pushes that one person causes to another, with whom they share neither an order nor a conversation: one a
 * day to each receiver, and so many in all of one sender.
 */
export const UNSOLICITED_PER_DAY = { receiver: 1, sender: 20 } as const;

/** The kind of the mail that confirms the deletion of an account. */
export const DELETION_MAIL_KIND = 'account.deleted';

/** What each kind of notification is called where people choose what reaches them. */
export const NOTIFICATION_LABELS: Readonly<Record<NotificationKind, Message>> = {
  'order.placed': msg('New orders'),
  'order.cancelledByConsumer': msg('Cancelled orders'),
  'order.unanswered': msg('Waiting orders'),
  'order.cutoff': msg('Orders at the cut-off'),
  'order.statusChanged': msg('Your orders'),
  'order.slotMoved': msg('Moved pickups'),
  'order.kept': msg('Orders that stay as agreed'),
  'order.reminder': msg('The evening before'),
  'order.changeProposed': msg('Questions about your orders'),
  'order.changeAnswered': msg('Answers to your changes'),
  'order.changeExpired': msg('Changes without an answer'),
  'order.itemsChanged': msg('Changed orders'),
  'order.weighed': msg('Weighed orders'),
  'picklist.changed': msg('Pick list changes'),
  'message.unread': msg('Messages'),
  'stock.low': msg('Low stock'),
  'stock.back': msg('Back in stock'),
  'farm.newProducts': msg('New at your favorite farms'),
  'product.hidden': msg('Hidden products'),
  'account.security': msg('Sign-in and security'),
  'order.leftUnanswered': msg('Unanswered orders'),
  'report.opened': msg('New reports'),
  'report.settled': msg('Your reports'),
  'farm.waiting': msg('Farms that want to join'),
  'farm.approval': msg('Your farm in the market'),
  'farm.paused': msg('Orders stopped'),
  'store.outage': msg('Outages'),
};
