import type { Transaction } from '../../../prisma/client.ts';
import { dayRulesOf } from '../../farm/farmers/present.ts';
import { CUTOFF_TIMER, cutoffInstant, cutoffTimerKey } from '../../farm/schedule/rules.ts';
import type { NewTimer } from '../../platform/stores/timers.ts';
import { proposalTimers } from '../changes/answer-by.ts';
import { dayOf } from '../model/handover.ts';
import type { OrderRow } from '../model/present.ts';
import type { ProposalRow } from '../model/present-lines.ts';
import type { OrderPlan } from '../model/write.ts';

/**
 * Returns plans of orders that move with what follows from their new times: an open proposal ends no later than the handover
 * begins, and the cut-off of the new day looks at what waits for the farm. A zone that is not written yet is given.
 */
export async function withNewTimes(
  tx: Transaction,
  plans: readonly OrderPlan[],
  newTimeZone?: string,
): Promise<OrderPlan[]> {
  const timers = await cutoffTimersOf(tx, plans, newTimeZone);
  return plans.map((plan) => {
    const { before, handover, at } = plan;
    const sooner = soonerIn({ ...before, ...handover }, at);
    return {
      ...plan,
      proposals: sooner,
      timers: [
        // A reminder that would have come already is left out.
        ...sooner
          .flatMap(proposalTimers)
          .filter(({ kind, dueAt }) => kind === 'order.change' || dueAt > at),
        ...(timers.get(before.id) ?? []),
      ],
    };
  });
}

/** Returns the open proposals of an order that would end after its handover begins, with their new end. */
const soonerIn = ({ proposals, startsAt }: OrderRow, at: Date): ProposalRow[] =>
  proposals.flatMap((proposal) => {
    const untilMs = new Date(proposal.answerBy).getTime();
    const startsMs = startsAt === null ? untilMs : new Date(startsAt).getTime();
    // One whose time is over stays as it is: its timer is about to end it.
    if (at.getTime() >= untilMs || startsMs >= untilMs) return [];
    return [{ ...proposal, answerBy: new Date(startsMs).toISOString() }];
  });

/**
 * Returns the timers, by order, that let the cut-off of their new day look at orders that wait for the farm. That of the old
 * day finds them no longer. Each order has its own: see `cutoff-follow-up.ts`. A day whose cut-off has passed gets none but
 * to accept: whoever moved an order there is not to see it rejected, nor to be reminded of it at once.
 */
async function cutoffTimersOf(
  tx: Transaction,
  plans: readonly OrderPlan[],
  newTimeZone?: string,
): Promise<Map<string, NewTimer[]>> {
  const waiting = plans.filter(
    ({ before, handover }) =>
      before.status === 'pending' && dayOf(before) !== dayOf({ ...before, ...handover }),
  );
  const [first] = waiting;
  const farm =
    first && (await tx.farmerProfile.findUnique({ where: { userId: first.before.farmerId } }));
  if (!farm) return new Map();
  const { cutoff } = dayRulesOf(farm);
  return new Map(
    waiting.map(({ before, handover, at }) => {
      const { farmerId, id } = before;
      const day = dayOf({ ...before, ...handover });
      const dueAt = cutoffInstant(cutoff, day, newTimeZone ?? farm.timeZone);
      const isIn = dueAt && (dueAt > at || farm.atCutoff === 'accept');
      const key = cutoffTimerKey(farmerId, day, id);
      return [id, isIn ? [{ kind: CUTOFF_TIMER, key, dueAt }] : []];
    }),
  );
}
