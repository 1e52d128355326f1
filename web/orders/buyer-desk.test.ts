import { expect, it } from 'vitest';
import type { Order } from '#contract/orders';
import { anOrder } from '../lib/testing/orders.ts';
import { ordersToRepeat, ordersUnderWay } from './buyer-desk.ts';

const pickup = (number: number, date: string, time: string, over: Partial<Order> = {}) =>
  anOrder(number, { pickupDetails: { date, time, location: 'Gate' }, ...over });
const from = (number: number, farm: string, over: Partial<Order> = {}) => {
  const order = anOrder(number, { status: 'completed', ...over });
  return { ...order, farmer: { ...order.farmer, _id: farm, email: 'grower@farmgate.test' } };
};
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
  expect(idsOf(ordersUnderWay(orders))).toEqual(['03', '02', '01']);
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
