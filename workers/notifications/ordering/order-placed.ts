import type { UpdatedOrder } from '#contract/ordering/orders/orders';
import type { Definition } from '../engine/definition.ts';
import { counted, nameInText } from '../engine/wording.ts';
import { handoverOf, orderLink, orderName, totalInText } from './order-words.ts';

/** Returns whether an order was answered by this change; the buyer's answer to a proposal may be it too. */
export const hasLeftPending = ({ change, status, timeline }: UpdatedOrder): boolean =>
  change.kind === 'status'
    ? change.from === 'pending'
    : status !== 'pending' && timeline.at(-1)?.kind === 'status';

/** Notifies the farmer of a new order. */
export const orderPlaced: Definition<'order.placed'> = {
  kind: 'order.placed',
  concerns: 'answerOrders',
  action: 'View order',
  subject: () => 'You have a new order',
  digest: (count) => `${count} new orders`,
  reactions: {
    'order.created': ({ data: order }) => [
      {
        do: 'notify',
        userId: order.farmer._id,
        kind: 'order.placed',
        key: `order.placed:${order._id}`,
        title: `New order from ${nameInText(order.consumer.name)}`,
        body: `Order ${orderName(order)}: ${counted(order.items.length, 'item')}, ${totalInText(order)}, ${handoverOf(order)}.`,
        link: orderLink(order),
      },
    ],
    // An answered order, also a cancelled one, does not wait for the farmer any more.
    'order.updated': ({ data: order }) =>
      hasLeftPending(order)
        ? [
            {
              do: 'settle',
              userId: order.farmer._id,
              links: [orderLink(order)],
              kinds: ['order.placed', 'order.unanswered'],
            },
          ]
        : [],
  },
};
