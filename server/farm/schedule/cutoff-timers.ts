import type { Cutoff } from '#contract/farm/schedule/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { currentRequestId } from '../../platform/process/request-context.ts';
import { cutoffInstant } from './rules.ts';

/** The kind of the timers that look at unanswered orders when their cut-off comes. */
export const CUTOFF_TIMER = 'order.cutoff';

/** Returns the key of the timer of a farm's day, or of one that an order of that day has for itself. */
export const cutoffTimerKey = (
  farmId: string,
  date: string,
  orderId?: string,
): `${typeof CUTOFF_TIMER}:${string}` =>
  `${CUTOFF_TIMER}:${farmId}:${date}${orderId === undefined ? '' : `:${orderId}`}`;

/** Returns the farm, the day and the order that a timer's key names. @throws Error for a key of another form */
export function readCutoffTimerKey(key: string): {
  farmId: string;
  date: string;
  orderId: string | undefined;
} {
  const [kind, farmId, date, orderId] = key.split(':');
  if (kind !== CUTOFF_TIMER || !farmId || !date)
    throw new Error(`Not the key of a cut-off: ${key}`);
  return { farmId, date, orderId };
}

interface WaitingDay {
  farmId: string;
  /** Null in both or neither. */
  daysBefore: number | null;
  time: string | null;
  timeZone: string;
  date: string;
}

// $1 the farms. Orders whose handover has begun are left to people; no timer has a year of five digits.
const WAITING = `SELECT o.farmer_id AS "farmId", farm.cutoff_days_before AS "daysBefore",
    farm.cutoff_time AS time, farm.time_zone AS "timeZone", o.date::text AS date
  FROM orders o JOIN farmer_profiles farm ON farm.user_id = o.farmer_id
  WHERE o.farmer_id = ANY ($1::uuid[]) AND o.status = 'pending' AND o.starts_at > now()
    AND o.date < '3000-01-01'
  GROUP BY o.farmer_id, farm.user_id, o.date`;

// $1 the timers, $2 the request's id. One that has run at this very time has nothing more to do.
const SET = `INSERT INTO timers (key, kind, due_at, request_id)
  SELECT key, '${CUTOFF_TIMER}', "dueAt", $2
  FROM json_to_recordset($1::json) AS timer (key text, "dueAt" timestamptz(3))
  ORDER BY key
  ON CONFLICT (key) DO UPDATE SET kind = EXCLUDED.kind, due_at = EXCLUDED.due_at, done_at = NULL,
    attempts = 0, error = NULL, request_id = EXCLUDED.request_id
  WHERE timers.due_at <> EXCLUDED.due_at`;

/**
 * Moves the timers of all days with pending orders to their cut-off. Call it in the transaction that changes
 * the cut-off or the time zone, once the farms' rows are locked and before any order is. A zone that is not
 * written yet is given. Timers without a cut-off stay: they find nothing to do.
 */
export async function moveCutoffTimers(
  tx: Transaction,
  farmIds: string | readonly string[],
  newTimeZone?: string,
): Promise<void> {
  const days = await tx.$queryRawUnsafe<WaitingDay[]>(WAITING, [farmIds].flat());
  const timers = days.flatMap(({ farmId, daysBefore, time, timeZone, date }) => {
    const cutoff: Cutoff | null =
      daysBefore === null || time === null ? null : { daysBefore, time };
    const dueAt = cutoffInstant(cutoff, date, newTimeZone ?? timeZone);
    return dueAt ? [{ key: cutoffTimerKey(farmId, date), dueAt }] : [];
  });
  if (timers.length === 0) return;
  await tx.$executeRawUnsafe(SET, JSON.stringify(timers), currentRequestId() ?? null);
}
