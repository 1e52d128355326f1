import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#contract/constants/days';
import { dayIn } from '#contract/constants/time';
import type { ShortageOutcome } from '#contract/order-changes';
import type { Order } from '#contract/orders';
import type { Caller } from '../../testing/market.ts';
import { type ChangesFixture, createChangesFixture } from './testing/changes-fixture.ts';

// A shortage of the whole farm, over the orders of some days.

let fixture: ChangesFixture;
let farmer: Caller;
beforeAll(async () => {
  fixture = await createChangesFixture();
  ({ farmer } = fixture);
});
afterAll(() => fixture.close());

const DAY = addDays(dayIn('UTC'), 1);

/** Orders of ten, ten and twenty bunches, the second of which leaves out what is short. */
async function threeOrders() {
  const product = await fixture.createProduct(100);
  const place = async (quantity: number, over: object = {}): Promise<Order> => {
    const { status, body } = await fixture.order([{ product, quantity, ...over }]);
    expect(status, JSON.stringify(body)).toBe(201);
    return body.data;
  };
  const orders = [
    await place(10),
    await place(10, { onShort: 'leave_out' }),
    await place(20),
  ] as const;
  return { product, orders };
}

const share = (product: string, over: object = {}, query = '', as = farmer) =>
  fixture.call('POST', `/farm/shortages${query}`, {
    as,
    body: { productId: product, from: DAY, to: DAY, available: 25, rule: 'fair', ...over },
  });

const sharesOf = (outcomes: ShortageOutcome[]) =>
  outcomes.map(({ share: gets, outcome }) => [gets, outcome]);

const FAIR = [
  [6, 'proposed'],
  [6, 'applied'],
  [13, 'proposed'],
];

test('a preview shows what would become of each order, and changes nothing', async () => {
  const { product, orders } = await threeOrders();
  const { status, body } = await share(product, {}, '?preview=true');
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.data).toMatchObject({ batchId: null, ordered: 40 });
  expect(sharesOf(body.data.outcomes)).toEqual(FAIR);
  for (const order of orders) expect((await fixture.read(order)).version).toBe(1);
  const inTurn = await share(product, { rule: 'first_come' }, '?preview=true');
  expect(sharesOf(inTurn.body.data.outcomes)).toEqual([
    [10, 'unchanged'],
    [10, 'unchanged'],
    [5, 'proposed'],
  ]);
});

test('each order gets its share, the shelf is empty, and asking again does nothing more', async () => {
  const { product, orders } = await threeOrders();
  const batchId = randomUUID();
  const over = { batchId, emptiesShelf: true, note: 'The frost took the rest.' };
  const first = await share(product, over);
  expect(sharesOf(first.body.data.outcomes)).toEqual(FAIR);
  expect(await fixture.stockOf(product)).toBe(0);
  const [one, two, three] = await Promise.all(orders.map((order) => fixture.read(order)));
  expect(one?.openChange).toMatchObject({
    batchId,
    note: over.note,
    items: [{ action: 'reduce', newQuantity: 6, reason: 'not_harvested' }],
  });
  expect(two).toMatchObject({ openChange: null, items: [{ quantity: 6 }] });
  expect(three?.openChange?.items[0]).toMatchObject({ newQuantity: 13 });

  const again = await share(product, { ...over, available: 1 });
  expect(again.body.data).toEqual(first.body.data);
  for (const order of orders) expect((await fixture.read(order)).version).toBe(2);
});

test('what was cut off half-way is finished by asking again', async () => {
  const { product, orders } = await threeOrders();
  const batchId = randomUUID();
  await share(product, { batchId });
  // As if the process had died after the first order: the other two are as they were.
  const { db } = fixture.platform;
  const [, two, three] = orders;
  await db.orderProposal.deleteMany({ where: { orderId: three._id } });
  for (const { _id } of [two, three]) {
    const quantity = _id === two._id ? 10 : 20;
    await db.orderLine.updateMany({
      where: { orderId: _id },
      data: { quantityMilli: quantity * 1000 },
    });
  }
  const { body } = await share(product, { batchId });
  expect(sharesOf(body.data.outcomes)).toEqual(FAIR);
  expect((await fixture.read(two)).items[0]?.quantity).toBe(6);
  expect((await fixture.read(three)).openChange?.items[0]?.newQuantity).toBe(13);
  expect((await fixture.read(orders[0])).version).toBe(2);
});

test('asked twice at once, each order is changed once', async () => {
  const { product, orders } = await threeOrders();
  const batchId = randomUUID();
  const both = await Promise.all([share(product, { batchId }), share(product, { batchId })]);
  for (const { body } of both) expect(sharesOf(body.data.outcomes)).toEqual(FAIR);
  for (const order of orders) expect((await fixture.read(order)).version).toBe(2);
});

test('an order that waits for its buyer is left out, and reported', async () => {
  const { product, orders } = await threeOrders();
  await fixture.propose(orders[0], [
    { lineId: orders[0].items[0]?._id, action: 'remove', reason: 'other' },
  ]);
  const { body } = await share(product);
  expect(body.data.outcomes[0]).toMatchObject({ outcome: 'skipped', code: 'OPEN_CHANGE' });
  expect(sharesOf(body.data.outcomes.slice(1))).toEqual(FAIR.slice(1));
});

test('by hand, an order gets what is said, no more than it has, and all together what is there', async () => {
  const { product, orders } = await threeOrders();
  const [one, , three] = orders.map(({ _id }) => _id);
  const byHand = (...shares: [string | undefined, number][]) =>
    share(product, {
      rule: 'manual',
      shares: shares.map(([orderId, quantity]) => ({ orderId, quantity })),
    });
  expect((await byHand([one, 11])).body.errors[0].path).toBe('shares.0.quantity');
  expect((await byHand([randomUUID(), 1])).body.errors[0].path).toBe('shares.0.orderId');
  expect((await byHand([one, 5])).status).toBe(400);
  const { body } = await byHand([three, 5]);
  expect(sharesOf(body.data.outcomes)).toEqual([
    [10, 'unchanged'],
    [10, 'unchanged'],
    [5, 'proposed'],
  ]);
});

test('is for the farm of the product, over its days in order', async () => {
  const { product } = await threeOrders();
  const stranger = await fixture.join('farmer');
  expect((await share(product, {}, '', stranger)).status).toBe(404);
  expect((await share(product, { to: addDays(DAY, -1) })).status).toBe(400);
  expect((await share(product, { available: -1 })).status).toBe(400);
  expect((await share(product, { rule: 'manual' })).status).toBe(400);
  const later = { from: addDays(DAY, 1), to: addDays(DAY, 5) };
  expect((await share(product, later)).body.data).toMatchObject({ ordered: 0, outcomes: [] });
  const taken = { batchId: randomUUID() };
  await share(product, { ...taken, ...later });
  const other = await fixture.createProduct(10);
  expect((await share(other, taken)).body.code).toBe('ID_TAKEN');
});

test('reports its progress, to its farm alone, also when it goes on after a break', async () => {
  const { product } = await threeOrders();
  const batchId = randomUUID();
  const progress = (as = farmer) => fixture.call('GET', `/farm/shortages/${batchId}`, { as });
  expect((await progress()).body.data).toBeNull();
  expect((await share(product, { batchId })).status).toBe(200);
  const finished = { _id: batchId, productId: product, done: 3, total: 3, isFinished: true };
  expect((await progress()).body.data).toEqual(finished);
  expect((await progress(await fixture.join('farmer'))).body.data).toBeNull();
  // As a process that ended in between leaves it.
  await fixture.platform.pool.query(
    'UPDATE shortages SET done = 1, finished_at = NULL WHERE id = $1',
    [batchId],
  );
  expect((await progress()).body.data).toMatchObject({ done: 1, isFinished: false });
  expect((await share(product, { batchId })).status).toBe(200);
  expect((await progress()).body.data).toEqual(finished);
});
