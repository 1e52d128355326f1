import type { Order } from '#contract/ordering/orders/orders';
import { aUser } from './network.ts';

const consumer = aUser('consumer', 'Cora Buyer');
const farmer = aUser('farmer', 'Finn Grower');

/** Returns an order fixture with this number in its id and as the minute of its creation. */
export function anOrder(number: number, over: Partial<Order> = {}): Order {
  const digits = String(number).padStart(2, '0');
  const createdAt = `2026-11-02T10:${digits}:00.000Z`;
  const by = { _id: consumer._id, name: consumer.name, role: consumer.role };
  return {
    _id: `abcdef${digits}-0000-4000-8000-000000000000`,
    createdAt,
    status: 'pending',
    totalAmount: 1234.5,
    paymentMethod: 'bank_transfer',
    notes: '',
    consumer: { _id: consumer._id, name: consumer.name, email: consumer.email, phone: '' },
    farmer: {
      _id: farmer._id,
      name: farmer.name,
      email: farmer.email,
      phone: '',
      farmName: 'Green Valley',
    },
    items: [
      {
        _id: '00000000-0000-4000-8000-0000000000a1',
        product: { _id: null, name: 'Kale', images: [], unit: 'bunch' },
        quantity: 3,
        price: 411.5,
        orderedQuantity: 3,
        state: 'kept',
        onShort: 'ask',
        estimate: 1234.5,
        isFinal: true,
        total: 1234.5,
      },
    ],
    estimatedTotal: 1234.5,
    isTotalFinal: true,
    openChange: null,
    packing: 'none',
    pickupDetails: { date: '2026-11-05', time: '16:30', location: 'The red gate' },
    version: 1,
    timeline: [{ sequence: 1, kind: 'status', status: 'pending', at: createdAt, by }],
    ...over,
  };
}
