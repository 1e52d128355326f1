import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import type { Answer } from '../../testing/market.ts';
import { changeWhileWaiting } from '../testing/change-while-waiting.ts';
import { type ChangesFixture, createChangesFixture } from './testing/changes-fixture.ts';

// A proposal is decided without a lock. What it relied on changes between its reading and its writing.

let fixture: ChangesFixture;
beforeAll(async () => {
  fixture = await createChangesFixture();
});
afterAll(() => fixture.close());

const ORDER = 'SELECT 1 FROM orders WHERE id = $1 FOR UPDATE';
const PRODUCT = 'SELECT 1 FROM products WHERE id = $1 FOR UPDATE';

const whileWaiting = (lock: string, id: string, act: () => Promise<Answer>, change: string) =>
  changeWhileWaiting(fixture.platform.pool, { lock, id, act, change });

/** Proposes two beets in the place of kale. */
const offerBeets = (order: Order, beets: string) => () =>
  fixture.propose(order, [
    {
      lineId: order.items[1]?._id,
      action: 'substitute',
      substitute: { productId: beets, quantity: 2 },
      reason: 'sold_out',
    },
  ]);

/** Proposes two beets, and changes or deletes them before that is written. */
const offerWhile = (order: Order, beets: string, change: string) =>
  whileWaiting(PRODUCT, beets, offerBeets(order, beets), change);

/** Expects that nothing of a proposal was written. */
async function expectUntouched(order: Order, head: number): Promise<void> {
  expect(await fixture.eventsAfter(head)).toEqual([]);
  const { rows } = await fixture.platform.pool.query(
    `SELECT FROM order_proposals WHERE order_id = $1
     UNION ALL SELECT FROM order_timeline WHERE order_id = $1 AND sequence > 1`,
    [order._id],
  );
  expect(rows).toEqual([]);
}

test('is refused when the order was ended meanwhile, and takes nothing off the shelf', async () => {
  const { order, beets } = await fixture.ordered();
  const head = await fixture.head();
  const { status, body } = await whileWaiting(
    ORDER,
    order._id,
    offerBeets(order, beets),
    `UPDATE orders SET status = 'cancelled', version = version + 1 WHERE id = $1`,
  );
  expect([status, body.code]).toEqual([409, 'ORDER_NOT_OPEN']);
  expect(await fixture.stockOf(beets)).toBe(100);
  await expectUntouched(order, head);
});

test('is made on the new version when something else of the order changed', async () => {
  const { order, beets } = await fixture.ordered();
  const { status, body } = await whileWaiting(
    ORDER,
    order._id,
    offerBeets(order, beets),
    `UPDATE orders SET notes = 'Changed', version = version + 1 WHERE id = $1`,
  );
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body.data).toMatchObject({ version: 3, notes: 'Changed', openChange: { status: 'open' } });
  expect(await fixture.stockOf(beets)).toBe(98);
});

test('is refused when what it offers was bought meanwhile', async () => {
  const { order, beets } = await fixture.ordered();
  const head = await fixture.head();
  const { status, body } = await offerWhile(
    order,
    beets,
    'UPDATE products SET stock_milli = 1000, version = version + 1 WHERE id = $1',
  );
  expect([status, body.code, body.message]).toEqual([
    409,
    'OUT_OF_STOCK',
    'Only 1 lb of Beets left.',
  ]);
  expect(await fixture.stockOf(beets)).toBe(1);
  await expectUntouched(order, head);
});

test('is made without reading again when enough of what it offers is left', async () => {
  const { order, beets } = await fixture.ordered();
  const head = await fixture.head();
  const { status, body } = await offerWhile(
    order,
    beets,
    'UPDATE products SET stock_milli = 4000, version = version + 1 WHERE id = $1',
  );
  expect(status, JSON.stringify(body)).toBe(201);
  expect(await fixture.stockOf(beets)).toBe(2);
  const events = await fixture.eventsAfter(head);
  expect(events.find(({ name }) => name === 'product.updated')?.data).toMatchObject({
    _id: beets,
    quantityAvailable: 2,
    version: 3,
  });
});

test('leaves none of what is to be sold out, also of what was put on the shelf meanwhile', async () => {
  const { order, kale } = await fixture.ordered();
  const head = await fixture.head();
  const takeOut = () =>
    fixture.propose(order, [
      { lineId: order.items[1]?._id, action: 'remove', reason: 'sold_out', emptiesShelf: true },
    ]);
  const { status, body } = await whileWaiting(
    PRODUCT,
    kale,
    takeOut,
    'UPDATE products SET stock_milli = 150000, version = version + 1 WHERE id = $1',
  );
  expect(status, JSON.stringify(body)).toBe(201);
  expect(await fixture.stockOf(kale)).toBe(0);
  const events = await fixture.eventsAfter(head);
  expect(events.filter(({ name }) => name === 'product.updated')).toMatchObject([
    { data: { _id: kale, quantityAvailable: 0 } },
  ]);
});

test('offers a product at the price that it got meanwhile', async () => {
  const { order, beets } = await fixture.ordered();
  const { status, body } = await offerWhile(
    order,
    beets,
    'UPDATE products SET price_minor = 400, version = version + 1 WHERE id = $1',
  );
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body.data.openChange.items[0].substitute).toMatchObject({ price: 4 });
});

test('is refused when what it offers was deleted meanwhile', async () => {
  const { order, beets } = await fixture.ordered();
  const head = await fixture.head();
  const { status, body } = await offerWhile(order, beets, 'DELETE FROM products WHERE id = $1');
  expect(status, JSON.stringify(body)).toBe(400);
  await expectUntouched(order, head);
});

test('leaves an order as it is when its id was given to a proposal of another', async () => {
  const { made } = await fixture.proposed();
  const { order, beets } = await fixture.ordered();
  const head = await fixture.head();
  const items = [
    {
      lineId: order.items[1]?._id,
      action: 'substitute',
      substitute: { productId: beets, quantity: 2 },
      reason: 'sold_out',
    },
  ];
  const { status, body } = await fixture.propose(order, items, { _id: made.openChange?._id });
  expect([status, body.code]).toEqual([409, 'ID_TAKEN']);
  expect(await fixture.stockOf(beets)).toBe(100);
  await expectUntouched(order, head);
});
