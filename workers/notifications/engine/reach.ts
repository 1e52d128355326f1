import { DELETION_MAIL_KIND } from '#contract/people/notifications/constants';
import type { NotificationKind } from '#contract/people/notifications/notifications';

/** Mails that are no notifications: they cannot be turned off, and are not shown in the app. */
export const RESET_KIND = 'password.reset';
export const VERIFICATION_KIND = 'email.verification';
export const INVITE_KIND = 'member.invitation';
export const SUSPENSION_KIND = 'account.suspension';
/** The mail to the new address of an account, whose link makes it the account's. */
export const CHANGE_KIND = 'email.change';
/** The mail to its old address, whose link undoes the change. */
export const CHANGE_NOTICE_KIND = 'email.changeNotice';
export type MailKind =
  | typeof CHANGE_KIND
  | typeof CHANGE_NOTICE_KIND
  | typeof RESET_KIND
  | typeof VERIFICATION_KIND
  | typeof INVITE_KIND
  | typeof SUSPENSION_KIND
  | typeof DELETION_MAIL_KIND;

/** By what right somebody is mailed or pushed. */
type Reach =
  /**
   * They asked for it, or it is about their own account. Sent at once. What anybody can cause who opens an account
   * with the address of somebody else is limited where it is asked for (resets), or as long as nobody has proved the
   * address (`UNPROVEN_PER_DAY`).
   */
  | 'account'
  /**
   * It belongs to an order, a conversation, goods or a wish of theirs. Always sent: the first at once, what follows it
   * together, as `pace.ts` says.
   */
  | 'own'
  /** An admin has decided on their account, farm, goods or report, which is audited. Sent at once. */
  | 'market'
  /**
   * Nothing of theirs asks for it. Sent where `claimUnsolicited` lets its sender; the effects say so by `isMailed`.
   * Once there is an order or a conversation it is paced as well.
   */
  | 'unsolicited';

/** Total, so that a new kind does not compile without an answer. */
export const REACH = {
  'order.placed': 'own',
  'order.cancelledByConsumer': 'own',
  'order.unanswered': 'own',
  'order.cutoff': 'own',
  'order.statusChanged': 'own',
  'order.slotMoved': 'own',
  'order.changeProposed': 'own',
  'order.changeAnswered': 'own',
  'order.changeExpired': 'own',
  'order.itemsChanged': 'own',
  'order.weighed': 'own',
  'picklist.changed': 'own',
  // The first message of somebody from whom the receiver has neither an order nor a message is not asked for.
  'message.unread': 'unsolicited',
  'stock.low': 'own',
  // Each one was asked for, once.
  'stock.back': 'own',
  'product.hidden': 'market',
  'account.security': 'account',
  // The clock causes it, for a farm that does not answer: all of them are paced as one.
  'order.leftUnanswered': 'own',
  'report.opened': 'unsolicited',
  'report.settled': 'market',
  'farm.waiting': 'unsolicited',
  'farm.approval': 'market',
  [RESET_KIND]: 'account',
  [CHANGE_KIND]: 'account',
  [CHANGE_NOTICE_KIND]: 'account',
  [VERIFICATION_KIND]: 'account',
  [INVITE_KIND]: 'unsolicited',
  [SUSPENSION_KIND]: 'market',
  [DELETION_MAIL_KIND]: 'account',
} as const satisfies Readonly<Record<NotificationKind | MailKind, Reach>>;

type KindOf<Wanted extends Reach> = {
  [Kind in keyof typeof REACH]: (typeof REACH)[Kind] extends Wanted ? Kind : never;
}[keyof typeof REACH];

/** The kinds whose effects say whether they are mailed. */
export type UnsolicitedKind = KindOf<'unsolicited'>;

/** The kinds of which what follows a mail or push goes together. */
const PACED: readonly Reach[] = ['own', 'unsolicited'];
export const isPaced = (kind: NotificationKind): boolean => PACED.includes(REACH[kind]);
