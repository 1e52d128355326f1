import type { DELETION_MAIL_KIND } from '#contract/people/notifications/constants';
import type { ParamsOf } from '#contract/people/notifications/constants/words';
import type { Whom } from '#contract/people/notifications/constants/written';
import type { NotificationKind } from '#contract/people/notifications/notifications';
import type { FarmPermission } from '#contract/platform/session/constants';
import type { Message } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { LoggedEvent } from '../../../server/platform/events/event-log.ts';
import type { ProcessPlatform } from '../../../server/platform/events/platform.ts';
import type { DelayedTimerKind, OUTDATED } from '../../../server/platform/stores/timers.ts';
import type { MailTable } from './compose.ts';

/** Stands for all admins where a notification names whom it is for. */
export const ADMINS = '00000000-0000-0000-0000-000000000000';

/** Mails that are no notifications: they cannot be turned off, and are not shown in the app. */
export type MailKind =
  | 'password.reset'
  | 'email.verification'
  | 'member.invitation'
  | 'account.suspension'
  /** To the new address of an account, whose link makes it the account's. */
  | 'email.change'
  /** To its old address, whose link undoes the change. */
  | 'email.changeNotice'
  | typeof DELETION_MAIL_KIND;

/** The kind of the text message that brings the code for a phone. */
export const PHONE_CODE_KIND = 'phone.code';

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

/** The kinds whose effects say whether they are mailed. */
export type UnsolicitedKind =
  // The first message of somebody from whom the receiver has neither an order nor a message is not asked for.
  'message.unread' | 'report.opened' | 'farm.waiting' | 'member.invitation';

/** Of an unsolicited kind its definition says so, of others it says another reach. */
export type ReachOf<Kind> = Kind extends UnsolicitedKind
  ? 'unsolicited'
  : Exclude<Reach, 'unsolicited'>;

interface Addressed {
  /**
   * A person, or a farm by its id: then everyone who works there, has alerts on and is concerned by the kind; or
   * {@link ADMINS}.
   */
  userId: string;
  /** Idempotency key: one effect per person and key. */
  key: string;
}

interface Notice<Kind extends NotificationKind> extends Addressed {
  do: 'notify';
  kind: Kind;
  /** What its words are made of; of people the ids alone. */
  params: ParamsOf<Kind>;
  /** A path of the web client. */
  link: string;
  /** By what its mails and pushes are paced, if not by the page of its link. */
  about?: string;
  /** Notifies only if this flag is not set, and sets it. */
  unlessFlag?: string;
  /** What asks by it until somebody answers: its farm, its order if it has one, and what it is about. */
  asks?: { farmId: string; orderId?: string; subjectId: string };
}

/** A notification of each kind, which says whether it is mailed where nothing of theirs asks for it. */
type AnyNotice = {
  [Kind in NotificationKind]: Notice<Kind> & (Kind extends UnsolicitedKind ? Limited : object);
}[NotificationKind];

interface MailRequest extends Addressed {
  do: 'mail';
  /** In which language it is written to somebody who has chosen none. */
  language?: string | undefined;
}

/** Whether its sender's limits allow it outside the app: see `server/people/notifications/limited-mails.ts`. */
interface Limited {
  isMailed: boolean;
}

/** The effect of an event. The effects of one event are applied in order, all or none. */
export type Effect =
  /** Notifies a person in the app, and by email and push as they prefer. */
  | AnyNotice
  /** Sets the timer that runs the kind's `remind` after its delay, or at a later time. */
  | (Addressed & {
      do: 'schedule';
      kind: DelayedTimerKind;
      notBefore?: Date;
      /** Sets it only while the farm `userId` has a printed pick list that is not over yet. */
      needsPrint?: true;
      /** Sets it only while this product, or one of this farm, is back in stock and somebody has waited for that. */
      needsFollowers?: string;
    })
  /** Sends a transactional mail: not configurable, not shown in the app. */
  | (MailRequest & { kind: Exclude<MailKind, UnsolicitedKind> })
  | (MailRequest & Limited & { kind: MailKind & UnsolicitedKind })
  /** Pushes to all browsers of a person, whatever they prefer: they try out how they are told. */
  | (Addressed & { do: 'tryPush'; kind: NotificationKind })
  /** Texts a code to a phone that is not verified yet. */
  | (Addressed & {
      do: 'text';
      kind: typeof PHONE_CODE_KIND;
      language?: string | undefined;
    })
  /** Sets the flag `key` without notifying anybody. */
  | (Addressed & { do: 'setFlag'; kind: NotificationKind })
  | { do: 'clearFlag'; key: string }
  /** Marks what the person was notified of under these links (of these kinds, or all) as read. */
  | {
      do: 'settle';
      userId: string;
      links: readonly string[];
      kinds?: readonly NotificationKind[];
    }
  /** Takes a customer off those who wait for products: they have bought them. */
  | { do: 'endWaits'; userId: string; productIds: readonly string[] };

type EventName = LoggedEvent['name'];

/** The effects of each event. Reactions do not read, so that many events share one statement. */
export type Reactions = {
  [Name in EventName]?: (event: Extract<LoggedEvent, { name: Name }>) => Effect[];
};

/** Returns the name of somebody for a subject; undefined where none may stand in it. */
export type NameOf = (whom: Whom) => string | undefined;

/** One kind of notification: which events cause it, and what its mails say beside its words. */
export interface Definition<Kind extends NotificationKind = NotificationKind> {
  kind: Kind;
  reach: ReachOf<Kind>;
  reactions: Reactions;
  /** Returns the effects of a scheduled reminder when it is due, or that it came too late to have any. */
  remind?: (
    key: string,
    tx: Transaction,
    env: ProcessPlatform['env'],
  ) => Promise<Effect[] | typeof OUTDATED>;
  /** What those of a farm may do whom this kind concerns; absent where no farm is notified. */
  concerns?: FarmPermission;
  /** The label of a mail's button. */
  action: Message;
  /**
   * Returns the subject of a mail about one notification; the title if absent. The address may belong to somebody else,
   * so of user-written text it contains the names alone that `nameOf` gives: plain ones, to an address that is proven.
   */
  // As a method: the definitions of all kinds are read as one type.
  subject?(params: ParamsOf<Kind>, nameOf: NameOf): string | undefined;
  /**
   * Returns the product that the one-click link of its mails ends the favorite of, in place of all mails of the kind;
   * undefined of a row that names none.
   */
  endsFollows?(params: ParamsOf<Kind>): string | undefined;
  /** Whether title and subject say when the order is handed over; of others the subject of a mail has it at its end. */
  namesMoment?: true;
  /** Whether its mails bring the handover of their order for a calendar. */
  hasCalendar?: true;
  /** Returns the subject of one mail about several; without it each notification gets its own mail. */
  digest?: (count: number) => string;
  /** Returns the lines that a notification is about, by its key, to stand in its mail. */
  table?: (db: Database | Transaction, key: string) => Promise<MailTable | undefined>;
  /** Sent outside the app to a farm by its plan alone: see `server/ordering/attention`. */
  hasPlan?: true;
  /** Mailed at once, because the person has already had time to react. */
  isUrgent?: true;
}

/** Marks what somebody, a farm or {@link ADMINS} was notified of under a link as read. */
export const settle = (userId: string, link: string, ...kinds: NotificationKind[]): Effect => ({
  do: 'settle',
  userId,
  links: [link],
  kinds,
});
