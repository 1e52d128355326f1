import type { NotificationKind } from '#contract/notifications';
import type { Transaction } from '../../prisma/client.ts';
import type { LoggedEvent } from '../../server/platform/event-log.ts';

interface Addressed {
  userId: string;
  /** What it stands for: the same key has its effect once per person, however often it is told. */
  key: string;
}

/** What comes of an event. The effects of one event are carried out in their order, all or none. */
export type Effect =
  /** Tells a person in the bell, and from there by email and push. */
  | (Addressed & {
      do: 'tell';
      kind: NotificationKind;
      title: string;
      body: string;
      /** A path of the web client. */
      link: string;
      /** Told only if this mark was not set, and sets it. */
      mark?: string;
    })
  /** Has a second look after a while. */
  | (Addressed & { do: 'remind'; kind: NotificationKind })
  /** Sends a mail that no preference holds back and no bell shows. */
  | (Addressed & { do: 'mail'; kind: string })
  /** Sets a mark without telling anybody. */
  | (Addressed & { do: 'mark'; kind: NotificationKind })
  /** Takes a mark away. */
  | { do: 'unmark'; key: string };

type EventName = LoggedEvent['name'];

/** What each event calls for; nothing is read, so that any number of events costs one statement. */
export type Reactions = {
  [Name in EventName]?: (event: Extract<LoggedEvent, { name: Name }>) => Effect[];
};

/** One kind of notification: when it arises and how its mails are worded. */
export interface Definition {
  kind: NotificationKind;
  reactions: Reactions;
  /** The second look that a reminder asked for. */
  remind?: (key: string, tx: Transaction) => Promise<Effect[]>;
  /** The words on a mail's button. */
  action: string;
  /** The subject of one mail about several; without it each gets a mail of its own. */
  digest?: (count: number) => string;
  /** Mailed at once: by the time it arises, waiting has been done already. */
  isUrgent?: true;
}
