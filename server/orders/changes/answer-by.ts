import type { OrderRow } from '../present.ts';

const MINUTE_MS = 60_000;
/** The shortest time to answer, and the time before the handover that is kept free, in milliseconds. */
const SHORTEST_MS = 10 * MINUTE_MS;
const BEFORE_HANDOVER_MS = 60 * MINUTE_MS;
/** The last reminder comes so long before the end, in milliseconds. */
const LAST_CALL_MS = 10 * MINUTE_MS;

/**
 * Returns until when a buyer can answer a proposal that is made `now`: the farm's minutes, an hour before the
 * handover at the latest but ten minutes at least, and never later than the handover. Null where that has begun.
 */
export function answerByOf(
  { startsAt }: Pick<OrderRow, 'startsAt'>,
  now: Date,
  answerMinutes: number,
): Date | null {
  const wished = now.getTime() + answerMinutes * MINUTE_MS;
  const shortest = now.getTime() + SHORTEST_MS;
  if (startsAt === null) return new Date(Math.max(wished, shortest));
  const start = new Date(startsAt).getTime();
  if (start <= now.getTime()) return null;
  return new Date(
    Math.min(Math.max(Math.min(wished, start - BEFORE_HANDOVER_MS), shortest), start),
  );
}

/** Returns when the buyer is reminded of a proposal: half-way, and ten minutes before the end. */
export function remindersOf(createdAt: Date, answerBy: Date): Date[] {
  const [from, to] = [createdAt.getTime(), answerBy.getTime()];
  const half = from + (to - from) / 2;
  const last = to - LAST_CALL_MS;
  return (last > half ? [half, last] : [half]).map((at) => new Date(at));
}
