import type { NotificationKind } from '#contract/people/notifications/constants/notifications';

/** What each kind of notification is called where people choose what reaches them. */
export const NOTIFICATION_LABELS: Readonly<Record<NotificationKind, string>> = {
  'order.placed': 'New orders',
  'order.cancelledByConsumer': 'Cancelled orders',
  'order.unanswered': 'Waiting orders',
  'order.cutoff': 'Orders at the cut-off',
  'order.statusChanged': 'Your orders',
  'order.slotMoved': 'Moved pickups',
  'order.changeProposed': 'Questions about your orders',
  'order.changeAnswered': 'Answers to your changes',
  'order.changeExpired': 'Changes without an answer',
  'order.itemsChanged': 'Changed orders',
  'order.weighed': 'Weighed orders',
  'picklist.changed': 'Pick list changes',
  'message.unread': 'Messages',
  'stock.low': 'Low stock',
  'stock.back': 'Back in stock',
  'product.hidden': 'Hidden products',
  'account.security': 'Sign-in and security',
  'order.leftUnanswered': 'Unanswered orders',
  'report.opened': 'New reports',
  'report.settled': 'Your reports',
  'farm.waiting': 'Farms that want to join',
  'farm.approval': 'Your farm in the market',
};
