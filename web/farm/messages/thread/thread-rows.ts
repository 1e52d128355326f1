import type { Message } from '#contract/farm/messages/messages';
import type { OutboxEntry } from '../outbox.ts';

/** The delivery state of the user's own message. */
export type Delivery = OutboxEntry['state'] | 'sent' | 'read';

/** A message as its bubble shows it; `delivery` is set for the user's own messages. */
export type Bubble = Pick<Message, '_id' | 'content' | 'createdAt' | 'relatedOrder' | 'author'> & {
  isOwn: boolean;
  delivery: Delivery | undefined;
  /** Why the server refused the message. */
  refusal?: string | undefined;
};

/** A row of a thread. */
type Row =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string }
  | { kind: 'message'; key: string; bubble: Bubble; isFirstOfGroup: boolean };

/** Messages of one person within this time form a group. */
const GROUP_MINUTES = 5;

function toBubble(message: Message, me: string): Bubble {
  const isOwn = message.sender._id === me;
  const delivery = message.isRead ? 'read' : 'sent';
  return { ...message, isOwn, delivery: isOwn ? delivery : undefined };
}

function isSameGroup(a: Bubble, b: Bubble): boolean {
  const minutes = (Date.parse(b.createdAt) - Date.parse(a.createdAt)) / 60_000;
  return a.isOwn === b.isOwn && a.author?._id === b.author?._id && minutes < GROUP_MINUTES;
}

/**
 * Returns the rows of a thread: the messages (given latest first) in time order, then unsent ones, with
 * a row where each day begins and one before the first unread message.
 */
export function threadRows(
  messages: readonly Message[],
  unsent: readonly OutboxEntry[],
  me: string,
  unreadFrom: string | undefined,
): Row[] {
  const bubbles = [
    ...messages.map((message) => toBubble(message, me)).reverse(),
    ...unsent.map((entry): Bubble => ({ ...entry, isOwn: true, delivery: entry.state })),
  ];
  const rows: Row[] = [];
  let before: Bubble | undefined;
  for (const bubble of bubbles) {
    const day = new Date(bubble.createdAt).toDateString();
    const isNewDay = !before || new Date(before.createdAt).toDateString() !== day;
    if (isNewDay) rows.push({ kind: 'day', key: `day ${day}`, at: bubble.createdAt });
    const isUnreadHere = bubble._id === unreadFrom;
    if (isUnreadHere) rows.push({ kind: 'unread', key: 'unread' });
    const isFirstOfGroup = isNewDay || isUnreadHere || !before || !isSameGroup(before, bubble);
    rows.push({ kind: 'message', key: bubble._id, bubble, isFirstOfGroup });
    before = bubble;
  }
  return rows;
}
