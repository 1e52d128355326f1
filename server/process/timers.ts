import type { Transaction } from '../../prisma/client.ts';
import { currentRequestId } from './request-context.ts';

/**
 * The kinds of timers. Each has one definition in `workers/timers.ts`, and its timers' keys begin with its
 * name.
 */
export const TIMER_KINDS = [
  'order.unanswered',
  'order.cutoff',
  'order.change',
  'order.changeReminder',
  'message.unread',
  'picklist.changed',
  'stock.return',
  'slots.nextDay',
] as const;
export type TimerKind = (typeof TIMER_KINDS)[number];

/** Timers that come a while after an event, as the environment says. The others have a time of their own. */
export type DelayedTimerKind = Exclude<
  TimerKind,
  'order.cutoff' | 'order.change' | 'order.changeReminder' | 'stock.return' | 'slots.nextDay'
>;

/** What is to happen, and when. */
export interface NewTimer {
  kind: TimerKind;
  /** The kind, a colon, and what it is about; there is one timer of a key. */
  key: `${TimerKind}:${string}`;
  dueAt: Date;
}

/**
 * Sets a timer in the transaction of whatever it follows from. One of the same key gets the new time, and
 * happens again if it has happened already. Nothing need take a timer back: its definition looks at the
 * present state, and does nothing where nothing is to be done.
 */
export async function setTimer(tx: Transaction, { kind, key, dueAt }: NewTimer): Promise<void> {
  const requestId = currentRequestId() ?? null;
  const anew = { kind, dueAt, doneAt: null, attempts: 0, error: null, requestId };
  await tx.timer.upsert({ where: { key }, create: { key, ...anew }, update: anew });
}
