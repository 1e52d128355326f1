import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import type { Caller } from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';
import { lockOrderFor } from '../model/lock.ts';
import { afterOrderPlan } from '../model/write.ts';
import { createOrderFixture } from '../testing/fixture.ts';

// How far an order is packed, and into how many crates.

let order: Order;
const fixture = await createOrderFixture();
const packer: Caller = await hire(fixture, fixture.farmer, 'packer');
const product = await fixture.createProduct(1000);
afterAll(() => fixture.close());
beforeEach(async () => {
  const { _id } = await fixture.placeOrder([{ product, quantity: 2 }]);
  order = (await fixture.changeStatus(_id, 'accepted', fixture.farmer)).body.data;
});

const pack = (body: Record<string, unknown>, as = packer, id = order._id) =>
  fixture.call('PUT', `/orders/${id}/packing`, { as, body });

test('is recorded by a packer, stands in the timeline, and the customer sees it', async () => {
  const after = await fixture.head();
  const { status, body } = await pack({
    packing: 'packed',
    crates: 2,
    expectedVersion: order.version,
  });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ packing: 'packed', crates: 2, version: order.version + 1 });
  expect(body.data.timeline.at(-1)).toMatchObject({
    kind: 'packing',
    by: { _id: packer.id },
    detail: { from: 'none', to: 'packed', crates: 2 },
  });
  const path = `/orders/${order._id}`;
  expect((await fixture.call('GET', path, { as: fixture.consumer })).body.data).toEqual(body.data);
  expect(await fixture.eventsAfter(after)).toMatchObject([
    {
      name: 'order.updated',
      data: { packing: 'packed', change: { kind: 'packing', to: 'packed' } },
    },
  ]);
});

test('keeps the crates while nothing is said of them, and none once it is unpacked', async () => {
  await pack({ packing: 'packing', crates: 3 });
  expect((await pack({ packing: 'packed' })).body.data).toMatchObject({ crates: 3 });
  expect((await pack({ packing: 'packed', crates: null })).body.data).not.toHaveProperty('crates');
  await pack({ packing: 'packed', crates: 1 });
  expect((await pack({ packing: 'none', crates: 4 })).body.data).not.toHaveProperty('crates');
});

test('said again changes nothing', async () => {
  const first = await pack({ packing: 'packed', crates: 2 });
  const after = await fixture.head();
  expect((await pack({ packing: 'packed', crates: 2 })).body).toEqual(first.body);
  expect(await fixture.eventsAfter(after)).toEqual([]);
});

test('of two at once with the same version is one, and the other gets the order', async () => {
  const answers = await Promise.all(
    ['packing', 'packed'].map((packing) => pack({ packing, expectedVersion: order.version })),
  );
  const [won, lost] = answers.sort((a, b) => a.status - b.status);
  expect([won?.status, lost?.status]).toEqual([200, 409]);
  expect(lost?.body).toMatchObject({ code: 'VERSION_CONFLICT', data: won?.body.data });
});

describe('right after a weight, which made another version of the order,', () => {
  const weigh = (packed: number, as = packer) =>
    fixture.call('PUT', `/orders/${order._id}/lines/${order.items[0]?._id}/weight`, {
      as,
      body: { packed },
    });
  const packAtOnce = () => pack({ packing: 'packed', expectedVersion: order.version });

  test('takes what the same person weighed for known, also where the customer is asked', async () => {
    await weigh(2.1);
    await weigh(2.2);
    const { body: asked } = await fixture.call(
      'PUT',
      `/orders/${order._id}/lines/${order.items[0]?._id}/weight`,
      { as: packer, body: { packed: 3, overweight: 'ask' } },
    );
    expect(asked.data.openChange).not.toBeNull();
    expect(await packAtOnce()).toMatchObject({
      status: 200,
      body: { data: { packing: 'packed', version: asked.data.version + 1 } },
    });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['somebody else weighed it', () => weigh(2.1, fixture.farmer)],
    ['it was packed meanwhile, by whomever', () => pack({ packing: 'packing', crates: 3 })],
    [
      'its lines changed',
      () =>
        fixture.call('POST', `/orders/${order._id}/changes`, {
          as: fixture.farmer,
          body: {
            items: [
              {
                lineId: order.items[0]?._id,
                action: 'reduce',
                newQuantity: 1,
                reason: 'damaged',
              },
            ],
          },
        }),
    ],
  ])('is refused where %s too', async (_, happen) => {
    await happen();
    await weigh(2.3);
    const { status, body } = await packAtOnce();
    expect([status, body.code]).toEqual([409, 'VERSION_CONFLICT']);
    expect(body.data.packing).not.toBe('packed');
  });

  test('is refused with a version that is still to come', async () => {
    await weigh(2.1);
    const later = { packing: 'packed', expectedVersion: order.version + 2 };
    expect((await pack(later)).status).toBe(409);
  });
});

test('goes back to packing when a line changes afterwards', async () => {
  await pack({ packing: 'packed', crates: 2 });
  await fixture.platform.db.$transaction(async (tx) => {
    const locked = await lockOrderFor(tx, packer.id, order._id);
    if (!locked) throw new Error('The order is missing');
    const { order: before, by, now: at } = locked;
    const change = {
      kind: 'lines' as const,
      cause: 'shortage' as const,
      differences: [],
      totalBefore: 5,
      totalAfter: 2.5,
    };
    const lines = before.lines.map((line) => ({ ...line, quantityMilli: 1000 }));
    expect(afterOrderPlan({ at, by, before, change, lines })).toMatchObject({ packing: 'packing' });
    const weighed = before.lines.map((line) => ({ ...line, packedMilli: 1900 }));
    expect(afterOrderPlan({ at, by, before, change, lines: weighed })).toMatchObject({
      packing: 'packed',
    });
  });
});

describe('is refused', () => {
  test('of an order that is not accepted', async () => {
    const pending = await fixture.placeOrder([{ product, quantity: 1 }]);
    const answer = await pack({ packing: 'packed' }, packer, pending._id);
    expect(answer).toMatchObject({ status: 409, body: { code: 'ORDER_NOT_ACCEPTED' } });
    await fixture.changeStatus(order._id, 'completed', fixture.farmer);
    expect((await pack({ packing: 'packed' })).status).toBe(409);
  });

  test('to those who may not', async () => {
    const seller = await hire(fixture, fixture.farmer, 'seller');
    const stranger = await fixture.join('farmer');
    const statuses = [seller, stranger, fixture.consumer, fixture.admin].map(
      async (as) => (await pack({ packing: 'packed' }, as)).status,
    );
    expect(await Promise.all(statuses)).toEqual([403, 404, 403, 403]);
  });
});
