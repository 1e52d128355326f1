import { expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { anOrder } from '../../../platform/testing/orders.ts';
import { ordersToRepeat, ordersUnderWay } from './HomeOrders.tsx';

const pickup = (number: number, date: string, time: string, over: Partial<Order> = {}) =>
  anOrder(number, { pickupDetails: { date, time, location: 'Gate' }, ...over });
const from = (number: number, farm: string, over: Partial<Order> = {}) => {
  const order = anOrder(number, { status: 'completed', ...over });
  return { ...order, farmer: { ...order.farmer, _id: farm, email: 'grower@farmgate.test' } };
};
const NOW = Date.parse('2026-11-28T12:00:00.000Z');
const idsOf = (orders: Order[]) => orders.map(({ _id }) => _id.slice(6, 8));

it('shows what is under way, the next handover first', () => {
  const orders = [
    pickup(1, '2026-11-30', '10:00', { status: 'accepted' }),
    pickup(2, '2026-11-28', '12:00'),
    pickup(3, '2026-11-28', '09:00', { status: 'accepted' }),
    pickup(4, '2026-11-27', '09:00', { status: 'completed' }),
    pickup(5, '2026-11-27', '09:00', { status: 'rejected' }),
    pickup(6, '2026-12-24', '09:00'),
  ];
  expect(idsOf(ordersUnderWay(orders, '2026-11-28', NOW))).toEqual(['03', '02', '01']);
});

it('shows nothing as coming up whose day is over, and all of today', () => {
  const instants = { startsAt: '2026-11-27T20:00:00.000Z', endsAt: '2026-11-28T13:00:00.000Z' };
  const orders = [
    pickup(1, '2026-11-26', '10:00', { status: 'accepted' }),
    pickup(2, '2026-11-27', '10:00'),
    pickup(3, '2026-11-28', '00:30', { status: 'accepted' }),
    // Its farm is in yesterday still.
    pickup(4, '2026-11-27', '23:30', { status: 'accepted', ...instants }),
    pickup(5, '2026-11-29', '10:00'),
  ];
  expect(idsOf(ordersUnderWay(orders, '2026-11-28', NOW))).toEqual(['04', '03', '05']);
});

it('offers the latest order of each farm again', () => {
  const orders = [
    from(9, 'north', { status: 'rejected' }),
    from(8, 'south'),
    from(7, 'north'),
    from(6, 'south'),
    from(5, 'west', { status: 'pending' }),
    from(4, 'east'),
  ];
  expect(idsOf(ordersToRepeat(orders))).toEqual(['08', '07', '05']);
});

it('offers nothing of a farm that is gone', () => {
  const [order] = [from(1, 'north')];
  const gone = { ...order, farmer: { ...order.farmer, email: '' } };
  expect(ordersToRepeat([gone])).toEqual([]);
});
