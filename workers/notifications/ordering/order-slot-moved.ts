import { farmNameOf } from '#contract/farm/farmers/constants';
import { formatSlot, slotOf, wayOf } from '#contract/farm/slots/constants';
import type { Appointment } from '#contract/ordering/orders/pickup';
import type { Definition } from '../engine/definition.ts';
import { because, excerpt, nameInText } from '../engine/wording.ts';
import { orderLink, orderName } from './order-words.ts';

const PLACE_MAX = 120;

/**
 * Notifies whoever did not move it of the new time and place of an order: the buyer of what the farm moved,
 * the farm of what its buyer moved. That a farm's clock changed moves nothing on the clock, but for times that it skips.
 */
export const orderSlotMoved: Definition<'order.slotMoved'> = {
  kind: 'order.slotMoved',
  concerns: 'read',
  action: 'View order',
  // The title has no user-written text.
  subject: ({ title }) => title,
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change } = order;
      const entry = order.timeline.findLast(({ kind }) => kind === 'slot');
      if (change.kind !== 'slot' || !change.before || !change.after || !entry) return [];
      const isByBuyer = entry.by._id === order.consumer._id;
      const moved = `${whenAndWhere(change.after, order.createdAt)} (it was ${whenOf(change.before, order.createdAt)})`;
      const farm = nameInText(farmNameOf(order.farmer));
      return [
        {
          do: 'notify',
          userId: isByBuyer ? order.farmer._id : order.consumer._id,
          kind: 'order.slotMoved',
          key: `order.slotMoved:${order._id}:${entry.sequence}`,
          title: isByBuyer
            ? `Order ${orderName(order)} has a new pickup time`
            : `Your ${wayOf(slotOf(order)).toLowerCase()} was moved`,
          body: isByBuyer
            ? `${nameInText(order.consumer.name)} now picks it up ${moved}.`
            : `${order.deliveryDetails ? `${farm} delivers order ${orderName(order)}` : `Pick up order ${orderName(order)} at ${farm}`} ${moved}.${because(entry.reason)}`,
          link: orderLink(order),
        },
      ];
    },
  },
};

/** 'on Sat, Nov 28 at 10:00–11:00 AM' */
const whenOf = (appointment: Appointment, today: string): string =>
  `on ${formatSlot(appointment, today)}`;

const whenAndWhere = (appointment: Appointment, today: string): string =>
  [
    whenOf(appointment, today),
    // A delivery goes to the buyer.
    appointment.location && `at ${excerpt(appointment.location, PLACE_MAX)}`,
  ]
    .filter(Boolean)
    .join(', ');
