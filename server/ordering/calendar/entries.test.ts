import { expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { orderEntry } from './entries.ts';

/** What an entry says of an order that is picked up at a place. */
const order = (over: Partial<Order> = {}): Order =>
  ({
    _id: '0c0ffee0-0000-4000-8000-000000000001',
    createdAt: '2026-11-24T09:00:00.000Z',
    status: 'pending',
    totalAmount: 12,
    isTotalFinal: true,
    farmer: { name: 'Fern', farmName: 'Green Valley', phone: '' },
    items: [],
    startsAt: '2026-11-28T10:00:00.000Z',
    endsAt: '2026-11-28T10:30:00.000Z',
    pickupDetails: {
      date: '2026-11-28',
      time: '10:00',
      location: 'Mill, 4 Mill Lane',
      place: {
        name: 'Mill',
        address: { street: '4 Mill Lane', city: 'Putney', state: '', zipCode: '' },
        directions: 'Behind the barn.',
      },
    },
    timeline: [],
    version: 1,
    ...over,
  }) as unknown as Order;

it.each([
  ['is exact once all is weighed', true, 'Order #0c0ffee0, ₨12.00'],
  ['is an estimate until then', false, 'Order #0c0ffee0, ≈ ₨12.00'],
])('the total of an order %s', (_, isTotalFinal, first) => {
  expect(orderEntry(order({ isTotalFinal })).description.split('\n')[0]).toBe(first);
});

it('a pickup says how to find its place', () => {
  expect(orderEntry(order()).description.split('\n')).toContain('Behind the barn.');
});
