import { describe, expect, it } from 'vitest';
import { slotOf } from '#contract/farm/slots/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { ORDER_STATUSES } from '#contract/platform/orders/constants';
import { anOrder } from '../../../platform/testing/orders.ts';
import { bySlot, bySlotFrom } from '../../model/order-cache.ts';
import { formatQuantities } from '../../model/order-items.ts';
import { unweighedNames } from '../answers/OrderActions.tsx';
import { statusHint } from '../answers/StatusDialog.tsx';
import { daysOffered } from '../detail/OrderTools.tsx';
import { isFound } from './StatusFilterBar.tsx';

const at = (number: number, date: string, time: string, over: Partial<Order> = {}) =>
  anOrder(number, { pickupDetails: { date, time, location: 'Gate' }, ...over });

it('says what to pack, with quantities and units', () => {
  const item = (quantity: number, name: string, unit: string) =>
    ({ quantity, product: { name, unit } }) as Order['items'][number];
  expect(
    formatQuantities([
      item(2, 'Tomatoes', 'lb'),
      item(1, 'Corn', 'dozen'),
      item(3, 'Melon', 'each'),
    ]),
  ).toBe('2 lb Tomatoes, 1 dozen Corn, 3 × Melon');
});

it('sorts by day and time, pickup and delivery alike', () => {
  const { pickupDetails: _, ...rest } = anOrder(2);
  const address = { street: '', city: '', state: '', zipCode: '' };
  const delivery: Order = {
    ...rest,
    deliveryDetails: { address, date: '2026-11-28', time: '12:30' },
  };
  const orders = [at(1, '2026-11-28', '13:00'), delivery, at(3, '2026-11-28', '08:00')];
  orders.push(at(4, '2026-11-27', '17:00'), at(5, '2026-11-28', '08:00'));
  expect(orders.sort(bySlot).map((order) => slotOf(order).time)).toEqual([
    '17:00',
    '08:00',
    '08:00',
    '12:30',
    '13:00',
  ]);
  expect(orders.map(({ _id }) => _id.slice(6, 8))).toEqual(['04', '03', '05', '02', '01']);
  expect(slotOf(delivery).isDelivery).toBe(true);
});

it('begins with today, and ends with the days before it, the latest first', () => {
  const orders = [
    at(1, '2026-11-26', '17:00'),
    at(2, '2026-11-28', '13:00'),
    at(3, '2026-12-01', '08:00'),
    at(4, '2026-11-27', '09:00'),
    at(5, '2026-11-27', '08:00'),
    at(6, '2026-11-28', '08:00'),
  ];
  const sorted = orders.sort(bySlotFrom('2026-11-28'));
  expect(sorted.map(({ _id }) => _id.slice(6, 8))).toEqual(['06', '02', '03', '05', '04', '01']);
});

it.each([
  ['', true],
  ['cora', true],
  [' BUYER ', true],
  ['kAle', true],
  ['abcdef01', true],
  ['#abcdef', true],
  ['ABCDEF01-0000', true],
  ['plums', false],
  ['finn', false],
  ['bcdef01', false],
])('a search for "%s" finds the order: %s', (search, isThere) => {
  expect(isFound(anOrder(1), search)).toBe(isThere);
});

it.each([
  ['Muller jose', true],
  ['müller, josé', true],
  ['jose kale', false],
  ['0300 1234', true],
  ['+92 300', true],
  ['۰۳۰۰۱۲', true],
  ['0301 1234', false],
])('a search for "%s" finds an order of José Müller, +92 (0)300-1234567: %s', (search, isThere) => {
  const order = anOrder(1);
  const consumer = { ...order.consumer, name: 'José Müller', phone: '+92 (0)300-1234567' };
  expect(isFound({ ...order, consumer }, search)).toBe(isThere);
});

it('offers the coming week, and every other day that an order waits for', () => {
  const waiting = [at(1, '2026-11-20', '08:00'), at(2, '2026-11-29', '08:00')];
  waiting.push(at(3, '2026-12-24', '08:00'));
  expect(daysOffered(waiting, '2026-12-31', '2026-11-28')).toEqual([
    '2026-11-20',
    '2026-11-28',
    '2026-11-29',
    '2026-11-30',
    '2026-12-01',
    '2026-12-02',
    '2026-12-03',
    '2026-12-04',
    '2026-12-24',
    '2026-12-31',
  ]);
});

describe('the status dialog', () => {
  it.each([
    ['pending', ['As it is now', undefined, undefined, 'Accept it first', undefined]],
    ['accepted', ['Not possible now', 'As it is now', 'Not possible now', undefined, undefined]],
    [
      'rejected',
      [
        'Not once it is rejected',
        'Not once it is rejected',
        'As it is now',
        'Not once it is rejected',
        'Not once it is rejected',
      ],
    ],
  ] as const)('says of a %s order which statuses it cannot get', (from, hints) => {
    expect(ORDER_STATUSES.map((to) => statusHint(from, to))).toEqual(hints);
  });
});

it('names what is not weighed, each once', () => {
  const item = (name: string, isFinal: boolean) =>
    ({ isFinal, product: { name } }) as Order['items'][number];
  const items = [item('Chicken', false), item('Eggs', true), item('Chicken', false)];
  expect(unweighedNames({ items: [...items, item('Duck', false)] })).toEqual(['Chicken', 'Duck']);
});
