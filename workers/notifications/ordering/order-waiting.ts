import type { Order, UpdatedOrder } from '#contract/ordering/orders/orders';
import { room } from '#contract/platform/events/constants';
import { dayIn, formatDay } from '#contract/platform/time/constants';
import { presentOrder, readOrders } from '../../../server/ordering/model/present.ts';
import { answerAtCutoff, type CutoffOutcome } from '../../../server/ordering/status/at-cutoff.ts';
import { record } from '../../../server/platform/events/event-log.ts';
import { OUTDATED } from '../../../server/platform/stores/timers.ts';
import { ADMINS, type Definition, type Effect, settle } from '../engine/definition.ts';
import { counted, nameInText } from '../engine/wording.ts';
import { handoverOf, noticeTo, orderName, settleFor, totalInText } from './order-words.ts';

// Orders that wait for the farm.

/** Whether an order was answered by this change; the consumer's answer to a proposal may be it too. */
const hasLeftPending = ({ change, status, timeline }: UpdatedOrder): boolean =>
  change.kind === 'status'
    ? change.from === 'pending'
    : status !== 'pending' && timeline.at(-1)?.kind === 'status';

/** Notifies the farmer of a new order. */
const orderPlaced: Definition<'order.placed'> = {
  kind: 'order.placed',
  reach: 'own',
  concerns: 'answerOrders',
  action: 'View order',
  subject: () => 'You have a new order',
  digest: (count) => `${count} new orders`,
  reactions: {
    'order.created': ({ data: order }) => [
      noticeTo('farmer', order, {
        kind: 'order.placed',
        key: `order.placed:${order._id}`,
        title: `New order from ${nameInText(order.consumer.name)}`,
        body: `Order ${orderName(order)}: ${counted(order.items.length, 'item')}, ${totalInText(order)}, ${handoverOf(order)}.`,
      }),
    ],
    // An answered order, also a cancelled one, does not wait for the farmer any more.
    'order.updated': ({ data: order }) =>
      hasLeftPending(order) ? [settleFor('farmer', order, 'order.placed', 'order.unanswered')] : [],
  },
};

const PREFIX = 'order.unanswered:';

/** Notifies the farmer again, and admins, of an order that is unanswered for too long. */
const orderUnanswered: Definition<'order.unanswered'> = {
  kind: 'order.unanswered',
  reach: 'own',
  concerns: 'answerOrders',
  action: 'Answer the order',
  subject: () => 'An order is waiting for your answer',
  isUrgent: true,
  reactions: {
    'order.created': ({ data: { _id, farmer } }) => [
      { do: 'schedule', userId: farmer._id, kind: 'order.unanswered', key: PREFIX + _id },
    ],
  },
  remind: async (key, tx) => {
    const [row] = await readOrders(tx, [key.slice(PREFIX.length)]);
    if (row?.status !== 'pending') return [];
    const order = presentOrder(row);
    const over = await tx.$queryRaw<unknown[]>`
      SELECT FROM orders WHERE id = ${row.id}::uuid AND ends_at < now()`;
    // Nobody can answer it in time any more: a worker has stood still, or the timer comes from a backup.
    if (over.length > 0) return OUTDATED;
    await record(tx, { name: 'order.unanswered', data: order, rooms: [room.admins] });
    return [
      // The reminder takes the place of the notification of the order.
      settleFor('farmer', order, 'order.placed'),
      noticeTo('farmer', order, {
        kind: 'order.unanswered',
        key,
        title: `${nameInText(order.consumer.name)} is waiting for your answer`,
        body: `Order ${orderName(order)} (${totalInText(order)}, ${handoverOf(order)}) is still waiting. Accept or reject it so your customer can plan.`,
      }),
      leftUnanswered(order),
    ];
  },
};

const adminLinkOf = ({ _id }: Pick<Order, '_id'>): string => `/admin/orders/${_id}`;

/** Returns the notification to admins of an order that a farm leaves without an answer. */
const leftUnanswered = (order: Order): Effect => ({
  do: 'notify',
  userId: ADMINS,
  kind: 'order.leftUnanswered',
  key: `order.leftUnanswered:${order._id}`,
  // Without names, which would have to be cleared with an account.
  title: `Order ${orderName(order)} is waiting for an answer`,
  body: `The farm has left it open for too long (${totalInText(order)}, ${handoverOf(order)}).`,
  link: adminLinkOf(order),
  // A farm that leaves many orders open is named in one mail.
  about: '/admin/orders',
});

/**
 * Notifies admins of orders that wait too long for a farm, until they are answered. The notification itself comes
 * with the farm's own reminder.
 */
const orderLeftUnanswered: Definition<'order.leftUnanswered'> = {
  kind: 'order.leftUnanswered',
  // The clock causes it, for a farm that does not answer: all of them are paced as one.
  reach: 'own',
  action: 'View order',
  subject: () => 'An order is waiting for an answer',
  digest: (count) => `${count} orders are waiting for an answer`,
  reactions: {
    'order.updated': ({ data: order }) =>
      hasLeftPending(order) ? [settle(ADMINS, adminLinkOf(order), 'order.leftUnanswered')] : [],
  },
};

const LINK = '/farmer/orders';

const AS_CHOSEN =
  'Without an answer when orders for that day closed, as you chose in your settings.';
const TEXTS: Record<CutoffOutcome['did'], { is: [one: string, many: string]; body: string }> = {
  remind: {
    is: ['is waiting for your answer', 'are waiting for your answer'],
    body: 'Orders for that day are closed now. Accept or reject what is waiting, so your customers can plan.',
  },
  accept: { is: ['was accepted', 'were accepted'], body: AS_CHOSEN },
  reject: { is: ['was rejected', 'were rejected'], body: AS_CHOSEN },
};

function effectOf(outcome: CutoffOutcome): Effect {
  const { farmId, date, timeZone, cutoffAt, did, count, freedAt } = outcome;
  const { is, body } = TEXTS[did];
  const day = formatDay(date, dayIn(timeZone));
  return {
    do: 'notify',
    userId: farmId,
    kind: 'order.cutoff',
    // Once per cut-off, in however many runs the orders are answered; and again when a consumer's time to answer is
    // over.
    key: `order.cutoff:${farmId}:${date}:${cutoffAt.getTime()}:${did}${freedAt ? `:${freedAt.getTime()}` : ''}`,
    title: `${counted(count, 'order')} for ${day} ${is[count === 1 ? 0 : 1]}`,
    body,
    link: LINK,
    about: `${LINK} ${date}`,
  };
}

/** Answers the orders that are pending at the cut-off of their day, or reminds the farm of them. */
const orderCutoff: Definition<'order.cutoff'> = {
  kind: 'order.cutoff',
  reach: 'own',
  concerns: 'answerOrders',
  action: 'View orders',
  isUrgent: true,
  reactions: {},
  remind: async (key, tx) => {
    const outcomes = await answerAtCutoff(tx, key);
    return outcomes === OUTDATED ? OUTDATED : outcomes.map(effectOf);
  },
};

/** By kind. */
export const waitingOrders = {
  'order.cutoff': orderCutoff,
  'order.leftUnanswered': orderLeftUnanswered,
  'order.placed': orderPlaced,
  'order.unanswered': orderUnanswered,
};
