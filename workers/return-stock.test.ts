// @long It waits for workers and timers.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  nextMorning,
  returnStock,
  returnTimerKey,
} from '../server/catalogue/stock/stock-events.ts';
import { createOrderFixture, type OrderFixture } from '../server/ordering/testing/fixture.ts';
import { until } from '../testing/until.ts';
import { startWorkers, type Workers } from './start.ts';

describe('the next morning', () => {
  it.each([
    ['UTC', '2026-11-22T04:59:59.999Z', '2026-11-22T05:00:00.000Z'],
    ['UTC', '2026-11-22T05:00:00.000Z', '2026-11-23T05:00:00.000Z'],
    ['Asia/Karachi', '2026-11-22T18:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-22T10:00:00.000Z', '2026-11-22T15:00:00.000Z'],
    // The nights on which the clocks of Berlin change.
    ['Europe/Berlin', '2026-03-28T22:00:00.000Z', '2026-03-29T03:00:00.000Z'],
    ['Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T04:00:00.000Z'],
  ])('in %s after %s is %s', (zone, now, morning) => {
    expect(nextMorning(zone, new Date(now)).toISOString()).toBe(morning);
  });
});

describe('sold out until tomorrow', () => {
  let fixture: OrderFixture;
  let product: string;
  let workers: Workers[] = [];

  beforeAll(async () => {
    fixture = await createOrderFixture();
  });
  beforeEach(async () => {
    product = await fixture.createProduct(20);
  });
  afterAll(async () => {
    await Promise.all(workers.map((each) => each.close()));
    await fixture.close();
  });

  const change = async (over: object) => {
    const { status, body } = await fixture.call('PUT', '/products/stock', {
      as: fixture.farmer,
      body: { changes: [{ product, ...over }] },
    });
    return { status, result: body.data?.[0] };
  };
  const sellOut = (seen = 20) => change({ quantityAvailable: 0, seen, untilMorning: true });
  const read = async () =>
    (await fixture.call('GET', `/products/${product}`, { as: fixture.farmer })).body.data;
  /** The data of this product's events after a number; others come too, since workers notify the farmer. */
  const eventsAfter = async (head: number) =>
    (await fixture.eventsAfter(head)).map(({ data }) => data).filter(({ _id }) => _id === product);
  /** Lets the night pass for this product. */
  const passNight = async () => {
    const { db } = fixture.platform;
    const past = new Date(Date.now() - 1000);
    await db.product.updateMany({
      where: { id: product, returnsAt: { not: null } },
      data: { returnsAt: past },
    });
    await db.timer.updateMany({ where: { key: returnTimerKey(product) }, data: { dueAt: past } });
  };
  const untilDone = () =>
    until(async () => {
      const timer = await fixture.platform.db.timer.findUnique({
        where: { key: returnTimerKey(product) },
      });
      return timer?.doneAt != null;
    });
  /** Two, so that none runs a timer twice. */
  const startBoth = async () => {
    if (workers.length > 0) return;
    workers = await Promise.all([startWorkers(fixture.platform), startWorkers(fixture.platform)]);
  };

  it('is in stock again in the morning, once, with what came back meanwhile', async () => {
    const order = await fixture.placeOrder([{ product, quantity: 2 }]);
    const { result } = await sellOut(18);
    expect(result.product).toMatchObject({ quantityAvailable: 0 });
    expect(Date.parse(result.product.returnsAt)).toBeGreaterThan(Date.now());
    expect((await read()).returnsAt).toBe(result.product.returnsAt);
    await fixture.changeStatus(order._id, 'cancelled', fixture.consumer);
    expect(await fixture.stockOf(product)).toBe(2);

    const head = await fixture.head();
    // All workers are down when the morning comes.
    await passNight();
    await startBoth();
    await untilDone();
    expect(await fixture.stockOf(product)).toBe(20);
    const after = await read();
    expect(after).not.toHaveProperty('returnsAt');
    expect(await eventsAfter(head)).toEqual([after]);
  });

  it('has the real stock in its event when another change comes first', async () => {
    await sellOut();
    const { db, pool } = fixture.platform;
    await db.product.update({ where: { id: product }, data: { returnsAt: new Date(0) } });
    const head = await fixture.head();
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM products WHERE id = $1 FOR UPDATE', [product]);
    const returning = db.$transaction((tx) => returnStock(tx, returnTimerKey(product)));
    await until(async () => {
      const { rows } = await pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await holder.query(
      'UPDATE products SET stock_milli = stock_milli + 2000, version = version + 1 WHERE id = $1',
      [product],
    );
    await holder.query('COMMIT');
    holder.release();
    await returning;
    const after = await read();
    expect(after.quantityAvailable).toBe(22);
    expect(await eventsAfter(head)).toEqual([after]);
  });

  it('changes nothing the second time', async () => {
    const first = await sellOut();
    const second = await sellOut();
    expect(second.result.product).toEqual(first.result.product);
  });

  it.each([
    ['another stock', { quantityAvailable: 5, seen: 0 }, 5],
    ['sold out without an end', { quantityAvailable: 0 }, 0],
  ])('ends with %s', async (_, over, left) => {
    await sellOut();
    const { result } = await change(over);
    expect(result.product).not.toHaveProperty('returnsAt');
    await passNight();
    await startBoth();
    await untilDone();
    expect(await fixture.stockOf(product)).toBe(left);
  });

  it('ends with a stock set in the form of the product, and outlives another name', async () => {
    await sellOut();
    const put = (body: object) =>
      fixture.call('PUT', `/products/${product}`, { as: fixture.farmer, body });
    expect((await put({ name: 'Late carrots' })).body.data).toHaveProperty('returnsAt');
    expect((await put({ quantityAvailable: 7 })).body.data).not.toHaveProperty('returnsAt');
  });

  it('is refused where something was sold meanwhile, and where nothing is sold out', async () => {
    expect((await sellOut(19)).result.code).toBe('STOCK_CHANGED');
    expect((await change({ quantityAvailable: 3, seen: 20, untilMorning: true })).status).toBe(400);
    expect((await change({ quantityAvailable: 0, untilMorning: true })).status).toBe(400);
    expect(await fixture.stockOf(product)).toBe(20);
  });

  it('does nothing for a product that was deleted overnight', async () => {
    await sellOut();
    await passNight();
    await fixture.call('DELETE', `/products/${product}`, { as: fixture.farmer });
    await startBoth();
    await untilDone();
  });
});
