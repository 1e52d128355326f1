import type { UpdatedOrder } from '#contract/ordering/orders/orders';
import { DELETED_USER_NAME } from '#contract/people/users/constants';
import type { Definition, Effect } from '../engine/definition.ts';
import { because, nameInText } from '../engine/wording.ts';
import { handoverOf, orderLink, orderName } from './order-words.ts';

/** Notifies the farm of an accepted order whose customer's account is gone. */
function customerLeft(order: UpdatedOrder): Effect[] {
  if (order.change.kind !== 'party' || order.change.what !== 'customer_left') return [];
  return [
    {
      do: 'notify',
      userId: order.farmer._id,
      kind: 'order.cancelledByConsumer',
      key: `order.customerLeft:${order._id}`,
      title: `The customer of order ${orderName(order)} closed their account`,
      body: `You accepted it (${handoverOf(order)}), so it stands. Nobody can answer messages about it; cancel it if it will not be handed over.`,
      link: orderLink(order),
    },
  ];
}

/** Notifies the farmer of an order that its consumer cancelled, also by deleting their account. */
export const orderCancelled: Definition<'order.cancelledByConsumer'> = {
  kind: 'order.cancelledByConsumer',
  concerns: 'read',
  action: 'View order',
  // The title has no user-written text.
  subject: ({ title }) => title,
  reactions: {
    'order.updated': ({ data: order }) => {
      if (order.change.kind === 'party') return customerLeft(order);
      if (order.change.kind !== 'status' || order.change.to !== 'cancelled') return [];
      const entry = order.timeline.findLast(({ kind }) => kind === 'status');
      const hasLeft = order.consumer.name === DELETED_USER_NAME;
      // What could not go back has a notice of its own.
      const stock = order.change.unreturned ? '' : ' Its stock is back on your shelf.';
      if (entry?.by._id !== order.consumer._id && !hasLeft) return [];
      return [
        {
          do: 'notify',
          userId: order.farmer._id,
          kind: 'order.cancelledByConsumer',
          key: `order.cancelledByConsumer:${order._id}`,
          title: `Order ${orderName(order)} was cancelled`,
          body: hasLeft
            ? `The customer closed their account, so the order was cancelled.${stock}`
            : `${nameInText(order.consumer.name)} cancelled it (${handoverOf(order)}).${stock}${because(entry?.reason)}`,
          link: orderLink(order),
        },
      ];
    },
  },
};
