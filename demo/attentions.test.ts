import { expect, it } from 'vitest';
import { makeAttentions } from './attentions.ts';
import { idOf } from './data/farms.ts';
import { changeOrders } from './farm-day.ts';
import { makeNotifications } from './notifications.ts';
import { makeAllOrders } from './orders.ts';
import { DEMO_TIME_ZONE } from './seed-market.ts';
import { makeSlots } from './slots.ts';
import { DAY_MS } from './times.ts';

const now = new Date('2026-03-18T09:30:00.000Z');

it('has an order that Ben is on for a day, and two of other farms that nobody answered', () => {
  const { orders, events } = changeOrders(
    makeAllOrders({ now, timeZone: DEMO_TIME_ZONE }, makeSlots(now, DEMO_TIME_ZONE)),
    now,
  );
  const pending = new Map(
    orders
      .filter(({ order }) => order.status === 'pending')
      .map(({ order }) => [order.id, order.farmerId]),
  );
  const { attentions, timers } = makeAttentions(
    orders,
    makeNotifications(orders, events, now),
    now,
  );
  expect(attentions.map(({ state }) => state)).toEqual(['acknowledged', 'exhausted', 'exhausted']);
  expect(attentions.every(({ subjectId, farmId }) => pending.get(subjectId) === farmId)).toBe(true);
  const [taken, ...left] = attentions;
  expect(taken?.acknowledgedById).toBe(idOf('user', 'ben@farmgate.test'));
  // What nobody answered asks nobody any more.
  expect(timers.map(({ key, dueAt }) => [key, dueAt.getTime() - now.getTime()])).toEqual([
    [`attention:${taken?.id}`, DAY_MS],
  ]);
  expect(left.map(({ farmId }) => farmId)).not.toContain(taken?.farmId);
});
