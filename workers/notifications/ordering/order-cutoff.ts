import { dayIn, formatDay } from '#contract/platform/time/constants';
import { answerAtCutoff, type CutoffOutcome } from '../../../server/ordering/status/at-cutoff.ts';
import { OUTDATED } from '../../../server/platform/stores/timers.ts';
import type { Definition, Effect } from '../engine/definition.ts';
import { counted } from '../engine/wording.ts';

const LINK = '/farmer/orders';

const TEXTS: Record<CutoffOutcome['did'], { is: [string, string]; body: string }> = {
  remind: {
    is: ['is waiting for your answer', 'are waiting for your answer'],
    body: 'Orders for that day are closed now. Accept or reject what is waiting, so your customers can plan.',
  },
  accept: {
    is: ['was accepted', 'were accepted'],
    body: 'Without an answer when orders for that day closed, as you chose in your settings.',
  },
  reject: {
    is: ['was rejected', 'were rejected'],
    body: 'Without an answer when orders for that day closed, as you chose in your settings.',
  },
};

function effectOf(outcome: CutoffOutcome): Effect {
  const { farmId, date, timeZone, cutoffAt, did, count, freedAt } = outcome;
  const { is, body } = TEXTS[did];
  const day = formatDay(date, dayIn(timeZone));
  return {
    do: 'notify',
    userId: farmId,
    kind: 'order.cutoff',
    // Once per cut-off, in however many runs the orders are answered; and again when a buyer's time to answer is over.
    key: `order.cutoff:${farmId}:${date}:${cutoffAt.getTime()}:${did}${freedAt ? `:${freedAt.getTime()}` : ''}`,
    title: `${counted(count, 'order')} for ${day} ${is[count === 1 ? 0 : 1]}`,
    body,
    link: LINK,
    about: `${LINK} ${date}`,
  };
}

/** Answers the orders that are pending at the cut-off of their day, or reminds the farm of them. */
export const orderCutoff: Definition<'order.cutoff'> = {
  kind: 'order.cutoff',
  concerns: 'answerOrders',
  action: 'View orders',
  // The title has no user-written text.
  subject: ({ title }) => title,
  isUrgent: true,
  reactions: {},
  remind: async (key, tx) => {
    const outcomes = await answerAtCutoff(tx, key);
    return outcomes === OUTDATED ? OUTDATED : outcomes.map(effectOf);
  },
};
