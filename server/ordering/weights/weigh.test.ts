import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { hire } from '../../testing/staff.ts';
import { createOrderFixture } from '../testing/fixture.ts';
import { createSized, placeSized, sizeOf } from '../testing/sizes.ts';

/** Sold by the piece of about 2 kg, at 400 per kg. */
/** Sold by weight, at 250 per kg. */
/** Not sold by weight. */

const PIECE = { unit: 'kg', pieceMilli: 2000, pieceMinMilli: 1500, pieceMaxMilli: 2600 };

const fixture = await createOrderFixture({ DATABASE_POOL_SIZE: '20' });
const carrots = await fixture.createProduct(10_000, { unit: 'kg', stepMilli: 250 });
const eggs = await fixture.createProduct(10_000, { unit: 'dozen', name: 'Eggs' });
const chicken = await fixture.createProduct(10_000, {
  ...PIECE,
  name: 'Chicken',
  priceMinor: 40_000,
});
beforeEach(() => setTolerance(20));
afterAll(() => fixture.close());

const setTolerance = (weightTolerancePercent: number) =>
  fixture.platform.db.farmerProfile.update({
    where: { userId: fixture.farmer.id },
    data: { weightTolerancePercent },
  });

/** An accepted order. */
async function accepted(items: { product: string; quantity: number }[]): Promise<Order> {
  const { _id } = await fixture.placeOrder(items);
  const { body } = await fixture.changeStatus(_id, 'accepted', fixture.farmer);
  return body.data;
}
const lineOf = (order: Order, index = 0) => {
  const line = order.items[index];
  if (!line) throw new Error('The order has fewer lines');
  return line;
};
const weigh = (order: Order, body: Record<string, unknown>, index = 0, as = fixture.farmer) =>
  fixture.call('PUT', `/orders/${order._id}/lines/${lineOf(order, index)._id}/weight`, {
    as,
    body,
  });
const read = async ({ _id }: Order): Promise<Order> =>
  (await fixture.call('GET', `/orders/${_id}`, { as: fixture.consumer })).body.data;

it('is an estimate until it is weighed, and costs what it weighs after', async () => {
  const order = await accepted([{ product: chicken, quantity: 3 }]);
  expect(order).toMatchObject({ totalAmount: 2400, estimatedTotal: 2400, isTotalFinal: false });
  expect(lineOf(order)).toMatchObject({
    quantity: 3,
    pieces: 3,
    pieceWeight: { average: 2, min: 1.5, max: 2.6 },
    estimate: 2400,
    total: 2400,
    isFinal: false,
  });
  const head = await fixture.head();
  const { status, body } = await weigh(order, { pieces: [1.9, 2.05, 2.13], expectedPacked: null });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.data).toMatchObject({
    totalAmount: 2432,
    estimatedTotal: 2400,
    isTotalFinal: true,
    version: order.version + 1,
    items: [{ packed: 6.08, total: 2432, isFinal: true, estimate: 2400 }],
  });
  const change = {
    kind: 'weights',
    lines: [{ lineId: lineOf(order)._id, pieces: 3, from: null, to: 6.08 }],
    totalBefore: 2400,
    totalAfter: 2432,
    isTotalFinal: true,
  };
  const { kind, ...detail } = change;
  expect(body.data.timeline.at(-1)).toMatchObject({ kind, detail, by: { _id: fixture.farmer.id } });
  const events = await fixture.eventsAfter(head);
  expect(events.map(({ name, data }) => [name, data])).toMatchObject([
    ['order.updated', { change }],
  ]);
  expect(await read(order)).toEqual(body.data);
});

it('holds the unit, price and pieces of the order whatever becomes of the product', async () => {
  const duck = await fixture.createProduct(100, { ...PIECE, name: 'Duck', priceMinor: 40_000 });
  const order = await accepted([{ product: duck, quantity: 1 }]);
  const data = { unit: 'lb' as const, priceMinor: 18_000, pieceMilli: 4400, pieceMaxMilli: null };
  await fixture.platform.db.product.update({ where: { id: duck }, data });
  const { body } = await weigh(order, { packed: 2.1 });
  expect(body.data).toMatchObject({ totalAmount: 840, isTotalFinal: true });
  const { pieceWeight, price } = lineOf(order);
  expect(lineOf(body.data)).toMatchObject({ product: { unit: 'kg' }, price, pieceWeight });
});

it('sums pieces exactly', async () => {
  const order = await accepted([{ product: carrots, quantity: 0.5 }]);
  const { body } = await weigh(order, { pieces: [0.1, 0.2, 0.2] });
  expect(lineOf(body.data)).toMatchObject({ packed: 0.5, total: 1.25 });
});

it('weighs again, and the same weight again changes nothing', async () => {
  const order = await accepted([{ product: chicken, quantity: 1 }]);
  await weigh(order, { packed: 1.8 });
  const { body } = await weigh(order, { packed: 1.9, expectedPacked: 1.8 });
  expect(body.data).toMatchObject({ totalAmount: 760, version: order.version + 2 });
  // Even for somebody who knows an older weight: it is as they say.
  const again = await weigh(order, { packed: 1.9, expectedPacked: null });
  expect(again.status).toBe(200);
  expect(again.body.data.version).toBe(order.version + 2);
});

it('shows the second of two people both figures', async () => {
  const order = await accepted([{ product: chicken, quantity: 1 }]);
  const answers = await Promise.all([
    weigh(order, { packed: 1.8, expectedPacked: null }),
    weigh(order, { packed: 1.9, expectedPacked: null }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const won = answers.find(({ status }) => status === 200)?.body.data.items[0].packed;
  const lost = answers.find(({ status }) => status === 409)?.body;
  expect(lost).toMatchObject({ code: 'VERSION_CONFLICT', data: { items: [{ packed: won }] } });
  const entered = won === 1.8 ? 1.9 : 1.8;
  expect(lost.message).toBe(
    `Someone else weighed Chicken meanwhile: ${won} kg. You entered ${entered} kg.`,
  );
});

it('charges no more than the tolerance allows without the customer', async () => {
  const order = await accepted([{ product: chicken, quantity: 1 }]);
  const { body } = await weigh(order, { packed: 2.4 });
  expect(lineOf(body.data)).toMatchObject({ packed: 2.4, total: 960 });
  const heavier = (await weigh(order, { packed: 2.5 })).body.data;
  expect(lineOf(heavier)).toMatchObject({ packed: 2.5, total: 960, isFinal: true });
  expect(heavier.openChange).toBeNull();
  await setTolerance(0);
  expect(lineOf((await weigh(order, { packed: 2.2 })).body.data)).toMatchObject({ total: 800 });
});

it('asks the customer for the price of what weighs more, once for all lines of an order', async () => {
  const order = await accepted([
    { product: chicken, quantity: 1 },
    { product: carrots, quantity: 1 },
  ]);
  const head = await fixture.head();
  const first = (await weigh(order, { packed: 2.5, overweight: 'ask' })).body.data;
  // One event, so that nobody is notified of the total before they are asked about it.
  expect(await fixture.eventsAfter(head)).toMatchObject([
    {
      name: 'order.updated',
      data: { change: { kind: 'proposal', status: 'open' }, openChange: { status: 'open' } },
    },
  ]);
  expect(first).toMatchObject({
    totalAmount: 962.5,
    version: order.version + 1,
    openChange: {
      status: 'open',
      totalBefore: 962.5,
      totalAfter: 1002.5,
      items: [{ action: 'overweight', packed: 2.5, totalBefore: 800, totalAfter: 1000 }],
    },
  });
  const second = (await weigh(order, { packed: 1.4, overweight: 'ask' }, 1)).body.data;
  expect(second.openChange._id).not.toBe(first.openChange._id);
  expect(second.openChange).toMatchObject({ totalBefore: 963, totalAfter: 1003.5 });
  expect(second.openChange.items).toHaveLength(2);
  const kinds = second.timeline.map(({ kind }: { kind: string }) => kind);
  expect(kinds.slice(2)).toEqual(['weights', 'proposal', 'weights', 'proposal']);
  // A lighter one takes the question back for its line alone.
  const third = (await weigh(order, { packed: 2.1 })).body.data;
  expect(third.openChange.items).toMatchObject([{ lineId: lineOf(order, 1)._id }]);
  const last = (await weigh(order, { packed: 1.4, overweight: 'limit' }, 1)).body.data;
  expect(last.openChange).toBeNull();
  expect(last.totalAmount).toBe(843);
  const proposals = await fixture.platform.db.orderProposal.findMany({
    where: { orderId: order._id },
    orderBy: { baseVersion: 'asc' },
  });
  expect(proposals.map(({ status }) => status)).toEqual(['superseded', 'superseded', 'withdrawn']);
});

it('asks for several heavy lines at once, and again for one that was answered', async () => {
  const order = await accepted([
    { product: chicken, quantity: 1 },
    { product: carrots, quantity: 1 },
  ]);
  const item = (index: number, packed: number) => ({
    orderId: order._id,
    lineId: lineOf(order, index)._id,
    packed,
    overweight: 'ask',
  });
  const items = [item(0, 2.5), item(1, 1.4)];
  await fixture.call('PUT', '/farm/weights', { as: fixture.farmer, body: { items } });
  const asked = await read(order);
  expect(asked.openChange).toMatchObject({
    totalAfter: 1003.5,
    items: [{ lineId: lineOf(order)._id }, { lineId: lineOf(order, 1)._id }],
  });
  const path = `/orders/${order._id}/changes/${asked.openChange?._id}/answer`;
  const answers = { items: items.map(({ lineId }) => ({ lineId, answer: 'keep_limit' })) };
  const kept = await fixture.call('PUT', path, { as: fixture.consumer, body: answers });
  expect(kept.body.data).toMatchObject({ openChange: null, totalAmount: 963 });
  const again = (await weigh(order, { packed: 2.5, overweight: 'ask' })).body.data;
  expect(again.openChange).toMatchObject({ items: [{ lineId: lineOf(order)._id }] });
});

it('lets the customer keep the limit: the goods stay, at what may be charged for them', async () => {
  const order = await accepted([
    { product: chicken, quantity: 1 },
    { product: carrots, quantity: 1 },
  ]);
  await weigh(order, { packed: 2.5, overweight: 'ask' });
  const asked = (await weigh(order, { packed: 1.4, overweight: 'ask' }, 1)).body.data;
  const answer = (answers: string[]) =>
    fixture.call('PUT', `/orders/${order._id}/changes/${asked.openChange._id}/answer`, {
      as: fixture.consumer,
      body: {
        items: asked.openChange.items.map(({ lineId }: { lineId: string }, index: number) => ({
          lineId,
          answer: answers[index],
        })),
      },
    });
  expect((await answer(['keep_limit', 'sometimes'])).status).toBe(400);
  const stock = await fixture.stockOf(chicken);
  const { status, body } = await answer(['keep_limit', 'accept']);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(lineOf(body.data)).toMatchObject({ packed: 2.5, total: 960, isFinal: true, quantity: 1 });
  expect(lineOf(body.data, 1)).toMatchObject({ packed: 1.4, total: 3.5 });
  expect(body.data).toMatchObject({ status: 'accepted', openChange: null, totalAmount: 963.5 });
  expect(body.data.timeline.at(-1)).toMatchObject({
    kind: 'proposal',
    by: { _id: fixture.consumer.id },
    detail: { status: 'answered', totalBefore: 963, totalAfter: 963.5 },
  });
  expect(await fixture.stockOf(chicken)).toBe(stock);
  expect((await answer(['accept', 'accept'])).status).toBe(409);
});

it.each([
  [
    'too heavy',
    { packed: 20.1 },
    /^20\.1 kg for 1 × Chicken\? The price would be ₨8,040\.00\. Check/,
  ],
  [
    'too light',
    { packed: 0.199 },
    /^0\.199 kg for 1 × Chicken\? The price would be ₨79\.60\. Check/,
  ],
  ['more than any line', { pieces: Array(200).fill(1_000_000) }, /Check the decimal point/],
])(
  'refuses a slip of the decimal point with the price it would make: %s',
  async (_, body, message) => {
    const order = await accepted([{ product: chicken, quantity: 1 }]);
    const answer = await weigh(order, body);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'packed' }] } });
    expect(answer.body.message).toMatch(message);
    expect(await read(order)).toEqual(order);
  },
);

it('says that nothing is no weight', async () => {
  const order = await accepted([{ product: chicken, quantity: 1 }]);
  expect((await weigh(order, { packed: 0 })).body.message).toMatch(/remove the line instead/);
});

it('never weighs what is packed in a size', async () => {
  const bag = sizeOf(5);
  const sized = await createSized(fixture, 100, [bag]);
  const _id = await placeSized(fixture, [{ product: sized, size: bag, quantity: 2 }]);
  const { body } = await fixture.changeStatus(_id, 'accepted', fixture.farmer);
  const answer = await weigh(body.data, { packed: 10 });
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({
    code: 'NOT_BY_WEIGHT',
    message: 'Carrots (5 kg) is packed in its size, so there is nothing to weigh.',
  });
  expect(body.data.isTotalFinal).toBe(true);
});

it('weighs only what is sold by weight, of orders that are accepted and open', async () => {
  const mixed = await accepted([{ product: eggs, quantity: 1 }]);
  expect((await weigh(mixed, { packed: 1 })).body).toMatchObject({ code: 'NOT_BY_WEIGHT' });
  const pending = await fixture.placeOrder([{ product: chicken, quantity: 1 }]);
  const early = await weigh(pending, { packed: 2 });
  expect(early).toMatchObject({ status: 409, body: { code: 'ORDER_NOT_OPEN' } });
  expect(early.body.message).toMatch(/Accept it first/);
  const order = await accepted([{ product: chicken, quantity: 1 }]);
  await weigh(order, { packed: 2 });
  await fixture.changeStatus(order._id, 'completed', fixture.farmer);
  const late = await weigh(order, { packed: 2.1 });
  expect(late).toMatchObject({ status: 409, body: { code: 'ORDER_NOT_OPEN' } });
});

it('lets packers weigh, and neither sellers nor other farms', async () => {
  const order = await accepted([{ product: chicken, quantity: 1 }]);
  const packer = await hire(fixture, fixture.farmer, 'packer');
  const seller = await hire(fixture, fixture.farmer, 'seller');
  const stranger = await fixture.join('farmer');
  expect((await weigh(order, { packed: 2 }, 0, seller)).status).toBe(403);
  expect((await weigh(order, { packed: 2 }, 0, stranger)).status).toBe(404);
  const { status, body } = await weigh(order, { packed: 2 }, 0, packer);
  expect(status).toBe(200);
  expect(body.data.timeline.at(-1)).toMatchObject({ by: { _id: packer.id } });
});

it('weighs many lines at once, each decided for itself and each order changed once', async () => {
  const one = await accepted([
    { product: chicken, quantity: 1 },
    { product: carrots, quantity: 1 },
    { product: eggs, quantity: 1 },
  ]);
  const other = await accepted([{ product: chicken, quantity: 2 }]);
  const missing = randomUUID();
  const items = [
    { orderId: other._id, lineId: lineOf(other)._id, pieces: [2, 2.1] },
    { orderId: one._id, lineId: lineOf(one, 0)._id, packed: 1.9 },
    { orderId: one._id, lineId: lineOf(one, 1)._id, packed: 1.1, expectedPacked: 0.9 },
    { orderId: one._id, lineId: lineOf(one, 2)._id, packed: 1 },
    { orderId: missing, lineId: randomUUID(), packed: 1 },
  ];
  const head = await fixture.head();
  const { status, body } = await fixture.call('PUT', '/farm/weights', {
    as: fixture.farmer,
    body: { items },
  });
  expect(status).toBe(200);
  expect(body.data).toMatchObject([
    { lineId: items[0]?.lineId, order: { totalAmount: 1640 } },
    { lineId: items[1]?.lineId, order: { version: one.version + 1 } },
    { code: 'VERSION_CONFLICT' },
    { code: 'NOT_BY_WEIGHT' },
    { orderId: missing, code: 'NOT_FOUND' },
  ]);
  expect(await fixture.eventsAfter(head)).toHaveLength(2);
});

it('meets weights of many lines from both sides at once without a deadlock', async () => {
  const orders: Order[] = [];
  for (let count = 0; count < 8; count++) {
    orders.push(await accepted([{ product: chicken, quantity: 1 }]));
  }
  const send = (all: Order[], packed: number) =>
    fixture.call('PUT', '/farm/weights', {
      as: fixture.farmer,
      body: {
        items: all.map((order) => ({ orderId: order._id, lineId: lineOf(order)._id, packed })),
      },
    });
  const answers = await Promise.all([
    send(orders, 1.8),
    send([...orders].reverse(), 1.9),
    send(orders, 2),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const order of orders) expect((await read(order)).version).toBe(order.version + 3);
});

it('weighs or hands over, never both', async () => {
  for (let round = 0; round < 6; round++) {
    const order = await accepted([{ product: carrots, quantity: 2 }]);
    const [weighed, completed] = await Promise.all([
      weigh(order, { packed: 2.1 }),
      fixture.changeStatus(order._id, 'completed', fixture.farmer),
    ]);
    const after = await read(order);
    expect(completed.status).toBe(200);
    expect(after.status).toBe('completed');
    expect(after.totalAmount).toBe(weighed.status === 200 ? 5.25 : 5);
    if (weighed.status !== 200) expect(weighed.body.code).toBe('ORDER_NOT_OPEN');
  }
});
