import { NOTIFICATION_KINDS } from '#contract/people/notifications/constants';
import type { NotificationKind } from '#contract/people/notifications/notifications';
import type { FarmPermission } from '#contract/platform/session/constants';
import type { LoggedEvent } from '../../server/platform/events/event-log.ts';
import { suspensionReactions } from './admin/account-suspension.ts';
import { reportOpened } from './admin/report-opened.ts';
import { reportSettled } from './admin/report-settled.ts';
import { productHidden } from './catalogue/product-hidden.ts';
import { stockBack } from './catalogue/stock-back.ts';
import { stockLow } from './catalogue/stock-low.ts';
import type { Definition, Effect, Reactions } from './engine/definition.ts';
import { farmApproval } from './farm/farm-approval.ts';
import { farmWaiting } from './farm/farm-waiting.ts';
import { inviteReactions } from './farm/member-invitation.ts';
import { messageUnread } from './farm/message-unread.ts';
import { changeAnswered, changeExpired } from './ordering/change-answered.ts';
import { changeProposed } from './ordering/change-proposed.ts';
import { orderCancelled } from './ordering/order-cancelled.ts';
import { orderCutoff } from './ordering/order-cutoff.ts';
import { orderItemsChanged } from './ordering/order-items-changed.ts';
import { orderLeftUnanswered } from './ordering/order-left-unanswered.ts';
import { orderPlaced } from './ordering/order-placed.ts';
import { orderSlotMoved } from './ordering/order-slot-moved.ts';
import { orderStatusChanged } from './ordering/order-status-changed.ts';
import { orderUnanswered } from './ordering/order-unanswered.ts';
import { orderWeighed } from './ordering/order-weighed.ts';
import { picklistChanged } from './ordering/picklist-changed.ts';
import { accountSecurity } from './people/account-security.ts';
import { emailChangeReactions } from './people/email-change.ts';
import { verificationReactions } from './people/email-verification.ts';
import { resetReactions } from './people/password-reset.ts';

/** Total, so that a kind without a definition does not compile. */
const DEFINITIONS: { readonly [Kind in NotificationKind]: Definition<Kind> } = {
  'order.placed': orderPlaced,
  'order.cancelledByConsumer': orderCancelled,
  'order.unanswered': orderUnanswered,
  'order.cutoff': orderCutoff,
  'order.statusChanged': orderStatusChanged,
  'order.slotMoved': orderSlotMoved,
  'order.changeProposed': changeProposed,
  'order.changeAnswered': changeAnswered,
  'order.changeExpired': changeExpired,
  'order.itemsChanged': orderItemsChanged,
  'order.weighed': orderWeighed,
  'picklist.changed': picklistChanged,
  'message.unread': messageUnread,
  'stock.low': stockLow,
  'stock.back': stockBack,
  'product.hidden': productHidden,
  'account.security': accountSecurity,
  'order.leftUnanswered': orderLeftUnanswered,
  'report.opened': reportOpened,
  'report.settled': reportSettled,
  'farm.waiting': farmWaiting,
  'farm.approval': farmApproval,
};

const byKind = new Map<string, Definition>(
  NOTIFICATION_KINDS.map((kind) => [kind, DEFINITIONS[kind]]),
);

/** Returns the definition of a kind; undefined for transactional mails such as a password reset or an invitation. */
export const definitionOf = (kind: string): Definition | undefined => byKind.get(kind);

const ALL_REACTIONS: readonly Reactions[] = [
  ...NOTIFICATION_KINDS.map((kind) => DEFINITIONS[kind].reactions),
  resetReactions,
  inviteReactions,
  suspensionReactions,
  verificationReactions,
  emailChangeReactions,
];

/** Returns what those of a farm may do whom a kind concerns. */
export const concernsOf = (kind: NotificationKind): FarmPermission =>
  DEFINITIONS[kind].concerns ?? 'read';

/** Returns whether events of this name have effects. */
export const isOfInterest = (name: LoggedEvent['name']): boolean =>
  ALL_REACTIONS.some((reactions) => name in reactions);

/** Returns all effects of an event. */
export const effectsOf = <Name extends LoggedEvent['name']>(
  event: Extract<LoggedEvent, { name: Name }>,
): Effect[] =>
  ALL_REACTIONS.flatMap((reactions) => {
    const reaction = (reactions as { [Key in Name]?: (e: typeof event) => Effect[] })[
      event.name as Name
    ];
    return reaction?.(event) ?? [];
  });
