import type { Order } from '#contract/ordering/orders/orders';
import { ADMINS, type Definition, type Effect } from '../engine/definition.ts';
import { hasLeftPending } from './order-placed.ts';
import { handoverOf, orderName, totalInText } from './order-words.ts';

const linkOf = ({ _id }: Pick<Order, '_id'>): string => `/admin/orders/${_id}`;

/** Returns the notification to admins of an order that a farm leaves without an answer. */
export const leftUnanswered = (order: Order): Effect => ({
  do: 'notify',
  userId: ADMINS,
  kind: 'order.leftUnanswered',
  key: `order.leftUnanswered:${order._id}`,
  // Without names, which would have to be cleared with an account.
  title: `Order ${orderName(order)} is waiting for an answer`,
  body: `The farm has left it open for too long (${totalInText(order)}, ${handoverOf(order)}).`,
  link: linkOf(order),
  // Whoever leaves many orders open is named in one mail.
  about: '/admin/orders',
});

/**
 * Notifies admins of orders that wait too long for a farm, until they are answered. The notification itself comes
 * with the farm's own reminder.
 */
export const orderLeftUnanswered: Definition<'order.leftUnanswered'> = {
  kind: 'order.leftUnanswered',
  action: 'View order',
  subject: () => 'An order is waiting for an answer',
  digest: (count) => `${count} orders are waiting for an answer`,
  reactions: {
    'order.updated': ({ data: order }) =>
      hasLeftPending(order)
        ? [
            {
              do: 'settle',
              userId: ADMINS,
              links: [linkOf(order)],
              kinds: ['order.leftUnanswered'],
            },
          ]
        : [],
  },
};
