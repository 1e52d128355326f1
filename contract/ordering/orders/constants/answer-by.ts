const MINUTE_MS = 60_000;
/** However near the handover is, the buyer has this long to answer. */
const SHORTEST_MS = 10 * MINUTE_MS;
/** A proposal is answered this long before the handover at the latest, so that there is time to pack. */
const BEFORE_HANDOVER_MS = 60 * MINUTE_MS;

/**
 * Returns until when a buyer can answer a proposal that is made now: the farm's minutes, an hour before the handover at
 * the latest but ten minutes at least, and never later than the handover. Null where that has begun. Instants are
 * milliseconds since the epoch; `startsAtMs` is null for an order whose handover has no instant.
 */
export function answerByMs(
  startsAtMs: number | null,
  nowMs: number,
  answerMinutes: number,
): number | null {
  const wishedMs = nowMs + answerMinutes * MINUTE_MS;
  const shortestMs = nowMs + SHORTEST_MS;
  if (startsAtMs === null) return Math.max(wishedMs, shortestMs);
  if (startsAtMs <= nowMs) return null;
  const inTimeMs = Math.min(wishedMs, startsAtMs - BEFORE_HANDOVER_MS);
  return Math.min(Math.max(inTimeMs, shortestMs), startsAtMs);
}
