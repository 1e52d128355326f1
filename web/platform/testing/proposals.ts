import type { OrderLine, Proposal } from '#contract/ordering/changes/order-lines';
import type { Order } from '#contract/ordering/orders/orders';
import { anOrder } from './orders.ts';

/** Returns a line fixture of so much of a product at a price. */
export function aLine(number: number, over: Partial<OrderLine> = {}): OrderLine {
  const { quantity = 4, price = 2.5 } = over;
  const total = Math.round(quantity * price * 100) / 100;
  return {
    _id: `00000000-0000-4000-8000-0000000000b${number}`,
    product: {
      _id: `00000000-0000-4000-8000-0000000000c${number}`,
      name: `Product ${number}`,
      images: [],
      unit: 'lb',
    },
    quantity,
    price,
    orderedQuantity: quantity,
    state: 'kept',
    onShort: 'ask',
    estimate: total,
    isFinal: true,
    total,
    ...over,
  };
}

/** Returns an accepted order fixture with these lines. */
export function anOrderOf(items: OrderLine[], over: Partial<Order> = {}): Order {
  const totalAmount = Math.round(items.reduce((sum, { total }) => sum + total * 100, 0)) / 100;
  return anOrder(1, {
    status: 'accepted',
    items,
    totalAmount,
    estimatedTotal: totalAmount,
    startsAt: '2026-11-05T16:30:00.000Z',
    version: 3,
    ...over,
  });
}

/** Returns an open proposal fixture over an order: less of its first line, another product for its second. */
export function aProposal(order: Order, over: Partial<Proposal> = {}): Proposal {
  const [first, second] = order.items;
  if (!first || !second) throw new Error('The order needs two lines.');
  return {
    _id: '00000000-0000-4000-8000-0000000000d1',
    status: 'open',
    createdBy: { _id: order.farmer._id, name: order.farmer.name, role: 'farmer' },
    createdAt: '2026-11-02T12:00:00.000Z',
    answerBy: '2026-11-02T14:00:00.000Z',
    note: 'Frost got them.',
    totalBefore: order.totalAmount,
    totalAfter: order.totalAmount - first.total / 2 - second.total + 7.5,
    items: [
      {
        lineId: first._id,
        action: 'reduce',
        product: first.product,
        quantity: first.quantity,
        price: first.price,
        newQuantity: first.quantity / 2,
        reason: 'not_harvested',
        totalBefore: first.total,
        totalAfter: first.total / 2,
      },
      {
        lineId: second._id,
        action: 'substitute',
        product: second.product,
        quantity: second.quantity,
        price: second.price,
        substitute: {
          _id: '00000000-0000-4000-8000-0000000000e1',
          name: 'Chard',
          images: [],
          unit: 'bunch',
          price: 2.5,
          quantity: 3,
        },
        reason: 'sold_out',
        totalBefore: second.total,
        totalAfter: 7.5,
      },
    ],
    ...over,
  };
}
