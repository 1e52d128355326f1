import { expect, it } from 'vitest';
import { isFinal } from '#contract/ordering/orders/constants';
import { makeOrders } from './orders.ts';
import { makeRandom } from './random.ts';
import { DAY_MS } from './times.ts';

const now = new Date('2026-03-18T09:30:00.000Z');

it('creates valid dates on every weekday and hour', () => {
  for (let hours = 0; hours < 7 * 24; hours += 5) {
    const later = new Date(now.getTime() + hours * 60 * 60_000);
    const today = later.toISOString().slice(0, 10);
    for (const { order, timeline } of makeOrders(makeRandom(hours), {
      now: later,
      timeZone: 'UTC',
    })) {
      const date = order.date.toISOString().slice(0, 10);
      if (order.status === 'completed') expect(date < today).toBe(true);
      if (!isFinal(order.status)) expect(date > today).toBe(true);
      expect(later.getTime() - order.createdAt.getTime()).toBeLessThan(30 * DAY_MS);
      expect(timeline.at(-1)?.at.getTime()).toBeLessThan(later.getTime());
    }
  }
});
