import type { AtCutoff } from '#contract/farm/schedule/constants';
import { dayIn } from '#contract/platform/time/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { type DayRulesRow, dayRulesFields, dayRulesOf } from '../../farm/farmers/present.ts';
import {
  CUTOFF_TIMER,
  cutoffInstant,
  cutoffTimerKey,
  readCutoffTimerKey,
} from '../../farm/schedule/rules.ts';
import type { PersonRow } from '../../people/users/present.ts';
import { OUTDATED, setTimer } from '../../platform/stores/timers.ts';
import { changeLockedOrders, lockOrdersWhere } from '../model/open-orders.ts';
import { personRow } from '../model/present-lines.ts';

/** Orders that one run answers; the next run follows at once. */
const ORDERS_PER_RUN = 200;

const CAUSES = { accept: 'accepted_at_cutoff', reject: 'rejected_at_cutoff' } as const;
/** Those of orders whose consumer was asked about a change, which ended without accepting them. */
const CAUSES_AFTER_CHANGE = {
  accept: 'accepted_after_cutoff',
  reject: 'rejected_after_cutoff',
} as const;

/** What became of a day's unanswered orders at their cut-off. */
export interface CutoffOutcome {
  farmId: string;
  date: string;
  timeZone: string;
  cutoffAt: Date;
  did: AtCutoff;
  /** How many orders it was about. */
  count: number;
  /** When the last of them was freed by the end of a proposal; null where none was after the cut-off. */
  freedAt: Date | null;
}

interface PendingRow {
  id: string;
  isAhead: boolean | null;
  /** Whether the farm looks at it before it is accepted. */
  isToCheck: boolean;
  /** Whether a proposal waits for the consumer's answer. */
  isAsked: boolean;
  /** When the last proposal ended, if it was after the cut-off. */
  freedAt: Date | null;
}

interface FarmRow {
  founder: PersonRow;
  rules: DayRulesRow;
  atCutoff: AtCutoff;
  timeZone: string;
  now: Date;
}

// $1 the farm. Its founder, in whose name the orders are answered, is locked before any order.
const READ = `SELECT
    ${personRow('founder')} AS founder,
    json_build_object(${dayRulesFields('farm')}) AS rules,
    farm.at_cutoff::text AS "atCutoff", farm.time_zone AS "timeZone", clock_timestamp() AS now
  FROM users founder JOIN farmer_profiles farm ON farm.user_id = founder.id
  WHERE founder.id = $1::uuid AND founder.deleted_at IS NULL
  FOR KEY SHARE OF founder`;

// $1 orders that this transaction has locked, $2 the cut-off. A statement of its own, so that it sees the proposals
// that were committed while the locks were waited for.
const READ_LOCKED = `SELECT id, starts_at > clock_timestamp() AS "isAhead",
    is_area_open OR is_own_place AND end_time IS NULL AS "isToCheck",
    EXISTS (SELECT FROM order_proposals WHERE order_id = orders.id AND status = 'open') AS "isAsked",
    (SELECT max(at) FROM order_timeline
      WHERE order_id = orders.id AND kind = 'proposal' AND at > $2) AS "freedAt"
  FROM orders WHERE id = ANY ($1::uuid[]) ORDER BY id`;

/**
 * Answers the pending orders of a day whose cut-off has come as the farm chose, in the transaction that has
 * taken the timer. It looks at the present state: a cut-off that was moved on is waited for, and one that was
 * taken back leaves everything as it is. An order whose handover has begun already, or that the farm has to look at
 * first, is never accepted, only reminded of. What waits for its consumer's answer is skipped, and looked at when that time is over.
 * @returns what was done, nothing where nothing was pending; or that the day itself is over, when it is too late to
 * answer its orders
 */
export async function answerAtCutoff(
  tx: Transaction,
  key: string,
): Promise<CutoffOutcome[] | typeof OUTDATED> {
  const { farmId, date, orderId } = readCutoffTimerKey(key);
  // This very timer, whose row this transaction holds.
  const setAgain = (dueAt: Date) =>
    setTimer(tx, { kind: CUTOFF_TIMER, key: cutoffTimerKey(farmId, date, orderId), dueAt });
  const [farm] = await tx.$queryRawUnsafe<FarmRow[]>(READ, farmId);
  if (!farm) return [];
  const { timeZone, atCutoff, now } = farm;
  const cutoffAt = cutoffInstant(dayRulesOf(farm.rules).cutoff, date, timeZone);
  if (!cutoffAt) return [];
  if (cutoffAt > now) {
    await setAgain(cutoffAt);
    return [];
  }
  if (date < dayIn(timeZone, now)) return OUTDATED;
  const isPending = "farmer_id = $1::uuid AND date = $2::date AND status = 'pending'";
  const ids = await lockOrdersWhere(tx, isPending, farmId, date);
  const pending = await tx.$queryRawUnsafe<PendingRow[]>(READ_LOCKED, ids, cutoffAt);
  // What waits for its consumer is accepted by their answer; without one it is looked at again.
  const waiting = pending.filter(({ isAsked }) => !isAsked).sort(byFreedAt);
  const outcome = (did: AtCutoff, orders: readonly PendingRow[]): CutoffOutcome[] => {
    const count = orders.length;
    const freedAt = orders.at(-1)?.freedAt ?? null;
    return count === 0 ? [] : [{ farmId, date, timeZone, cutoffAt, did, count, freedAt }];
  };
  if (atCutoff === 'remind') return outcome('remind', waiting);

  const isAnswered = ({ isAhead, isToCheck }: PendingRow) =>
    atCutoff === 'reject' || (isAhead !== false && !isToCheck);
  const answered = waiting.filter(isAnswered);
  const first = answered.slice(0, ORDERS_PER_RUN);
  const freed = new Set(first.filter(({ freedAt }) => freedAt !== null).map(({ id }) => id));
  await changeLockedOrders(
    tx,
    first.map(({ id }) => id),
    {
      at: now,
      by: farm.founder,
      to: atCutoff === 'accept' ? 'accepted' : 'rejected',
      causeOf: (id) => (freed.has(id) ? CAUSES_AFTER_CHANGE : CAUSES)[atCutoff],
      returnsStock: atCutoff === 'reject',
    },
  );
  if (answered.length > first.length) await setAgain(cutoffAt);
  return [
    ...outcome(atCutoff, answered),
    ...outcome(
      'remind',
      waiting.filter((order) => !isAnswered(order)),
    ),
  ];
}

/** Sorts what was freed last to the end, so that the parts of one long run all have it. */
const byFreedAt = (one: PendingRow, other: PendingRow): number =>
  (one.freedAt?.getTime() ?? 0) - (other.freedAt?.getTime() ?? 0);
