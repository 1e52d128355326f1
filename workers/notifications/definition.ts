import type { NotificationKind } from '#contract/notifications';
import type { Transaction } from '../../prisma/client.ts';
import type { LoggedEvent } from '../../server/events/event-log.ts';

interface Addressed {
  userId: string;
  /** Idempotency key: one effect per person and key, however often it is asked for. */
  key: string;
}

/** What an event calls for. The effects of one event are applied in their order, all or none. */
export type Effect =
  /** Notifies a person in the app, and from there by email and push as they prefer. */
  | (Addressed & {
      do: 'notify';
      kind: NotificationKind;
      title: string;
      body: string;
      /** A path of the web client. */
      link: string;
      /** Notifies only if this flag is not set, and sets it. */
      unlessFlag?: string;
    })
  /** Runs the kind's `remind` after a while. */
  | (Addressed & { do: 'schedule'; kind: NotificationKind })
  /** Sends a transactional mail: not configurable, not shown in the app. */
  | (Addressed & { do: 'mail'; kind: string })
  /** Sets the flag `key` without notifying anybody. */
  | (Addressed & { do: 'setFlag'; kind: NotificationKind })
  | { do: 'clearFlag'; key: string };

type EventName = LoggedEvent['name'];

/** What each event calls for. Reactions read nothing, so that many events share one statement. */
export type Reactions = {
  [Name in EventName]?: (event: Extract<LoggedEvent, { name: Name }>) => Effect[];
};

/** One kind of notification: when it arises and how its mails are worded. */
export interface Definition<Kind extends NotificationKind = NotificationKind> {
  kind: Kind;
  reactions: Reactions;
  /** What a scheduled reminder calls for when its time has come. */
  remind?: (key: string, tx: Transaction) => Promise<Effect[]>;
  /** The words on a mail's button. */
  action: string;
  /**
   * The subject of a mail about one notification. It goes to addresses that may belong to somebody
   * else, so it never holds what a person wrote, such as a name.
   */
  subject: (notification: { title: string }) => string;
  /** The subject of one mail about several; without it each gets a mail of its own. */
  digest?: (count: number) => string;
  /** Mailed at once: by the time it arises, the person has had time to see it. */
  isUrgent?: true;
}
