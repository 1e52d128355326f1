import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FeedItem } from '#contract/admin';
import type { Order } from '#contract/orders';
import { createOrderFixture, type OrderFixture } from './testing/fixture.ts';

// An order's version, the sequence of its timeline and the number of changes of its status are three
// different things. Here an order has been changed in ways that are no change of status.

let stall: OrderFixture;
beforeAll(async () => {
  stall = await createOrderFixture({ UNANSWERED_AFTER_SECONDS: '60' });
});
afterAll(() => stall.close());

/** A pending order of version 5: one change left an entry of another kind, three left none. */
async function changedOrder(): Promise<Order> {
  const order = await stall.placed([{ product: await stall.stock(9), quantity: 2 }]);
  await stall.platform.db.order.update({
    where: { id: order._id },
    data: { version: 5, createdAt: new Date(Date.now() - 120_000) },
  });
  await stall.platform.db.orderTimelineEntry.updateMany({
    where: { orderId: order._id },
    data: { at: new Date(Date.now() - 120_000) },
  });
  await stall.platform.db.orderTimelineEntry.create({
    data: {
      orderId: order._id,
      sequence: 2,
      kind: 'packing',
      status: null,
      version: 2,
      byId: stall.farmer.id,
      at: new Date(Date.now() - 90_000),
    },
  });
  return order;
}

const feedOf = async (id: string): Promise<FeedItem[]> => {
  const { status, body } = await stall.call('GET', '/admin/feed', { as: stall.admin });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.filter((item: FeedItem) => item.order?._id === id);
};

test('a change of status goes on from the version and from the sequence, each by itself', async () => {
  const { _id } = await changedOrder();
  const head = await stall.head();
  const { body } = await stall.move(_id, 'accepted', stall.farmer);
  expect(body.data).toMatchObject({ version: 6, status: 'accepted' });
  expect(body.data.timeline.map((entry: { sequence: number }) => entry.sequence)).toEqual([1, 3]);
  const read = await stall.call('GET', `/orders/${_id}`, { as: stall.consumer });
  expect(read.body.data).toEqual(body.data);
  expect((await stall.heardSince(head))[0]?.data).toEqual({
    ...body.data,
    change: { kind: 'status', from: 'pending', to: 'accepted' },
  });
});

test("the feed's lines are of changes of status, each with the order as it was then", async () => {
  const { _id } = await changedOrder();
  await stall.move(_id, 'accepted', stall.farmer);
  await stall.move(_id, 'completed', stall.farmer);
  const lines = (await feedOf(_id)).map((item) => [
    item._id,
    item.order?.status,
    item.order?.version,
    item.order?.timeline.length,
    item.by?._id ?? null,
  ]);
  expect(lines).toEqual([
    [`order.statusChanged:${_id}:4`, 'completed', 7, 3, stall.farmer.id],
    [`order.statusChanged:${_id}:3`, 'accepted', 6, 2, stall.farmer.id],
    [`order.unanswered:${_id}`, 'pending', 2, 1, null],
    [`order.placed:${_id}`, 'pending', 1, 1, stall.consumer.id],
  ]);
});

test('what is no answer leaves an order unanswered', async () => {
  const { _id } = await changedOrder();
  const stats = await stall.call('GET', '/admin/stats', { as: stall.admin });
  expect(stats.body.data.unanswered.map((order: Order) => order._id)).toContain(_id);
  expect((await feedOf(_id)).map((item) => item.kind)).toEqual([
    'order.unanswered',
    'order.placed',
  ]);
});

test('two changes at once get one entry each, one after the other', async () => {
  const { _id } = await changedOrder();
  const answers = await Promise.all([
    stall.move(_id, 'accepted', stall.farmer),
    stall.move(_id, 'rejected', stall.admin),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { body } = await stall.call('GET', `/orders/${_id}`, { as: stall.admin });
  expect(body.data.timeline).toHaveLength(2);
  expect(body.data.version).toBe(6);
});
