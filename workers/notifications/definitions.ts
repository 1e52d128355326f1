import { DELETION_MAIL_KIND, NOTIFICATION_KINDS } from '#contract/people/notifications/constants';
import type { NotificationKind } from '#contract/people/notifications/notifications';
import type { FarmPermission } from '#contract/platform/session/constants';
import type { LoggedEvent } from '../../server/platform/events/event-log.ts';
import { accountDeleted, accountSuspension } from './admin/account-mails.ts';
import { storeOutage } from './admin/outages.ts';
import { reportKinds } from './admin/reports.ts';
import { productKinds } from './catalogue/products.ts';
import type { Definition, Effect, MailKind, Reactions } from './engine/definition.ts';
import type { MailDefinition } from './engine/mail.ts';
import { farmApprovals } from './farm/farm-approval.ts';
import { farmCertificate } from './farm/farm-certificate.ts';
import { farmPaused } from './farm/farm-paused.ts';
import { memberInvitation } from './farm/member-invitation.ts';
import { messageUnread } from './farm/message-unread.ts';
import { orderChanges } from './ordering/order-changes.ts';
import { orderStatuses } from './ordering/order-status.ts';
import { waitingOrders } from './ordering/order-waiting.ts';
import { picklistChanged } from './ordering/picklist-changed.ts';
import {
  accountSecurity,
  emailChange,
  emailChangeNotice,
  emailVerification,
  passwordReset,
} from './people/account-mails.ts';
import { phoneCode } from './people/phone-code.ts';

/** Total, so that a kind without a definition does not compile. */
const DEFINITIONS: { readonly [Kind in NotificationKind]: Definition<Kind> } = {
  ...waitingOrders,
  ...orderStatuses,
  ...orderChanges,
  ...productKinds,
  ...reportKinds,
  ...farmApprovals,
  'picklist.changed': picklistChanged,
  'message.unread': messageUnread,
  'farm.paused': farmPaused,
  'farm.certificate': farmCertificate,
  'account.security': accountSecurity,
  'store.outage': storeOutage,
};

const MAILS: { readonly [Kind in MailKind]: MailDefinition<Kind> } = {
  'password.reset': passwordReset,
  'email.verification': emailVerification,
  'email.change': emailChange,
  'email.changeNotice': emailChangeNotice,
  'member.invitation': memberInvitation,
  'account.suspension': accountSuspension,
  [DELETION_MAIL_KIND]: accountDeleted,
};

// In the order of the kinds, in which one event has its effects.
const byKind = new Map<string, Definition>(
  NOTIFICATION_KINDS.map((kind) => [kind, DEFINITIONS[kind]]),
);
const mails = new Map<string, MailDefinition>(Object.entries(MAILS));

/** Returns the definition of a kind of notification. */
export const definitionOf = (kind: string): Definition | undefined => byKind.get(kind);

/** Returns the definition of a mail that is no notification. */
export const mailOf = (kind: string): MailDefinition | undefined => mails.get(kind);

const ALL_REACTIONS: readonly Reactions[] = [...byKind.values(), ...mails.values(), phoneCode].map(
  ({ reactions }) => reactions,
);

/** Whether of a kind what follows a mail or push goes together. */
export const isPaced = (kind: NotificationKind): boolean =>
  ['own', 'unsolicited'].includes(DEFINITIONS[kind].reach);

/** Whether a farm is sent a kind outside the app by its plan alone. */
export const hasPlan = (kind: NotificationKind): boolean => DEFINITIONS[kind].hasPlan ?? false;

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
