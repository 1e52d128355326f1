import type { Transaction } from '../../../prisma/client.ts';
import { currentRequestId } from '../process/request-context.ts';

/**
 * The kinds of timers. Each has one definition in `workers/timers.ts`, and its timers' keys begin with its
 * name.
 */
const TIMER_KINDS = [
  'order.unanswered',
  'order.reminder',
  'order.cutoff',
  'order.change',
  'order.changeReminder',
  'message.unread',
  'picklist.changed',
  'stock.return',
  // Of the release before; what it looks for is a wave.
  'stock.back',
  'stock.wave',
  'farm.newProducts',
  'slots.nextDay',
  'attention',
  'farm.resume',
  'farm.certificate',
  'farm.organic',
  'product.import',
] as const;
export type TimerKind = (typeof TIMER_KINDS)[number];

/** Timers that come a while after an event, as the environment says. The others have a time of their own. */
export type DelayedTimerKind = Exclude<
  TimerKind,
  | 'order.cutoff'
  | 'order.change'
  | 'order.changeReminder'
  | 'stock.return'
  | 'slots.nextDay'
  | 'attention'
  | 'farm.resume'
  | 'farm.certificate'
  | 'farm.organic'
  | 'product.import'
>;

/** Written as the reason of what was dropped because it came too late: `/admin/health` counts it. */
export const OUTDATED = 'Outdated';

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
export const setTimer = (tx: Transaction, timer: NewTimer): Promise<void> => setTimers(tx, [timer]);

/**
 * Sets several timers, each of another key, as {@link setTimer} does. A statement that writes other rows too has
 * {@link setTimersIn}.
 */
export async function setTimers(tx: Transaction, timers: readonly NewTimer[]): Promise<void> {
  await tx.$executeRawUnsafe(
    setTimersIn('$1', '$2'),
    timersParameter(timers),
    currentRequestId() ?? null,
  );
}

/** Returns timers as a parameter of {@link setTimersIn}. */
const timersParameter = (timers: readonly NewTimer[]): string =>
  // By key: anyone who sets several of the same ones at once waits for the other instead of locking it out.
  JSON.stringify([...timers].sort((one, other) => (one.key < other.key ? -1 : 1)));

/**
 * What sets the timers of a parameter, with the request's id in another: a statement, or a part of one, which may name
 * a condition.
 */
const setTimersIn = (
  timers: `$${number}`,
  requestId: `$${number}`,
  condition = 'true',
): string => `INSERT INTO timers (key, kind, due_at, request_id)
    SELECT key, kind, "dueAt", ${requestId}::text
    FROM json_to_recordset(${timers}::json) AS timer (key text, kind text, "dueAt" timestamptz(3))
    WHERE ${condition}
    ON CONFLICT (key) DO UPDATE SET kind = EXCLUDED.kind, due_at = EXCLUDED.due_at, done_at = NULL,
      attempts = 0, error = NULL, restored_at = NULL, request_id = EXCLUDED.request_id`;
