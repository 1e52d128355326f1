import { room } from '#contract/realtime';
import { orderInclude, presentOrder } from '../../server/orders/present.ts';
import { record } from '../../server/platform/event-log.ts';
import type { Definition } from './definition.ts';
import { money, orderLink, orderName } from './wording.ts';

const PREFIX = 'order.unanswered:';

/** An order that waited too long for an answer: its farmer is told again, and admins see it. */
export const orderUnanswered: Definition = {
  kind: 'order.unanswered',
  action: 'Answer the order',
  isUrgent: true,
  reactions: {
    'order.created': ({ data: order }) => [
      {
        do: 'remind',
        userId: order.farmer._id,
        kind: 'order.unanswered',
        key: PREFIX + order._id,
      },
    ],
  },
  remind: async (key, tx) => {
    const row = await tx.order.findUnique({
      where: { id: key.slice(PREFIX.length) },
      include: orderInclude,
    });
    if (row?.status !== 'pending') return [];
    const order = presentOrder(row);
    await record(tx, { name: 'order.unanswered', data: order, rooms: [room.admins] });
    return [
      {
        do: 'tell',
        userId: order.farmer._id,
        kind: 'order.unanswered',
        key,
        title: `${order.consumer.name} is waiting for your answer`,
        body: `Order ${orderName(order)} over ${money(order.totalAmount)} is still pending. Accept or reject it so that your customer can plan.`,
        link: orderLink(order),
      },
    ];
  },
};
