import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import type { Answer } from '../../testing/market.ts';
import { createChangesFixture } from '../changes/testing/changes-fixture.ts';
import { changeWhileWaiting } from '../testing/change-while-waiting.ts';

// Orders at a farm that takes none for a while.

const fixture = await createChangesFixture();
const { consumer, farmer, admin } = fixture;
afterAll(() => fixture.close());

const end = new Date(Date.now() + 3_600_000).toISOString();
const pause = () => fixture.post('/farm/pause', farmer, { until: end });
const resume = () => fixture.delete('/farm/pause', farmer);
beforeEach(async () => {
  await resume();
});

type Wanted = [product: string, quantity: number];
const change = (order: Order, ...items: Wanted[]): Promise<Answer> =>
  fixture.put(`/orders/${order._id}/items`, consumer, {
    items: items.map(([product, quantity]) => ({ product, quantity })),
  });

const FARM_PAUSED = { code: 'FARM_PAUSED', data: { until: end } };

/** Answers of calls as they are allowed to be: what came before the pause, and what came after it. */
function expectDoneOrPaused(answers: readonly Answer[], status: number): number {
  for (const { status: given, body } of answers) {
    if (given !== status) expect([given, body]).toMatchObject([409, FARM_PAUSED]);
  }
  return answers.filter(({ status: given }) => given === status).length;
}

describe('while a farm is paused', () => {
  test('no order is placed and nothing is taken off the stock, until it resumes', async () => {
    const product = await fixture.createProduct(10);
    await pause();
    const { status, body } = await fixture.order([{ product, quantity: 1 }]);
    expect([status, body]).toMatchObject([409, FARM_PAUSED]);
    expect(body.message).toMatch(/^This farm takes no orders just now\. It takes them again from /);
    expect(await fixture.stockOf(product)).toBe(10);
    await resume();
    expect((await fixture.order([{ product, quantity: 1 }])).status).toBe(201);
  });

  test('an order that was placed before is answered again under its key', async () => {
    const product = await fixture.createProduct(10);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = await fixture.order([{ product, quantity: 1 }], { headers });
    await pause();
    const again = await fixture.order([{ product, quantity: 1 }], { headers });
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  test('nothing is added to an order, in more or in new lines, also beside what is taken off', async () => {
    const { order, carrots, kale, beets } = await fixture.ordered();
    await pause();
    for (const items of [
      [
        [carrots, 11],
        [kale, 5],
      ],
      [
        [carrots, 10],
        [kale, 5],
        [beets, 1],
      ],
      [
        [carrots, 1],
        [kale, 6],
      ],
    ] as Wanted[][]) {
      const { status, body } = await change(order, ...items);
      expect([status, body]).toMatchObject([409, FARM_PAUSED]);
    }
    expect(await fixture.stockOf(carrots)).toBe(90);
    await resume();
    expect((await change(order, [carrots, 11], [kale, 5])).status).toBe(200);
  });

  test('goods are taken off, proposals made and answered, and orders accepted and cancelled', async () => {
    const [first, second] = [await fixture.proposed(), await fixture.ordered()];
    const third = await fixture.ordered();
    await pause();
    await fixture.answered(first.made, ['accept', 'accept']);
    const fewer = await change(second.order, [second.carrots, 4]);
    expect([fewer.status, fewer.body.data?.totalAmount]).toEqual([200, 10]);
    expect((await fixture.changeStatus(second.order._id, 'accepted', farmer)).status).toBe(200);
    expect((await fixture.changeStatus(third.order._id, 'cancelled', consumer)).status).toBe(200);
    expect((await fixture.changeStatus(first.made._id, 'cancelled', admin)).status).toBe(200);
  });
});

describe('a pause at the same moment', () => {
  test('as many orders wins over those that it is before, and no order comes after it', async () => {
    const product = await fixture.createProduct(1000);
    const placed = () =>
      fixture.platform.db.order.count({ where: { lines: { some: { productId: product } } } });
    const order = () => fixture.order([{ product, quantity: 1 }]);
    const early = Array.from({ length: 12 }, order);
    const paused = pause();
    const late = Array.from({ length: 12 }, order);
    expect((await paused).status).toBe(200);
    const count = await placed();
    const answers = await Promise.all([...early, ...late]);
    expect(await placed()).toBe(count);
    expect(expectDoneOrPaused(answers, 201)).toBe(count);
    expect(await fixture.stockOf(product)).toBe(1000 - count);
  });

  test('as goods are added wins over those that it is before, and takes nothing from those taken off', async () => {
    const orders = await Promise.all(Array.from({ length: 6 }, () => fixture.ordered()));
    const versions = async () =>
      (
        await fixture.platform.db.order.findMany({
          where: { id: { in: orders.map(({ order }) => order._id) } },
          select: { id: true, version: true },
          orderBy: { id: 'asc' },
        })
      ).map(({ version }) => version);
    const more = orders.map(({ order, carrots, kale }) => change(order, [carrots, 11], [kale, 5]));
    expect((await pause()).status).toBe(200);
    const before = await versions();
    expectDoneOrPaused(await Promise.all(more), 200);
    expect(await versions()).toEqual(before);
    const fewer = await Promise.all(
      orders.map(({ order, carrots, kale }) => change(order, [carrots, 1], [kale, 5])),
    );
    expect(fewer.map(({ status }) => status)).toEqual(orders.map(() => 200));
  });

  test('is seen by a change that waited for it', async () => {
    const { order, carrots, kale } = await fixture.ordered();
    const { status, body } = await changeWhileWaiting(fixture.platform.pool, {
      lock: 'SELECT 1 FROM farmer_profiles WHERE user_id = $1 FOR UPDATE',
      id: farmer.id,
      act: () => change(order, [carrots, 11], [kale, 5]),
      change: `UPDATE farmer_profiles SET paused_at = now(), paused_until = '${end}' WHERE user_id = $1`,
    });
    expect([status, body]).toMatchObject([409, FARM_PAUSED]);
  });
});
