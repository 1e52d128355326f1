import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { Order, StatusResult } from '#contract/ordering/orders/orders';
import { STATUS_BATCH_MAX } from '#contract/platform/orders/constants';
import type { Caller } from '../../testing/market.ts';
import { createOrderFixture } from '../testing/fixture.ts';

const fixture = await createOrderFixture({ RATE_LIMIT_SCALE: '100' });
afterAll(() => fixture.close());

const change = (
  ids: readonly string[],
  status: string,
  as: Caller = fixture.farmer,
  reason?: string,
) =>
  fixture.call('PUT', '/orders/status', { as, body: { ids, status, ...(reason && { reason }) } });

async function place(count: number): Promise<Order[]> {
  const product = await fixture.createProduct(count);
  return Promise.all(
    Array.from({ length: count }, () => fixture.placeOrder([{ product, quantity: 1 }])),
  );
}
const idsOf = (orders: readonly { _id: string }[]) => orders.map(({ _id }) => _id);

/** Each result as its status, or the code of its refusal. */
const outcomes = (results: StatusResult[]) =>
  results.map((result) => ('order' in result ? result.order.status : result.code));

const events = async (head: number) =>
  (await fixture.eventsAfter(head)).filter(({ name }) => name === 'order.updated');

test('accepts many orders in one call, each with its event and its timeline', async () => {
  const ids = idsOf(await place(40));
  const head = await fixture.head();
  const { status, body } = await change(ids, 'accepted', fixture.farmer, 'See you on Saturday.');
  expect(status).toBe(200);
  expect(body.data.map(({ _id }: StatusResult) => _id)).toEqual(ids);
  for (const { order } of body.data) {
    expect(order).toMatchObject({ status: 'accepted', version: 2 });
    expect(order.timeline.at(-1)).toMatchObject({
      sequence: 2,
      status: 'accepted',
      reason: 'See you on Saturday.',
    });
    const read = await fixture.call('GET', `/orders/${order._id}`, { as: fixture.farmer });
    expect(read.body.data).toEqual(order);
  }
  const recorded = await events(head);
  expect(recorded.map(({ data }) => data._id).sort()).toEqual([...ids].sort());
});

test('says of each order what became of it', async () => {
  const [pending, cancelled, accepted] = idsOf(await place(3)) as [string, string, string];
  await fixture.changeStatus(cancelled, 'cancelled', fixture.consumer);
  await fixture.changeStatus(accepted, 'accepted', fixture.farmer);
  const neighbour = await fixture.join('farmer');
  const theirs = await fixture.order(
    [{ product: await fixture.createProduct(1, { farmerId: neighbour.id }), quantity: 1 }],
    { over: { farmer: neighbour.id } },
  );
  const others = theirs.body.data._id;
  const unknown = randomUUID();
  const head = await fixture.head();
  const { body } = await change([cancelled, pending, others, accepted, unknown], 'accepted');
  expect(body.data).toMatchObject([
    {
      _id: cancelled,
      code: 'TRANSITION_NOT_ALLOWED',
      message: "This order is cancelled, so it can't become accepted.",
    },
    { _id: pending, order: { status: 'accepted', version: 2 } },
    { _id: others, code: 'NOT_FOUND', message: 'Order not found' },
    { _id: accepted, order: { status: 'accepted', version: 2 } },
    { _id: unknown, code: 'NOT_FOUND', message: 'Order not found' },
  ]);
  // What was accepted before has no second event.
  expect((await events(head)).map(({ data }) => data._id)).toEqual([pending]);
});

test('takes ids in any case, and an id that is there twice once', async () => {
  const [one, other] = idsOf(await place(2)) as [string, string];
  const head = await fixture.head();
  const { body } = await change([one.toUpperCase(), other, one, other.toUpperCase()], 'accepted');
  expect(body.data.map(({ _id }: StatusResult) => _id)).toEqual([one, other]);
  expect(outcomes(body.data)).toEqual(['accepted', 'accepted']);
  expect(await events(head)).toHaveLength(2);
});

test('answers a repeat the same and changes nothing more', async () => {
  const ids = idsOf(await place(5));
  const first = await change(ids, 'accepted');
  const head = await fixture.head();
  const again = await change(ids, 'accepted');
  expect(again.body.data).toEqual(first.body.data);
  expect(await events(head)).toEqual([]);
});

test('returns the stock of several rejected orders of the same product', async () => {
  const product = await fixture.createProduct(10);
  const orders = await Promise.all(
    [1, 2, 3].map((quantity) => fixture.placeOrder([{ product, quantity }])),
  );
  expect(await fixture.stockOf(product)).toBe(4);
  const { body } = await change(idsOf(orders), 'rejected');
  expect(outcomes(body.data)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await fixture.stockOf(product)).toBe(10);
});

describe('refuses', () => {
  test.each([
    ['no id', 0],
    ['more than one call takes', STATUS_BATCH_MAX + 1],
  ])('%s', async (_, count) => {
    const ids = Array.from({ length: count }, () => randomUUID());
    const { status, body } = await change(ids, 'accepted');
    expect([status, body.errors[0].path]).toEqual([400, 'ids']);
  });
});

test('as many orders as one call takes', async () => {
  const ids = idsOf(await place(STATUS_BATCH_MAX));
  const { body } = await change(ids, 'accepted');
  expect(new Set(outcomes(body.data))).toEqual(new Set(['accepted']));
  expect(body.data).toHaveLength(STATUS_BATCH_MAX);
});

describe('at the same moment', () => {
  test('the same orders, several times at once, are accepted once', async () => {
    const ids = idsOf(await place(20));
    const head = await fixture.head();
    const answers = await Promise.all([
      change(ids, 'accepted'),
      change([...ids].reverse(), 'accepted'),
      change(ids, 'accepted', fixture.admin),
      ...ids.map((id) => fixture.changeStatus(id, 'accepted', fixture.farmer)),
    ]);
    for (const { status, body } of answers) expect(status, JSON.stringify(body)).toBe(200);
    expect(await events(head)).toHaveLength(ids.length);
  });

  test('an order is accepted by the farmer or cancelled by its consumer, never both', async () => {
    const orders = await place(30);
    const ids = idsOf(orders);
    const head = await fixture.head();
    const [batch, ...cancels] = await Promise.all([
      change(ids, 'accepted'),
      ...ids.slice(0, 10).map((id) => fixture.changeStatus(id, 'cancelled', fixture.consumer)),
    ]);
    expect(batch.status, JSON.stringify(batch.body)).toBe(200);
    for (const [index, id] of ids.entries()) {
      const result: StatusResult = batch.body.data[index];
      const { body } = await fixture.call('GET', `/orders/${id}`, { as: fixture.farmer });
      const wasCancelled = cancels[index]?.status === 200;
      expect(body.data.status).toBe(wasCancelled ? 'cancelled' : 'accepted');
      expect(outcomes([result])).toEqual([wasCancelled ? 'TRANSITION_NOT_ALLOWED' : 'accepted']);
    }
    // One change each.
    expect(await events(head)).toHaveLength(ids.length);
  });

  test('stock is right when batches are rejected while others order', async () => {
    const product = await fixture.createProduct(60);
    const orders = await Promise.all(
      Array.from({ length: 20 }, () => fixture.placeOrder([{ product, quantity: 2 }])),
    );
    const [first, second, ...placed] = await Promise.all([
      change(idsOf(orders.slice(0, 12)), 'rejected'),
      change(idsOf(orders.slice(8)), 'rejected'),
      ...Array.from({ length: 5 }, () => fixture.order([{ product, quantity: 1 }])),
    ]);
    for (const { status } of [first, second]) expect(status).toBe(200);
    expect(placed.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(await fixture.stockOf(product)).toBe(55);
  });
});
