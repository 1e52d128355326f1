import type { NotificationKind } from '#contract/notifications';
import type { Transaction } from '../../prisma/client.ts';
import type { LoggedEvent } from '../../server/platform/event-log.ts';

/** What a person is told: once per key, in the bell and from there by email and push. */
export interface Notice {
  userId: string;
  kind: NotificationKind;
  key: string;
  title: string;
  body: string;
  /** A path of the web client. */
  link: string;
}

/** What is worth a second look after a while, once per key. */
export interface Reminder {
  userId: string;
  kind: NotificationKind;
  key: string;
}

/** What a reaction may do; all of it happens in one transaction or not at all. */
export interface Ways {
  tx: Transaction;
  tell(notice: Notice): Promise<void>;
  remindLater(reminder: Reminder): Promise<void>;
  /** A mail that no preference holds back and no bell shows. */
  mail(mail: { userId: string; kind: string; key: string }): Promise<void>;
}

type EventName = LoggedEvent['name'];

export type Reactions = {
  [Name in EventName]?: (event: Extract<LoggedEvent, { name: Name }>, ways: Ways) => Promise<void>;
};

/** One kind of notification: when it arises and how its mails are worded. */
export interface Definition {
  kind: NotificationKind;
  reactions: Reactions;
  /** The second look that a reminder asked for. */
  remind?: (key: string, ways: Ways) => Promise<void>;
  /** The words on a mail's button. */
  action: string;
  /** The subject of one mail about several; without it each gets a mail of its own. */
  digest?: (count: number) => string;
  /** Mailed at once: by the time it arises, waiting has been done already. */
  isUrgent?: true;
}
