import { afterAll, describe, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { createChangesFixture } from './testing/changes-fixture.ts';

// A consumer's new list of an order, wishes for shortages, and what is applied by them.

const fixture = await createChangesFixture();
const { consumer, farmer } = fixture;
afterAll(() => fixture.close());

type Wanted = [product: string, quantity: number, over?: Record<string, unknown>];

const change = (order: Order, items: Wanted[], over: object = {}, as = consumer) =>
  fixture.put(`/orders/${order._id}/items`, as, {
    items: items.map(([product, quantity, more]) => ({ product, quantity, ...more })),
    ...over,
  });

const quantitiesOf = ({ items }: Order) => items.map(({ quantity, price }) => [quantity, price]);

describe('a new list of an order', () => {
  test('takes what is more, gives back what is less, and notifies the farm of the difference', async () => {
    const { order, carrots, kale, beets } = await fixture.ordered();
    await fixture.changeStatus(order._id, 'accepted', farmer);
    const head = await fixture.head();
    const { status, body } = await change(order, [
      [carrots, 12],
      [beets, 3, { onShort: 'leave_out' }],
    ]);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data).toMatchObject({ status: 'accepted', version: 3, totalAmount: 39 });
    expect(body.data.items).toMatchObject([
      { quantity: 12, orderedQuantity: 10, state: 'kept' },
      { quantity: 0, orderedQuantity: 5, state: 'removed' },
      { quantity: 3, orderedQuantity: 0, state: 'added', onShort: 'leave_out' },
    ]);
    expect(await fixture.stocksOf([carrots, kale, beets])).toEqual([88, 100, 97]);
    const [event] = await fixture.updatesOf(order, head);
    expect(event).toMatchObject({
      change: {
        kind: 'lines',
        cause: 'buyer',
        differences: [
          { from: 10, to: 12 },
          { from: 5, to: 0 },
          { from: 0, to: 3 },
        ],
        totalBefore: 35,
        totalAfter: 39,
      },
    });
  });

  test('keeps the price of what was there, and gives the newest price back first', async () => {
    const { order, carrots, kale } = await fixture.ordered();
    await fixture.platform.db.product.update({
      where: { id: carrots },
      data: { priceMinor: 400 },
    });
    const seen = await change(order, [
      [carrots, 13, { price: 2.5 }],
      [kale, 5],
    ]);
    expect([seen.status, seen.body.code]).toEqual([409, 'PRICE_CHANGED']);
    const rebased = await change(order, [
      [carrots, 13, { price: 4, priceBasis: { unit: 'lb', pieceWeight: { average: 2 } } }],
      [kale, 5],
    ]);
    expect(rebased.body.problems).toEqual([
      { line: 0, code: 'PRICE_CHANGED', price: 4, unit: 'lb', pieceWeight: null, estimate: 104 },
    ]);
    const more = await change(order, [
      [carrots, 13, { price: 4 }],
      [kale, 5, { price: 99 }],
    ]);
    expect(quantitiesOf(more.body.data)).toEqual([
      [10, 2.5],
      [5, 2],
      [3, 4],
    ]);
    const fewer = await change(order, [
      [carrots, 9],
      [kale, 5],
    ]);
    expect(quantitiesOf(fewer.body.data)).toEqual([
      [9, 2.5],
      [5, 2],
      [0, 4],
    ]);
    expect(await fixture.stocksOf([carrots, kale])).toEqual([91, 95]);
    // The same again changes nothing.
    const again = await change(order, [
      [carrots, 9],
      [kale, 5],
    ]);
    expect(again.body.data.version).toBe(fewer.body.data.version);
  });

  test('is refused as a whole, with every problem', async () => {
    const { order, carrots, kale } = await fixture.ordered();
    const gone = await fixture.createProduct(5, { isActive: false });
    const { status, body } = await change(order, [
      [carrots, 101],
      [kale, 5.5],
      [gone, 1],
    ]);
    expect([status, body.code]).toEqual([409, 'PRODUCT_UNAVAILABLE']);
    expect(
      body.problems.map(({ line, code }: { line: number; code: string }) => [line, code]),
    ).toEqual([
      [0, 'OUT_OF_STOCK'],
      [1, 'QUANTITY_NOT_OFFERED'],
      [2, 'PRODUCT_UNAVAILABLE'],
    ]);
    expect((await fixture.read(order)).version).toBe(1);
    expect(await fixture.stocksOf([carrots, kale])).toEqual([90, 95]);
    expect((await change(order, [])).status).toBe(400);
    const stale = await change(order, [[carrots, 1]], { expectedVersion: 7 });
    expect([stale.status, stale.body.code]).toEqual([409, 'VERSION_CONFLICT']);
  });

  test('can give back what is no longer sold', async () => {
    const { order, carrots, kale } = await fixture.ordered();
    await fixture.platform.db.product.update({
      where: { id: carrots },
      data: { isActive: false },
    });
    const fewer = await change(order, [
      [carrots, 4],
      [kale, 5],
    ]);
    expect(fewer.status, JSON.stringify(fewer.body)).toBe(200);
    expect((await change(order, [[carrots, 5]])).body.code).toBe('PRODUCT_UNAVAILABLE');
  });

  test('is for its customer, until the cut-off and until it is packed', async () => {
    const { order, carrots } = await fixture.ordered();
    const other = await fixture.join('consumer');
    expect((await change(order, [[carrots, 1]], {}, other)).status).toBe(404);
    await fixture.platform.db.order.update({
      where: { id: order._id },
      data: { packing: 'packing' },
    });
    const packed = await change(order, [[carrots, 1]]);
    expect([packed.status, packed.body.code]).toEqual([409, 'PACKING_BEGUN']);
    await fixture.platform.db.order.update({
      where: { id: order._id },
      data: { packing: 'none', startsAt: new Date(Date.now() - 60_000) },
    });
    const late = await change(order, [[carrots, 1]]);
    expect([late.status, late.body.code]).toEqual([409, 'CUTOFF_PASSED']);
    await fixture.changeStatus(order._id, 'rejected', farmer);
    expect((await change(order, [[carrots, 1]])).body.code).toBe('ORDER_NOT_OPEN');
  });

  test('leaves the stored answer of the placed order as it was', async () => {
    const carrots = await fixture.createProduct(50);
    const headers = { 'idempotency-key': `changes-${carrots}` };
    const options = {
      headers,
      over: { pickupDetails: { date: addDays(dayIn('UTC'), 2), time: '10:00', location: 'Gate' } },
    };
    const place = () => fixture.order([{ product: carrots, quantity: 5 }], options);
    const first = await place();
    await change(first.body.data, [[carrots, 2]]);
    await fixture.propose(first.body.data, [
      { lineId: first.body.data.items[0]._id, action: 'remove', reason: 'damaged' },
    ]);
    const again = await place();
    expect([again.status, again.body]).toEqual([first.status, first.body]);
  });
});

describe('a wish for a shortage', () => {
  const remove = (order: Order, index = 0, reason = 'not_harvested') =>
    fixture.propose(order, [{ lineId: order.items[index]?._id, action: 'remove', reason }]);

  test('to leave it out is done at once', async () => {
    const { order, carrots } = await fixture.ordered([{ onShort: 'leave_out' }, {}]);
    const { status, body } = await remove(order);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ openChange: null, totalAmount: 10, status: 'pending' });
    expect(body.data.timeline.at(-1)).toMatchObject({
      kind: 'lines',
      detail: { cause: 'shortage', differences: [{ from: 10, to: 0 }] },
      by: { _id: farmer.id },
    });
    expect(await fixture.stockOf(carrots)).toBe(90);
  });

  test('for something similar is done at once, unless it is dearer or of another kind', async () => {
    const substitute = (order: Order, productId: string, quantity: number) =>
      fixture.propose(order, [
        {
          lineId: order.items[0]?._id,
          action: 'substitute',
          substitute: { productId, quantity },
          reason: 'quality',
        },
      ]);
    const preference = [{ onShort: 'similar' }, {}];
    const one = await fixture.ordered(preference);
    const cheaper = await substitute(one.order, one.beets, 8);
    expect(cheaper.body.data).toMatchObject({ openChange: null, totalAmount: 34 });
    // Quality is no reason to write anything off.
    expect(await fixture.stocksOf([one.carrots, one.beets])).toEqual([100, 92]);

    const two = await fixture.ordered(preference);
    expect((await substitute(two.order, two.beets, 9)).body.data.openChange).not.toBeNull();
    const three = await fixture.ordered(preference);
    await fixture.platform.db.product.update({
      where: { id: three.beets },
      data: { categoryId: null },
    });
    expect((await substitute(three.order, three.beets, 1)).body.data.openChange).not.toBeNull();

    // Nobody asked for these beets, so they may go back after the cut-off too.
    await fixture.platform.db.order.update({
      where: { id: one.order._id },
      data: { packing: 'packing', startsAt: new Date(Date.now() - 60_000) },
    });
    const more = await change(one.order, [
      [one.kale, 5],
      [one.beets, 9],
    ]);
    expect(more.status).toBe(409);
    const out = await change(one.order, [[one.kale, 5]]);
    expect(out.status, JSON.stringify(out.body)).toBe(200);
    expect(await fixture.stockOf(one.beets)).toBe(100);
  });

  test('for something similar can be undone also where nothing else is left, which ends the order', async () => {
    const carrots = await fixture.createProduct(100);
    const beets = await fixture.createProduct(100, { name: 'Beets', priceMinor: 200 });
    const [order, kept] = await Promise.all(
      [0, 1].map(async () => {
        const items = [{ product: carrots, quantity: 4, onShort: 'similar' }];
        return (await fixture.order(items)).body.data as Order;
      }),
    );
    if (!order || !kept) throw new Error('Two orders are needed');
    await fixture.changeStatus(order._id, 'accepted', farmer);
    const items = [
      {
        lineId: order.items[0]?._id,
        action: 'substitute',
        substitute: { productId: beets, quantity: 3 },
        reason: 'not_harvested',
      },
    ];
    const { body } = await fixture.propose(order, items);
    expect(body.data).toMatchObject({ status: 'accepted', openChange: null, totalAmount: 6 });
    expect(await fixture.stocksOf([carrots, beets])).toEqual([92, 97]);

    // An order that has what its consumer chose needs at least one product, and so does one that is packed.
    const path = ({ _id }: Order) => `/orders/${_id}/items`;
    expect((await fixture.put(path(kept), consumer, { items: [] })).body).toMatchObject({
      message: 'Keep at least one product, or cancel the order.',
    });
    const setPacking = (packing: 'packed' | 'packing') =>
      fixture.platform.db.order.update({ where: { id: order._id }, data: { packing } });
    await setPacking('packed');
    expect((await fixture.put(path(order), consumer, { items: [] })).body.code).toBe(
      'PACKING_BEGUN',
    );
    await setPacking('packing');

    const out = await fixture.put(path(order), consumer, { items: [] });
    expect(out.status, JSON.stringify(out.body)).toBe(200);
    expect(out.body.data).toMatchObject({ status: 'cancelled', totalAmount: 6 });
    expect(out.body.data.timeline.slice(-2)).toMatchObject([
      { kind: 'lines', detail: { cause: 'buyer', differences: [{ from: 3, to: 0 }] } },
      { kind: 'status', status: 'cancelled', by: { _id: consumer.id } },
    ]);
    expect(await fixture.stocksOf([carrots, beets])).toEqual([92, 100]);
  });

  test('is kept apart from what needs an answer, in one version', async () => {
    const { order } = await fixture.ordered([{ onShort: 'leave_out' }, { onShort: 'ask' }]);
    const head = await fixture.head();
    const { body } = await fixture.propose(order, [
      { lineId: order.items[0]?._id, action: 'remove', reason: 'damaged' },
      { lineId: order.items[1]?._id, action: 'reduce', newQuantity: 2, reason: 'damaged' },
    ]);
    expect(body.data).toMatchObject({ version: 2, totalAmount: 10 });
    expect(body.data.openChange).toMatchObject({ totalBefore: 10, totalAfter: 4 });
    expect(body.data.openChange.items).toHaveLength(1);
    expect(body.data.timeline.slice(1).map(({ kind }: { kind: string }) => kind)).toEqual([
      'lines',
      'proposal',
    ]);
    expect(await fixture.updatesOf(order, head)).toHaveLength(1);
  });

  test('from which nothing is left ends the order', async () => {
    const { order } = await fixture.ordered([{ onShort: 'leave_out' }, { onShort: 'leave_out' }]);
    const { body } = await fixture.propose(
      order,
      order.items.map(({ _id }) => ({ lineId: _id, action: 'remove', reason: 'damaged' })),
    );
    expect(body.data.status).toBe('rejected');
    expect(body.data.timeline.at(-1).cause).toBe('nothing_left');
  });

  test('is written for a line, remembered for the product, and has a default', async () => {
    const { order, carrots, beets } = await fixture.ordered();
    const lineId = order.items[0]?._id;
    const path = `/orders/${order._id}/lines/${lineId}/preference`;
    const set = await fixture.put(path, consumer, { onShort: 'specific', preferredProduct: beets });
    expect(set.body.data.items[0]).toMatchObject({ onShort: 'specific', preferredProduct: beets });
    expect((await fixture.put(path, consumer, { onShort: 'specific' })).status).toBe(400);
    const own = { onShort: 'specific', preferredProduct: carrots };
    expect((await fixture.put(path, consumer, own)).status).toBe(400);
    const other = await fixture.join('consumer');
    expect((await fixture.put(path, other, { onShort: 'ask' })).status).toBe(404);
    const wishes = await fixture.call('GET', `/orders/wishes?products=${carrots},${beets}`, {
      as: consumer,
    });
    expect(wishes.body.data).toEqual([
      { product: carrots, onShort: 'specific', preferredProduct: beets },
    ]);
    const theirs = await fixture.call('GET', `/orders/wishes?products=${carrots}`, { as: other });
    expect(theirs.body.data).toEqual([]);
    // What nobody sells any more is no wish for the next order.
    const { db } = fixture.platform;
    const remembered = async () =>
      (await fixture.call('GET', `/orders/wishes?products=${carrots}`, { as: consumer })).body.data;
    await db.product.update({ where: { id: beets }, data: { isActive: false } });
    expect(await remembered()).toEqual([]);
    await db.product.delete({ where: { id: beets } });
    expect(await remembered()).toEqual([]);

    const saved = await fixture.put('/users/profile', other, {
      name: other.name,
      onShortDefault: 'similar',
    });
    expect(saved.body.data.onShortDefault).toBe('similar');
    const placed = await fixture.placeOrder([{ product: carrots, quantity: 1 }], other);
    expect(placed.items[0]?.onShort).toBe('similar');
    const specific = { name: other.name, onShortDefault: 'specific' };
    expect((await fixture.put('/users/profile', other, specific)).status).toBe(400);
  });
});

test('what is to come instead is another product of the farm', async () => {
  const { order, carrots, beets } = await fixture.ordered();
  const stranger = await fixture.join('farmer');
  const theirs = await fixture.createProduct(10, { farmerId: stranger.id, name: 'Their Leek' });
  const preference = (preferredProduct: string) =>
    fixture.put(`/orders/${order._id}/items`, fixture.consumer, {
      items: [{ product: carrots, quantity: 10, onShort: 'specific', preferredProduct }],
    });
  for (const unfit of [carrots, theirs, order._id]) {
    expect(await preference(unfit)).toMatchObject({
      status: 400,
      body: {
        message: 'Choose another product of this farm.',
        errors: [{ path: 'items.0.preferredProduct' }],
      },
    });
  }
  expect((await preference(beets)).body.data.items[0]).toMatchObject({ preferredProduct: beets });
  await fixture.platform.db.product.delete({ where: { id: beets } });
  expect((await preference(beets)).status).toBe(200);
});
