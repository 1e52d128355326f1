import type { Order, UpdatedOrder } from '#contract/ordering/orders/orders';
import { room } from '#contract/platform/events/constants';
import { msg, t } from '#contract/platform/text/constants/texts';
import { dayIn } from '#contract/platform/time/constants';
import { silentForOrder } from '../../../server/ordering/attention/circumstances.ts';
import { CONCERNS } from '../../../server/ordering/attention/receivers.ts';
import { presentOrder, readOrders } from '../../../server/ordering/model/present.ts';
import { answerAtCutoff, type CutoffOutcome } from '../../../server/ordering/status/at-cutoff.ts';
import { record } from '../../../server/platform/events/event-log.ts';
import { OUTDATED, setTimer } from '../../../server/platform/stores/timers.ts';
import { ADMINS, type Definition, type Effect, settle } from '../engine/definition.ts';
import { TRIED } from './attention/words.ts';
import { costOf, handoverOf, noticeTo, settleFor } from './order-words.ts';

// Orders that wait for the farm.

/** Whether an order was answered by this change; the consumer's answer to a proposal may be it too. */
const hasLeftPending = ({ change, status, timeline }: UpdatedOrder): boolean =>
  change.kind === 'status'
    ? change.from === 'pending'
    : status !== 'pending' && timeline.at(-1)?.kind === 'status';

const USER_ROOM = room.user('');
/** Takes a customer off those who wait for what they have bought. */
const endWaits = ({ consumer, items }: Pick<Order, 'consumer' | 'items'>): Effect => ({
  do: 'endWaits',
  userId: consumer._id,
  productIds: items.flatMap(({ product }) => product._id ?? []),
});

/** Notifies the farmer of a new order. */
const orderPlaced: Definition<'order.placed'> = {
  kind: 'order.placed',
  reach: 'own',
  concerns: CONCERNS['order.placed'],
  hasPlan: true,
  action: msg('View order'),
  subject: ({ customer }, nameOf) => {
    const name = nameOf(customer);
    return name ? t('New order from {customer}', { customer: name }) : t('You have a new order');
  },
  digest: (count) => t('{count, plural, one {# new order} other {# new orders}}', { count }),
  reactions: {
    'order.created': ({ data: order }) => [
      noticeTo('farmer', order, {
        kind: 'order.placed',
        key: `order.placed:${order._id}`,
        params: {
          order: order._id,
          customer: { _id: order.consumer._id },
          count: order.items.length,
          cost: costOf(order),
          handover: handoverOf(order),
        },
        asks: { farmId: order.farmer._id, orderId: order._id, subjectId: order._id },
      }),
      endWaits(order),
    ],
    // Somebody tries out how they are told of it.
    'attention.tried': ({ id, rooms }) =>
      rooms.flatMap((each): Effect[] =>
        each.startsWith(USER_ROOM)
          ? [
              {
                do: 'tryPush',
                userId: each.slice(USER_ROOM.length),
                kind: 'order.placed',
                key: `${TRIED}${id}`,
              },
            ]
          : [],
      ),
    // An answered order, also a cancelled one, does not wait for the farmer any more.
    'order.updated': ({ data: order }) => [
      ...(hasLeftPending(order)
        ? [settleFor('farmer', order, 'order.placed', 'order.unanswered')]
        : []),
      ...(order.change.kind === 'lines' && order.change.cause === 'buyer' ? [endWaits(order)] : []),
    ],
  },
};

const PREFIX = 'order.unanswered:';
/** Ends the key of the timer by which a farm is reminded after its quiet hours. */
const AWAKE = 'awake';

/** Notifies the farmer again, and admins, of an order that is unanswered for too long. */
const orderUnanswered: Definition<'order.unanswered'> = {
  kind: 'order.unanswered',
  reach: 'own',
  concerns: 'answerOrders',
  action: msg('Answer the order'),
  subject: ({ customer }, nameOf) => {
    const name = nameOf(customer);
    return name
      ? t('{customer} is waiting for your answer', { customer: name })
      : t('An order is waiting for your answer');
  },
  isUrgent: true,
  reactions: {
    'order.created': ({ data: { _id, farmer } }) => [
      { do: 'schedule', userId: farmer._id, kind: 'order.unanswered', key: PREFIX + _id },
    ],
  },
  remind: async (key, tx) => {
    const [orderId = '', isLater] = key.slice(PREFIX.length).split(':');
    const [row] = await readOrders(tx, [orderId]);
    if (row?.status !== 'pending') return [];
    const order = presentOrder(row);
    const over = await tx.$queryRaw<unknown[]>`
      SELECT FROM orders WHERE id = ${row.id}::uuid AND ends_at < now()`;
    // Nobody can answer it in time any more: a worker has stood still, or the timer comes from a backup.
    if (over.length > 0) return OUTDATED;
    if (!isLater) {
      await record(tx, { name: 'order.unanswered', data: order, rooms: [room.admins] });
    }
    const silentUntil = isLater ? null : await silentForOrder(tx, orderId);
    // Admins are told at once, and the farm when it is awake.
    if (silentUntil) {
      const later = { kind: 'order.unanswered', key: `${PREFIX}${orderId}:${AWAKE}` } as const;
      await setTimer(tx, { ...later, dueAt: silentUntil });
      return [leftUnanswered(order)];
    }
    return [
      // The reminder takes the place of the notification of the order.
      settleFor('farmer', order, 'order.placed'),
      noticeTo('farmer', order, {
        kind: 'order.unanswered',
        key: PREFIX + orderId,
        params: {
          order: order._id,
          customer: { _id: order.consumer._id },
          cost: costOf(order),
          handover: handoverOf(order),
        },
      }),
      ...(isLater ? [] : [leftUnanswered(order)]),
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
  params: { order: order._id, cost: costOf(order), handover: handoverOf(order) },
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
  action: msg('View order'),
  subject: () => t('An order is waiting for an answer'),
  digest: (count) =>
    t(
      '{count, plural, one {# order is waiting for an answer} other {# orders are waiting for an answer}}',
      { count },
    ),
  reactions: {
    'order.updated': ({ data: order }) =>
      hasLeftPending(order) ? [settle(ADMINS, adminLinkOf(order), 'order.leftUnanswered')] : [],
  },
};

const LINK = '/farmer/orders';

function effectOf(outcome: CutoffOutcome): Effect {
  const { farmId, date, timeZone, cutoffAt, did, count, freedAt } = outcome;
  return {
    do: 'notify',
    userId: farmId,
    kind: 'order.cutoff',
    // Once per cut-off, in however many runs the orders are answered; and again when a consumer's time to answer is
    // over.
    key: `order.cutoff:${farmId}:${date}:${cutoffAt.getTime()}:${did}${freedAt ? `:${freedAt.getTime()}` : ''}`,
    params: { did, count, date, today: dayIn(timeZone) },
    link: LINK,
    about: `${LINK} ${date}`,
  };
}

/** Answers the orders that are pending at the cut-off of their day, or reminds the farm of them. */
const orderCutoff: Definition<'order.cutoff'> = {
  kind: 'order.cutoff',
  reach: 'own',
  concerns: 'answerOrders',
  action: msg('View orders'),
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
