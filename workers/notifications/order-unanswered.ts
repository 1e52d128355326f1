import { room } from '#contract/events';
import { record } from '../../server/events/event-log.ts';
import { presentOrder, readOrders } from '../../server/orders/present.ts';
import type { Definition } from './definition.ts';
import { leftUnanswered } from './order-left-unanswered.ts';
import { handoverOf, nameInText, orderLink, orderName, totalInText } from './wording.ts';

const PREFIX = 'order.unanswered:';

/** Notifies the farmer again, and admins, of an order that is unanswered for too long. */
export const orderUnanswered: Definition<'order.unanswered'> = {
  kind: 'order.unanswered',
  concerns: 'answerOrders',
  action: 'Answer the order',
  subject: () => 'An order is waiting for your answer',
  isUrgent: true,
  reactions: {
    'order.created': ({ data: order }) => [
      {
        do: 'schedule',
        userId: order.farmer._id,
        kind: 'order.unanswered',
        key: PREFIX + order._id,
      },
    ],
  },
  remind: async (key, tx) => {
    const [row] = await readOrders(tx, [key.slice(PREFIX.length)]);
    if (row?.status !== 'pending') return [];
    const order = presentOrder(row);
    await record(tx, { name: 'order.unanswered', data: order, rooms: [room.admins] });
    return [
      // The reminder takes the place of the notification of the order.
      {
        do: 'settle',
        userId: order.farmer._id,
        links: [orderLink(order)],
        kinds: ['order.placed'],
      },
      {
        do: 'notify',
        userId: order.farmer._id,
        kind: 'order.unanswered',
        key,
        title: `${nameInText(order.consumer.name)} is waiting for your answer`,
        body: `Order ${orderName(order)} (${totalInText(order)}, ${handoverOf(order)}) is still waiting. Accept or reject it so your customer can plan.`,
        link: orderLink(order),
      },
      leftUnanswered(order),
    ];
  },
};
