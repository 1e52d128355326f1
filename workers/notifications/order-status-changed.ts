import { farmNameOf } from '#contract/constants/farmers';
import type { OrderStatus } from '#contract/orders';
import type { Definition } from './definition.ts';
import { because, handoverOf, nameInText, orderLink, orderName } from './wording.ts';

const SENTENCES: Record<OrderStatus, string> = {
  pending: 'is pending again',
  accepted: 'was accepted',
  rejected: 'was rejected',
  completed: 'is complete',
  cancelled: 'was cancelled',
};

/** Notifies the consumer of each status change of their order that somebody else made. */
export const orderStatusChanged: Definition<'order.statusChanged'> = {
  kind: 'order.statusChanged',
  action: 'View order',
  // The title has no user-written text.
  subject: ({ title }) => title,
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change } = order;
      if (change.kind !== 'status') return [];
      const entry = order.timeline.findLast(({ kind }) => kind === 'status');
      if (!entry || entry.by._id === order.consumer._id) return [];
      return [
        {
          do: 'notify',
          userId: order.consumer._id,
          kind: 'order.statusChanged',
          key: `order.statusChanged:${order._id}:${entry.sequence}`,
          title: `Your order ${SENTENCES[change.to]}`,
          body: `Order ${orderName(order)} at ${nameInText(farmNameOf(order.farmer))} ${
            SENTENCES[change.to]
          }${change.to === 'accepted' ? ` for ${handoverOf(order)}` : ''}.${because(entry.reason)}`,
          link: orderLink(order),
        },
      ];
    },
  },
};
