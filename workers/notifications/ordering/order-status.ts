import { farmNameOf } from '#contract/farm/farmers/constants';
import { formatSlot, slotOf, wayOf } from '#contract/farm/slots/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { UpdatedOrder } from '#contract/ordering/orders/orders';
import type { Appointment } from '#contract/ordering/orders/pickup';
import { DELETED_USER_NAME } from '#contract/people/users/constants';
import type { Definition, Effect } from '../engine/definition.ts';
import { because, excerpt, nameInText } from '../engine/wording.ts';
import { entryKey, handoverOf, lastEntry, noticeTo, orderName } from './order-words.ts';

// What becomes of an order as a whole: its status, its sides, its time and place.

/** Notifies the farmer of an order that its consumer cancelled, also by deleting their account. */
const orderCancelled: Definition<'order.cancelledByConsumer'> = {
  kind: 'order.cancelledByConsumer',
  reach: 'own',
  concerns: 'read',
  action: 'View order',
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change } = order;
      if (change.kind === 'party')
        return change.what === 'customer_left' ? customerLeft(order) : [];
      if (change.kind !== 'status' || change.to !== 'cancelled') return [];
      const entry = lastEntry(order, 'status');
      const hasLeft = order.consumer.name === DELETED_USER_NAME;
      if (entry?.by._id !== order.consumer._id && !hasLeft) return [];
      // What could not go back has a notice of its own.
      const stock = change.unreturned ? '' : ' Its stock is back on your shelf.';
      return [
        noticeTo('farmer', order, {
          kind: 'order.cancelledByConsumer',
          key: `order.cancelledByConsumer:${order._id}`,
          title: `Order ${orderName(order)} was cancelled`,
          body: hasLeft
            ? `The customer closed their account, so the order was cancelled.${stock}`
            : `${nameInText(order.consumer.name)} cancelled it (${handoverOf(order)}).${stock}${because(entry?.reason)}`,
        }),
      ];
    },
  },
};

/** Notifies the farm of an accepted order whose customer's account is gone. */
const customerLeft = (order: UpdatedOrder): Effect[] => [
  noticeTo('farmer', order, {
    kind: 'order.cancelledByConsumer',
    key: `order.customerLeft:${order._id}`,
    title: `The customer of order ${orderName(order)} closed their account`,
    body: `You accepted it (${handoverOf(order)}), so it stands. Nobody can answer messages about it; cancel it if it will not be handed over.`,
  }),
];

const SENTENCES: Record<OrderStatus, string> = {
  pending: 'is pending again',
  accepted: 'was accepted',
  rejected: 'was rejected',
  completed: 'is complete',
  cancelled: 'was cancelled',
};

/** Notifies the consumer of each status change of their order that somebody else made. */
const orderStatusChanged: Definition<'order.statusChanged'> = {
  kind: 'order.statusChanged',
  reach: 'own',
  action: 'View order',
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change } = order;
      if (change.kind === 'party') return change.what === 'customer_left' ? [] : farmChanged(order);
      if (change.kind !== 'status') return [];
      const entry = lastEntry(order, 'status');
      if (!entry || entry.by._id === order.consumer._id) return [];
      const when = change.to === 'accepted' ? ` for ${handoverOf(order)}` : '';
      return [
        noticeTo('consumer', order, {
          kind: 'order.statusChanged',
          key: entryKey('order.statusChanged', order, entry.sequence),
          title: `Your order ${SENTENCES[change.to]}`,
          body: `Order ${orderName(order)} at ${nameInText(farmNameOf(order.farmer))} ${
            SENTENCES[change.to]
          }${when}.${because(entry.reason)}`,
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
      title: isSuspended
        ? 'The farm of your order is off the market'
        : 'The farm of your order is back',
      body: isSuspended
        ? `An admin has taken the farm of order ${orderName(order)} off the market for now. Your order stands (${handoverOf(order)}); you can write to the farm, or cancel the order.`
        : `The farm of order ${orderName(order)} is on the market again. Your order stands: ${handoverOf(order)}.`,
    }),
  ];
}

const PLACE_MAX = 120;

/**
 * Notifies the side that did not move it of the new time and place of an order: the consumer of what the farm moved,
 * the farm of what its consumer moved. That a farm's clock changed moves nothing on the clock, but for times that it
 * skips.
 */
const orderSlotMoved: Definition<'order.slotMoved'> = {
  kind: 'order.slotMoved',
  reach: 'own',
  concerns: 'read',
  action: 'View order',
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change } = order;
      const entry = lastEntry(order, 'slot');
      if (change.kind !== 'slot' || !change.before || !change.after || !entry) return [];
      const moved = `${whenAndWhere(change.after, order.createdAt)} (it was ${whenOf(change.before, order.createdAt)})`;
      const notice = {
        kind: 'order.slotMoved' as const,
        key: entryKey('order.slotMoved', order, entry.sequence),
      };
      if (entry.by._id === order.consumer._id) {
        const title = `Order ${orderName(order)} has a new pickup time`;
        const body = `${nameInText(order.consumer.name)} now picks it up ${moved}.`;
        return [noticeTo('farmer', order, { ...notice, title, body })];
      }
      const farm = nameInText(farmNameOf(order.farmer));
      const title = `Your ${wayOf(slotOf(order)).toLowerCase()} was moved`;
      const what = order.deliveryDetails
        ? `${farm} delivers order ${orderName(order)}`
        : `Pick up order ${orderName(order)} at ${farm}`;
      const body = `${what} ${moved}.${because(entry.reason)}`;
      return [noticeTo('consumer', order, { ...notice, title, body })];
    },
  },
};

/** 'on Sat, Nov 28 at 10:00–11:00 AM' */
const whenOf = (appointment: Appointment, today: string): string =>
  `on ${formatSlot(appointment, today)}`;

/** A delivery goes to the consumer, and names no place. */
function whenAndWhere(appointment: Appointment, today: string): string {
  const where = appointment.location && `at ${excerpt(appointment.location, PLACE_MAX)}`;
  return [whenOf(appointment, today), where].filter(Boolean).join(', ');
}

/** By kind. */
export const orderStatuses = {
  'order.cancelledByConsumer': orderCancelled,
  'order.slotMoved': orderSlotMoved,
  'order.statusChanged': orderStatusChanged,
};
