import { afterAll, expect, test } from 'vitest';
import type { FeedItem } from '#contract/admin/admin/admin';
import type { Order } from '#contract/ordering/orders/orders';
import { createOrderFixture } from '../testing/fixture.ts';

// An order's version, the sequence of its timeline and the number of changes of its status are three
// different things. Here an order has been changed in ways that are no change of status.

const fixture = await createOrderFixture({ UNANSWERED_AFTER_SECONDS: '60' });
afterAll(() => fixture.close());

/** A pending order of version 5: one change left an entry of another kind, three left none. */
async function changedOrder(): Promise<Order> {
  const order = await fixture.placeOrder([
    { product: await fixture.createProduct(9), quantity: 2 },
  ]);
  await fixture.platform.db.order.update({
    where: { id: order._id },
    data: { version: 5, createdAt: new Date(Date.now() - 120_000) },
  });
  await fixture.platform.db.orderTimelineEntry.updateMany({
    where: { orderId: order._id },
    data: { at: new Date(Date.now() - 120_000) },
  });
  await fixture.platform.db.orderTimelineEntry.create({
    data: {
      orderId: order._id,
      sequence: 2,
      kind: 'packing',
      status: null,
      version: 2,
      byId: fixture.farmer.id,
      at: new Date(Date.now() - 90_000),
    },
  });
  return order;
}

const feedOf = async (id: string): Promise<FeedItem[]> => {
  const { status, body } = await fixture.call('GET', '/admin/feed', { as: fixture.admin });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.filter((item: FeedItem) => item.order?._id === id);
};

test('increments version and sequence independently', async () => {
  const { _id } = await changedOrder();
  const head = await fixture.head();
  const { body } = await fixture.changeStatus(_id, 'accepted', fixture.farmer);
  expect(body.data).toMatchObject({ version: 6, status: 'accepted' });
  expect(body.data.timeline.map((entry: { sequence: number }) => entry.sequence)).toEqual([1, 3]);
  const read = await fixture.call('GET', `/orders/${_id}`, { as: fixture.consumer });
  expect(read.body.data).toEqual(body.data);
  expect((await fixture.eventsAfter(head))[0]?.data).toEqual({
    ...body.data,
    change: { kind: 'status', from: 'pending', to: 'accepted' },
  });
});

test('the feed lists status changes, each with the order of that time', async () => {
  const { _id } = await changedOrder();
  await fixture.changeStatus(_id, 'accepted', fixture.farmer);
  await fixture.changeStatus(_id, 'completed', fixture.farmer);
  const lines = (await feedOf(_id)).map((item) => [
    item._id,
    item.order?.status,
    item.order?.version,
    item.order?.timeline.length,
    item.by?._id ?? null,
  ]);
  expect(lines).toEqual([
    [`order.statusChanged:${_id}:4`, 'completed', 7, 3, fixture.farmer.id],
    [`order.statusChanged:${_id}:3`, 'accepted', 6, 2, fixture.farmer.id],
    [`order.unanswered:${_id}`, 'pending', 2, 1, null],
    [`order.placed:${_id}`, 'pending', 1, 1, fixture.consumer.id],
  ]);
});

test('an order stays unanswered after a change that is not an answer', async () => {
  const { _id } = await changedOrder();
  const stats = await fixture.call('GET', '/admin/stats', { as: fixture.admin });
  expect(stats.body.data.unanswered.map((order: Order) => order._id)).toContain(_id);
  expect((await feedOf(_id)).map((item) => item.kind)).toEqual([
    'order.unanswered',
    'order.placed',
  ]);
});

test('gives concurrent changes one entry each, in sequence', async () => {
  const { _id } = await changedOrder();
  const answers = await Promise.all([
    fixture.changeStatus(_id, 'accepted', fixture.farmer),
    fixture.changeStatus(_id, 'rejected', fixture.admin),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { body } = await fixture.call('GET', `/orders/${_id}`, { as: fixture.admin });
  expect(body.data.timeline).toHaveLength(2);
  expect(body.data.version).toBe(6);
});
