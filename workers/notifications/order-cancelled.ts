import { DELETED_USER_NAME } from '#contract/users';
import type { Definition } from './definition.ts';
import { because, orderLink, orderName } from './wording.ts';

/** An order its consumer cancelled, or left behind with a deleted account, to the farmer. */
export const orderCancelled: Definition = {
  kind: 'order.cancelledByConsumer',
  action: 'View order',
  reactions: {
    'order.updated': ({ data: order }) => {
      const change = order.timeline.at(-1);
      if (change?.status !== 'cancelled') return [];
      const hasLeft = order.consumer.name === DELETED_USER_NAME;
      if (change.by._id !== order.consumer._id && !hasLeft) return [];
      return [
        {
          do: 'tell',
          userId: order.farmer._id,
          kind: 'order.cancelledByConsumer',
          key: `order.cancelledByConsumer:${order._id}`,
          title: `Order ${orderName(order)} was cancelled`,
          body: hasLeft
            ? 'The customer closed their account, so the order was cancelled. Its stock is back on your shelf.'
            : `${order.consumer.name} cancelled it. Its stock is back on your shelf.${because(change.reason)}`,
          link: orderLink(order),
        },
      ];
    },
  },
};
