import type { OrderStatus } from '#contract/orders';
import type { Definition } from './definition.ts';
import { because, orderLink, orderName } from './wording.ts';

const SENTENCES: Record<OrderStatus, string> = {
  pending: 'is pending again',
  accepted: 'was accepted',
  rejected: 'was rejected',
  completed: 'is complete',
  cancelled: 'was cancelled',
};

/** Each change of an order's status, to its consumer, unless it was their own doing. */
export const orderStatusChanged: Definition = {
  kind: 'order.statusChanged',
  action: 'View order',
  reactions: {
    'order.updated': ({ data: order }) => {
      const change = order.timeline.at(-1);
      if (!change || change.by._id === order.consumer._id) return [];
      return [
        {
          do: 'tell',
          userId: order.consumer._id,
          kind: 'order.statusChanged',
          key: `order.statusChanged:${order._id}:${order.version}`,
          title: `Your order ${SENTENCES[change.status]}`,
          body: `Order ${orderName(order)} at ${order.farmer.farmName || order.farmer.name} ${
            SENTENCES[change.status]
          }.${because(change.reason)}`,
          link: orderLink(order),
        },
      ];
    },
  },
};
