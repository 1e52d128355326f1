import { answerByMs } from '#contract/ordering/orders/constants';
import type { NewTimer } from '../../platform/stores/timers.ts';
import type { OrderRow } from '../model/present.ts';
import type { ProposalRow } from '../model/present-lines.ts';

/** The last reminder comes so long before the end, in milliseconds. */
const LAST_CALL_MS = 10 * 60_000;

/** Returns until when a buyer can answer a proposal that is made `now`: see {@link answerByMs}. */
export function answerByOf(
  { startsAt }: Pick<OrderRow, 'startsAt'>,
  now: Date,
  answerMinutes: number,
): Date | null {
  const startsAtMs = startsAt === null ? null : new Date(startsAt).getTime();
  const untilMs = answerByMs(startsAtMs, now.getTime(), answerMinutes);
  return untilMs === null ? null : new Date(untilMs);
}

/** Returns when the buyer is reminded of a proposal: half-way, and ten minutes before the end. */
export function remindersOf(createdAt: Date, answerBy: Date): Date[] {
  const [from, to] = [createdAt.getTime(), answerBy.getTime()];
  const half = from + (to - from) / 2;
  const last = to - LAST_CALL_MS;
  return (last > half ? [half, last] : [half]).map((at) => new Date(at));
}

/** The key of the timer that ends a proposal. */
export const expiryKey = (proposalId: string) => `order.change:${proposalId}` as const;

/** Returns the timers that end a proposal and remind of it. */
export function proposalTimers({ id, createdAt, answerBy }: ProposalRow): NewTimer[] {
  const reminders = remindersOf(new Date(createdAt), new Date(answerBy));
  return [
    { kind: 'order.change', key: expiryKey(id), dueAt: new Date(answerBy) },
    ...reminders.map((dueAt, index) => ({
      kind: 'order.changeReminder' as const,
      key: `order.changeReminder:${id}:${index + 1}` as const,
      dueAt,
    })),
  ];
}
