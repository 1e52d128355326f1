import { expect, it } from 'vitest';
import { isFinal } from '#contract/ordering/orders/constants';
import { dayIn } from '#contract/platform/time/constants';
import { sizesOf } from '../server/catalogue/products/sizes.ts';
import { products } from './data/products.ts';
import { saleRow } from './goods.ts';
import { makeOrders } from './orders.ts';
import { makeRandom } from './random.ts';
import { DEMO_TIME_ZONE } from './seed-market.ts';
import { DAY_MS, HOUR_MS } from './times.ts';

const now = new Date('2026-03-18T09:30:00.000Z');

it.each(['UTC', DEMO_TIME_ZONE, 'America/Los_Angeles'])(
  'creates valid dates on every weekday and hour, by the clock of %s',
  (timeZone) => {
    // 23:50 in UTC is tomorrow in Islamabad already.
    const moments = [
      ...Array.from({ length: 34 }, (_, index) => new Date(now.getTime() + index * 5 * HOUR_MS)),
      new Date('2026-03-18T23:50:00.000Z'),
      new Date('2026-03-18T18:59:59.000Z'),
    ];
    for (const [seed, later] of moments.entries()) {
      const today = dayIn(timeZone, later);
      for (const { order, timeline } of makeOrders(makeRandom(seed), { now: later, timeZone })) {
        const date = order.date.toISOString().slice(0, 10);
        if (order.status === 'completed') expect(date < today).toBe(true);
        if (!isFinal(order.status)) expect(date > today).toBe(true);
        expect(later.getTime() - order.createdAt.getTime()).toBeLessThan(30 * DAY_MS);
        expect(timeline.at(-1)?.at.getTime()).toBeLessThan(later.getTime());
      }
    }
  },
);

it('has goods in sizes, by whose prices they are ordered, and some that no order takes from a stock', () => {
  const sized = products.flatMap((product) => sizesOf(saleRow(product)));
  const lines = makeOrders(makeRandom(1), { now, timeZone: 'UTC' }).flatMap((order) => order.lines);
  const inSizes = lines.filter(({ sizeId }) => sizeId !== null);
  expect(new Set(inSizes.map(({ sizeLabel }) => sizeLabel)).size).toBeGreaterThan(3);
  for (const line of inSizes) {
    expect(sized).toContainEqual(
      expect.objectContaining({ id: line.sizeId, priceMinor: line.priceMinor }),
    );
  }
  const always = products.filter(({ maxPerOrder }) => maxPerOrder !== undefined);
  const untaken = lines.filter(({ takesStock }) => !takesStock);
  expect(new Set(untaken.map(({ name }) => name))).toEqual(new Set(always.map(({ name }) => name)));
});
