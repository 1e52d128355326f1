import type { UpdatedOrder } from '#contract/ordering/orders/orders';
import type { Appointment } from '#contract/ordering/orders/pickup';
import { moveOf } from '#contract/people/notifications/constants/order-words';
import { DELETED_USER_NAME } from '#contract/people/users/constants';
import { msg, t } from '#contract/platform/text/constants/texts';
import { CONCERNS } from '../../../server/ordering/attention/receivers.ts';
import type { Definition, Effect } from '../engine/definition.ts';
import { orderReminder } from './order-reminder.ts';
import { entryKey, handoverOf, lastEntry, noticeTo, whyOf } from './order-words.ts';

// What becomes of an order as a whole: its status, its sides, its time and place, and that it is near.

/** Notifies the farmer of an order that its consumer cancelled, also by deleting their account. */
const orderCancelled: Definition<'order.cancelledByConsumer'> = {
  kind: 'order.cancelledByConsumer',
  reach: 'own',
  concerns: 'read',
  action: msg('View order'),
  subject: ({ customer: whom, hasLeft, isStanding }, nameOf) => {
    const customer = hasLeft || isStanding ? undefined : nameOf(whom);
    return customer && t('{customer} cancelled an order', { customer });
  },
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change } = order;
      if (change.kind === 'party')
        return change.what === 'customer_left' ? customerLeft(order) : [];
      if (change.kind !== 'status' || change.to !== 'cancelled') return [];
      const entry = lastEntry(order, 'status');
      const hasLeft = order.consumer.name === DELETED_USER_NAME;
      if (entry?.by._id !== order.consumer._id && !hasLeft) return [];
      return [
        noticeTo('farmer', order, {
          kind: 'order.cancelledByConsumer',
          key: `order.cancelledByConsumer:${order._id}`,
          params: {
            ...cancelledOf(order),
            ...(hasLeft && { hasLeft }),
            isBack: !change.unreturned,
            ...(!hasLeft && whyOf(entry)),
          },
        }),
      ];
    },
  },
};

const cancelledOf = (order: UpdatedOrder) => ({
  order: order._id,
  customer: { _id: order.consumer._id },
  handover: handoverOf(order),
});

/** Notifies the farm of an accepted order whose customer's account is gone. */
const customerLeft = (order: UpdatedOrder): Effect[] => [
  noticeTo('farmer', order, {
    kind: 'order.cancelledByConsumer',
    key: `order.customerLeft:${order._id}`,
    params: { ...cancelledOf(order), isStanding: true },
  }),
];

/** Notifies the consumer of each status change of their order that somebody else made. */
const orderStatusChanged: Definition<'order.statusChanged'> = {
  kind: 'order.statusChanged',
  reach: 'own',
  action: msg('View order'),
  hasCalendar: true,
  subject: (params, nameOf) => {
    const farm = 'farm' in params && nameOf(params.farm);
    if (!farm) return undefined;
    return t(
      '{status, select, accepted {{farm} accepted} rejected {Your order at {farm} was rejected} completed {Your order at {farm} is complete} cancelled {Your order at {farm} was cancelled} other {Your order at {farm} is pending again}}',
      { status: params.status, farm },
    );
  },
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change } = order;
      if (change.kind === 'party') return change.what === 'customer_left' ? [] : farmChanged(order);
      if (change.kind !== 'status') return [];
      const entry = lastEntry(order, 'status');
      if (!entry || entry.by._id === order.consumer._id) return [];
      return [
        noticeTo('consumer', order, {
          kind: 'order.statusChanged',
          key: entryKey('order.statusChanged', order, entry.sequence),
          params: {
            order: order._id,
            status: change.to,
            farm: { _id: order.farmer._id },
            handover: handoverOf(order),
            ...whyOf(entry),
          },
        }),
      ];
    },
  },
};

/** Notifies the consumer that the farm of an open order is suspended, or back. The text names nobody. */
function farmChanged(order: UpdatedOrder): Effect[] {
  const { change } = order;
  const isSuspended = change.kind === 'party' && change.what === 'farm_suspended';
  return [
    noticeTo('consumer', order, {
      kind: 'order.statusChanged',
      key: `order.farmChanged:${order._id}:${order.version}`,
      params: {
        order: order._id,
        farmIs: isSuspended ? 'suspended' : 'back',
        handover: handoverOf(order),
      },
    }),
  ];
}

/**
 * Notifies the side that did not move it of the new time and place of an order: the consumer of what the farm moved,
 * the farm of what its consumer moved. That a farm's clock changed moves nothing on the clock, but for times that it
 * skips.
 */
const orderSlotMoved: Definition<'order.slotMoved'> = {
  kind: 'order.slotMoved',
  reach: 'own',
  concerns: CONCERNS['order.slotMoved'],
  hasPlan: true,
  action: msg('View order'),
  hasCalendar: true,
  namesMoment: true,
  subject: (params, nameOf) => {
    const move = moveOf(params);
    if ('customer' in params) {
      const customer = nameOf(params.customer);
      return (
        customer &&
        t(
          '{what, select, day {{customer} moved their pickup from {wasDay} to {day}} time {{customer} moved their pickup on {day} from {wasAt} to {at}} other {{customer} picks up elsewhere on {day}}}',
          { customer, ...move },
        )
      );
    }
    const farm = nameOf(params.farm);
    if (!farm) return undefined;
    return params.isDelivery
      ? t(
          '{what, select, day {Your delivery from {farm} was moved from {wasDay} to {day}} time {Your delivery from {farm} on {day} was moved from {wasAt} to {at}} other {Your delivery from {farm} on {day} was moved}}',
          { farm, ...move },
        )
      : t(
          '{what, select, day {Your pickup at {farm} was moved from {wasDay} to {day}} time {Your pickup at {farm} on {day} was moved from {wasAt} to {at}} other {Your pickup of {farm} on {day} is at another place}}',
          { farm, ...move },
        );
  },
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change } = order;
      const entry = lastEntry(order, 'slot');
      if (change.kind !== 'slot' || !change.before || !change.after || !entry) return [];
      const move = {
        order: order._id,
        before: momentOf(change.before, order),
        after: momentOf(change.after, order),
      };
      const notice = {
        kind: 'order.slotMoved' as const,
        key: entryKey('order.slotMoved', order, entry.sequence),
      };
      return entry.by._id === order.consumer._id
        ? [
            noticeTo('farmer', order, {
              ...notice,
              params: { ...move, customer: { _id: order.consumer._id } },
              asks: { farmId: order.farmer._id, orderId: order._id, subjectId: order._id },
            }),
          ]
        : [
            noticeTo('consumer', order, {
              ...notice,
              params: {
                ...move,
                farm: { _id: order.farmer._id },
                isDelivery: order.deliveryDetails !== undefined,
                ...whyOf(entry),
              },
            }),
          ];
    },
  },
};

/** Returns what a move is from, or to. */
const momentOf = (
  { date, time, endTime, location }: Appointment,
  { createdAt }: Pick<UpdatedOrder, 'createdAt'>,
) => ({
  date,
  time,
  ...(endTime && { endTime }),
  ...(location && { place: location }),
  orderedAt: createdAt,
});

/** Notifies the consumer that their order stays as it is, although its farm closed something that it needs. */
const orderKept: Definition<'order.kept'> = {
  kind: 'order.kept',
  reach: 'own',
  action: msg('View order'),
  reactions: {
    'order.updated': ({ data: order }) =>
      order.change.kind === 'kept'
        ? [
            noticeTo('consumer', order, {
              kind: 'order.kept',
              key: `order.kept:${order._id}:${order.version}`,
              params: {
                order: order._id,
                farm: { _id: order.farmer._id },
                handover: handoverOf(order),
                isAgreed: order.status === 'accepted',
              },
            }),
          ]
        : [],
  },
};

/** By kind. */
export const orderStatuses = {
  'order.cancelledByConsumer': orderCancelled,
  'order.kept': orderKept,
  'order.reminder': orderReminder,
  'order.slotMoved': orderSlotMoved,
  'order.statusChanged': orderStatusChanged,
};
