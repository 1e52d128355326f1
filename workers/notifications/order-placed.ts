import type { Definition } from './definition.ts';
import { counted, money, orderLink, orderName } from './wording.ts';

/** A new order, to its farmer. */
export const orderPlaced: Definition = {
  kind: 'order.placed',
  action: 'View order',
  digest: (count) => `${count} new orders`,
  reactions: {
    'order.created': ({ data: order }) => [
      {
        do: 'tell',
        userId: order.farmer._id,
        kind: 'order.placed',
        key: `order.placed:${order._id}`,
        title: `New order from ${order.consumer.name}`,
        body: `Order ${orderName(order)}: ${counted(order.items.length, 'item')}, ${money(order.totalAmount)}, ${
          order.pickupDetails ? 'pickup' : 'delivery'
        } on ${(order.pickupDetails ?? order.deliveryDetails)?.date}.`,
        link: orderLink(order),
      },
    ],
  },
};
