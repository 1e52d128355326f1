import { farmNameOf } from '#contract/farm/farmers/constants';
import type { OrderChange, OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { UpdatedOrder } from '#contract/ordering/orders/orders';
import type { Definition, Effect } from '../engine/definition.ts';
import { because, nameInText } from '../engine/wording.ts';
import { handoverOf, orderLink, orderName } from './order-words.ts';

type PartyChange = Extract<OrderChange, { kind: 'party' }>;

const SENTENCES: Record<OrderStatus, string> = {
  pending: 'is pending again',
  accepted: 'was accepted',
  rejected: 'was rejected',
  completed: 'is complete',
  cancelled: 'was cancelled',
};

/** Notifies the consumer that the farm of an open order is suspended, or back. The text names nobody. */
function farmChanged(order: UpdatedOrder, what: PartyChange['what']): Effect[] {
  if (what === 'customer_left') return [];
  const isSuspended = what === 'farm_suspended';
  return [
    {
      do: 'notify',
      userId: order.consumer._id,
      kind: 'order.statusChanged',
      key: `order.farmChanged:${order._id}:${order.version}`,
      title: isSuspended
        ? 'The farm of your order is off the market'
        : 'The farm of your order is back',
      body: isSuspended
        ? `An admin has taken the farm of order ${orderName(order)} off the market for now. Your order stands (${handoverOf(order)}); you can write to the farm, or cancel the order.`
        : `The farm of order ${orderName(order)} is on the market again. Your order stands: ${handoverOf(order)}.`,
      link: orderLink(order),
    },
  ];
}

/** Notifies the consumer of each status change of their order that somebody else made. */
export const orderStatusChanged: Definition<'order.statusChanged'> = {
  kind: 'order.statusChanged',
  action: 'View order',
  // The title has no user-written text.
  subject: ({ title }) => title,
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change } = order;
      if (change.kind === 'party') return farmChanged(order, change.what);
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
