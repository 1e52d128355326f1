import type { Transaction } from '../../../prisma/client.ts';
import { dayRulesOf } from '../../farm/farmers/present.ts';
import { CUTOFF_TIMER, cutoffInstant, cutoffTimerKey } from '../../farm/schedule/policy.ts';
import type { NewTimer } from '../../platform/stores/timers.ts';
import { proposalTimers } from '../changes/answer-by.ts';
import { dayOf } from '../model/handover.ts';
import type { OrderRow } from '../model/present.ts';
import type { ProposalRow } from '../model/present-lines.ts';

/** An order before and after a move. */
export interface Moved {
  before: OrderRow;
  after: OrderRow;
}

/**
 * Returns an order that has moved with its open proposal ending no later than its handover begins. One whose time is
 * over stays as it is: its timer is about to end it.
 */
export const answeredInTime = (order: OrderRow, at: Date): OrderRow => ({
  ...order,
  proposals: order.proposals.map((proposal) => {
    const { answerBy } = proposal;
    const [untilMs, nowMs] = [new Date(answerBy).getTime(), at.getTime()];
    const startsMs = order.startsAt === null ? untilMs : new Date(order.startsAt).getTime();
    const isLate = nowMs < untilMs && startsMs < untilMs;
    return isLate ? { ...proposal, answerBy: new Date(startsMs).toISOString() } : proposal;
  }),
});

// $1 proposals with the time that they now end at.
const WRITE_ANSWER_BY = `UPDATE order_proposals known SET answer_by = sooner."answerBy"
  FROM json_to_recordset($1::json) AS sooner (id uuid, "answerBy" timestamptz(3))
  WHERE known.id = sooner.id AND known.status = 'open'`;

/**
 * Writes until when the proposals of moved orders can be answered, where {@link answeredInTime} has changed it.
 * @returns their timers. A reminder that would have come already is left out.
 */
export async function writeAnswerTimes(
  tx: Transaction,
  moved: readonly Moved[],
  at: Date,
): Promise<NewTimer[]> {
  const sooner = moved.flatMap(({ before, after }): ProposalRow[] =>
    after.proposals.filter((proposal) => !before.proposals.includes(proposal)),
  );
  if (sooner.length === 0) return [];
  const rows = sooner.map(({ id, answerBy }) => ({ id, answerBy }));
  await tx.$executeRawUnsafe(WRITE_ANSWER_BY, JSON.stringify(rows));
  return sooner
    .flatMap(proposalTimers)
    .filter(({ kind, dueAt }) => kind === 'order.change' || dueAt > at);
}

/**
 * Returns the timers that let the cut-off of their new day look at orders that wait for the farm. That of the old day
 * finds them no longer. Each order has its own: see `cutoff-follow-up.ts`. A day whose cut-off has passed gets none but to
 * accept: whoever moved an order there is not to see it rejected, nor to be reminded of it at once. A zone that is not
 * written yet is given.
 */
export async function cutoffTimersOf(
  tx: Transaction,
  moved: readonly Moved[],
  at: Date,
  newTimeZone?: string,
): Promise<NewTimer[]> {
  const waiting = moved.filter(
    ({ before, after }) => after.status === 'pending' && dayOf(before) !== dayOf(after),
  );
  const [first] = waiting;
  if (!first) return [];
  const farm = await tx.farmerProfile.findUnique({ where: { userId: first.after.farmerId } });
  if (!farm) return [];
  const { cutoff } = dayRulesOf(farm);
  return waiting.flatMap(({ after: { farmerId, id, ...after } }) => {
    const day = dayOf(after);
    const dueAt = cutoffInstant(cutoff, day, newTimeZone ?? farm.timeZone);
    if (!dueAt || (dueAt <= at && farm.atCutoff !== 'accept')) return [];
    return [{ kind: CUTOFF_TIMER, key: cutoffTimerKey(farmerId, day, id), dueAt }];
  });
}
