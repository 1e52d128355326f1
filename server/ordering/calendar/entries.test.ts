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

it('names lines by their sizes and in words of the farm', () => {
  const product = (name: string, over: object = {}) => ({
    ...{ _id: null, name, images: [], unit: 'each', ...over },
  });
  const size = { _id: '0c0ffee0-0000-4000-8000-000000000002', label: '5 kg', content: 5 };
  const items = [
    { product: product('Carrots', { unit: 'kg' }), size, quantity: 2 },
    { product: product('Honey', { unitLabel: { one: 'jar', other: 'jars' } }), quantity: 3 },
    // As an older server presented it.
    { product: product('Kale', { unit: 'bunch' }), quantity: 1 },
  ] as unknown as Order['items'];
  expect(orderEntry(order({ items })).description.split('\n').slice(1, 4)).toEqual([
    '2 × Carrots (5 kg)',
    '3 jars Honey',
    '1 bunch Kale',
  ]);
});
