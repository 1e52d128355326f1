import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import type { ShortageOutcome } from '#contract/ordering/changes/order-changes';
import type { Order } from '#contract/ordering/orders/orders';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { createChangesFixture } from '../changes/testing/changes-fixture.ts';

// A shortage of the whole farm, over the orders of some days.

const fixture = await createChangesFixture();
const { farmer } = fixture;
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

test('an order that waits for its customer is left out, and reported', async () => {
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
  const finished = {
    _id: batchId,
    productId: product,
    done: 3,
    total: 3,
    isFinished: true,
    isStopped: false,
  };
  expect((await progress()).body.data).toEqual(finished);
  expect((await progress(await fixture.join('farmer'))).body.data).toBeNull();
  // As a process that ended in between leaves it: at first it may still be at it.
  const leave = (runUntil: string) =>
    fixture.platform.pool.query(
      'UPDATE shortages SET done = 1, finished_at = NULL, run_until = now() + $2::interval WHERE id = $1',
      [batchId, runUntil],
    );
  await leave('20 seconds');
  const underWay = { done: 1, isFinished: false };
  expect((await progress()).body.data).toMatchObject({ ...underWay, isStopped: false });
  await leave('-1 second');
  expect((await progress()).body.data).toMatchObject({ ...underWay, isStopped: true });
  expect((await share(product, { batchId })).status).toBe(200);
  expect((await progress()).body.data).toEqual(finished);
});

test('an order that fails ends the others, and asking again goes on', async () => {
  const product = await fixture.createProduct(1000);
  for (let count = 0; count < 12; count++) {
    expect((await fixture.order([{ product, quantity: 10 }])).status).toBe(201);
  }
  const batchId = randomUUID();
  const { db, pool } = fixture.platform;
  const proposed = () => db.orderProposal.count({ where: { batchId } });
  // The third proposal of this batch cannot be written.
  await pool.query(`CREATE FUNCTION fail_third() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.batch_id = '${batchId}' AND (
      SELECT count(*) FROM order_proposals WHERE batch_id = NEW.batch_id) >= 2
    THEN RAISE EXCEPTION 'no third proposal'; END IF;
    RETURN NEW; END $$`);
  await pool.query(`CREATE TRIGGER fail_third BEFORE INSERT ON order_proposals
    FOR EACH ROW EXECUTE FUNCTION fail_third()`);
  const failed = await share(product, { batchId, available: 60 });
  await pool.query('DROP FUNCTION fail_third CASCADE');
  expect(failed.status).toBe(500);
  // The answer came after the last write: what is done now stays so.
  const done = await proposed();
  expect(done).toBeLessThan(8);
  const progress = async () =>
    (await fixture.call('GET', `/farm/shortages/${batchId}`, { as: farmer })).body.data;
  expect(await progress()).toMatchObject({ isFinished: false, isStopped: true });

  const again = await share(product, { batchId });
  expect(again.body.data.outcomes.map(({ outcome }: ShortageOutcome) => outcome)).toEqual(
    Array(12).fill('proposed'),
  );
  expect(await proposed()).toBe(12);
  expect(await progress()).toMatchObject({ done: 12, isFinished: true, isStopped: false });
});

test('shares what is counted in one unit, and leaves the rest alone', async () => {
  const product = await fixture.createProduct(100, { unit: 'kg' });
  const place = async (quantity: number): Promise<Order> =>
    (await fixture.order([{ product, quantity }])).body.data;
  const [bunches, grams, kilos] = [await place(4), await place(3), await place(2)];
  // As orders from before a unit was fixed while orders use it.
  const { db } = fixture.platform;
  await db.orderLine.updateMany({ where: { orderId: bunches._id }, data: { unit: 'bunch' } });
  await db.orderLine.updateMany({
    where: { orderId: grams._id },
    data: { unit: 'g', quantityMilli: 3_000_000 },
  });
  const { body } = await share(product, { available: 3, rule: 'first_come' });
  expect(body.data).toMatchObject({
    ordered: 5,
    outcomes: [
      {
        orderId: bunches._id,
        quantity: 0,
        share: 0,
        outcome: 'skipped',
        code: 'OTHER_UNIT',
        message:
          'It has 4 bunches of Carrots, which you sell by another unit now. Propose a change of this order by hand.',
      },
      { orderId: grams._id, quantity: 3, share: 3, outcome: 'unchanged' },
      { orderId: kilos._id, quantity: 2, share: 0, outcome: 'proposed' },
    ],
  });
  const less = await share(product, { available: 1.5, rule: 'first_come' });
  expect(sharesOf(less.body.data.outcomes)).toEqual([
    [0, 'skipped'],
    [1, 'proposed'],
    [0, 'skipped'],
  ]);
  expect((await fixture.read(grams)).openChange?.items).toMatchObject([
    { action: 'reduce', quantity: 3000, newQuantity: 1000 },
  ]);
});
