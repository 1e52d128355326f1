import { ANSWER_MINUTES } from '#contract/constants/order-lines';

const MINUTE_MS = 60_000;
/** A farm needs to know this long before the handover. */
const BEFORE_HANDOVER_MS = 60 * MINUTE_MS;
const LEAST_MS = 10 * MINUTE_MS;

/**
 * Returns until when a buyer can answer a proposal that is made now: as many minutes as the farm gives, but an hour
 * before the handover; at least ten minutes from now, but never after the handover has begun. Undefined where it
 * has begun.
 */
export function answerByOf(
  now: Date,
  startsAt: Date | string | null,
  answerMinutes: number = ANSWER_MINUTES.standard,
): Date | undefined {
  const wanted = now.getTime() + answerMinutes * MINUTE_MS;
  if (startsAt === null) return new Date(wanted);
  const start = new Date(startsAt).getTime();
  if (start <= now.getTime()) return undefined;
  const latest = Math.max(now.getTime() + LEAST_MS, Math.min(wanted, start - BEFORE_HANDOVER_MS));
  return new Date(Math.min(latest, start));
}
