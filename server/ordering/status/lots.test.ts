import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { hire } from '../../testing/staff.ts';
import { NEW_LINE } from '../model/present-lines.ts';
import { createOrderFixture } from '../testing/fixture.ts';
import { linesWithLots } from './lots.ts';

// Which lot is packed for whom.

const fixture = await createOrderFixture();
const { farmer, consumer } = fixture;
const packer = await hire(fixture, farmer, 'packer');
const product = await fixture.createProduct(1000);
afterAll(() => fixture.close());
let order: Order;
const acceptedOrder = async (): Promise<Order> => {
  const { _id } = await fixture.placeOrder([{ product, quantity: 2 }]);
  return (await fixture.changeStatus(_id, 'accepted', farmer)).body.data;
};
const setHarvest = (day: string | null) =>
  fixture.platform.db.product.update({
    where: { id: product },
    data: { harvestDate: day === null ? null : new Date(day) },
  });
beforeEach(async () => {
  order = await acceptedOrder();
  await setHarvest(null);
});

const lineId = () => order.items[0]?._id ?? '';
const pack = (body: Record<string, unknown>, as = packer, id = order._id) =>
  fixture.call('PUT', `/orders/${id}/packing`, { as, body });
const lotNow = async (as = consumer) =>
  (await fixture.call('GET', `/orders/${order._id}`, { as })).body.data.items[0].lot;
const who = (lot: string, as = farmer, more = '') =>
  fixture.call('GET', `/farm/lots?lot=${encodeURIComponent(lot)}${more}`, { as });

describe('a lot', () => {
  test('is said when packing, stands on the line for both, and its event carries it', async () => {
    const after = await fixture.head();
    const lots = [{ line: lineId(), lot: '  L-7 ' }];
    const { status, body } = await pack({
      packing: 'packing',
      lots,
      expectedVersion: order.version,
    });
    expect([status, body.data.items[0].lot]).toEqual([200, 'L-7']);
    expect(await lotNow()).toBe('L-7');
    expect(body.data.timeline.at(-1)).toMatchObject({
      kind: 'packing',
      detail: { from: 'none', to: 'packing' },
    });
    expect(await fixture.eventsAfter(after)).toMatchObject([
      { name: 'order.updated', data: { items: [{ lot: 'L-7' }], change: { kind: 'packing' } } },
    ]);
    // Again it changes nothing, left out it stays, and empty it is gone.
    expect((await pack({ packing: 'packing', lots })).body.data.version).toBe(body.data.version);
    await pack({ packing: 'packed' });
    expect(await lotNow()).toBe('L-7');
    await pack({ packing: 'packed', lots: [{ line: lineId(), lot: '' }] });
    expect(await lotNow()).toBeUndefined();
    expect(
      (await fixture.call('GET', `/orders/${order._id}`, { as: consumer })).body.data.packing,
    ).toBe('packed');
  });

  test('is the day of the harvest where the order is packed without one', async () => {
    await setHarvest('2026-11-24');
    await pack({ packing: 'packing' });
    expect(await lotNow()).toBeUndefined();
    await pack({ packing: 'packed' });
    expect(await lotNow()).toBe('2026-11-24');
    // A later harvest is another lot.
    await setHarvest('2026-11-28');
    await pack({ packing: 'packing' });
    await pack({ packing: 'packed' });
    expect(await lotNow()).toBe('2026-11-24');
  });

  test('that was taken off what is packed stays off, however often that is said again', async () => {
    await setHarvest('2026-11-24');
    await pack({ packing: 'packed' });
    await pack({ packing: 'packed', lots: [{ line: lineId(), lot: '' }] });
    expect(await lotNow()).toBeUndefined();
    await pack({ packing: 'packed' });
    expect(await lotNow()).toBeUndefined();
    await pack({ packing: 'packed', crates: 2 });
    expect(await lotNow()).toBeUndefined();
  });

  test.each([
    [
      'of a line of another order',
      async () => [{ line: (await acceptedOrder()).items[0]?._id, lot: 'A' }],
      'lots.0.line',
    ],
    ['too long', async () => [{ line: lineId(), lot: 'x'.repeat(41) }], 'lots.0.lot'],
    ['of two lines', async () => [{ line: lineId(), lot: 'a\nb' }], 'lots.0.lot'],
    [
      'twice',
      async () => [
        { line: lineId(), lot: 'A' },
        { line: lineId(), lot: 'B' },
      ],
      'lots',
    ],
  ])('%s is refused', async (_, lots, path) => {
    const { status, body } = await pack({ packing: 'packed', lots: await lots() });
    expect([status, body.errors?.[0]?.path]).toEqual([400, path]);
  });

  test('of a removed line, or of a deleted product without one, is not guessed', () => {
    const line = {
      ...NEW_LINE,
      ...{ id: 'l', position: 1, productId: 'p', name: 'Kale', image: null },
      ...{ unit: 'kg' as const, priceMinor: 100, quantityMilli: 1000 },
    };
    const days = new Map([['p', '2026-11-24']]);
    const packed = { packing: 'packed' as const };
    expect(linesWithLots([{ ...line, quantityMilli: 0 }], packed, days)).toBeUndefined();
    expect(linesWithLots([{ ...line, productId: null }], packed, days)).toBeUndefined();
    expect(linesWithLots([line], packed, new Map([['p', null]]))).toBeUndefined();
    expect(linesWithLots([line], packed, days)).toMatchObject([{ lot: '2026-11-24' }]);
  });
});

describe('who got a lot', () => {
  test('is listed page by page, whatever case it is written in, for the own farm alone', async () => {
    const lot = 'Charge Ä-1';
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      order = await acceptedOrder();
      ids.push(order._id);
      await pack({ packing: 'packed', lots: [{ line: lineId(), lot }] });
    }
    await fixture.changeStatus(ids[0] ?? '', 'completed', farmer);
    const first = (await who('charge ä-1', packer, '&limit=2')).body;
    expect(first.data).toHaveLength(2);
    const second = (await who(lot, farmer, `&limit=2&cursor=${first.nextCursor}`)).body;
    const all = [...first.data, ...second.data];
    expect(all.map(({ orderId }) => orderId).sort()).toEqual(ids.toSorted());
    expect(second.nextCursor).toBeNull();
    expect(all[0]).toMatchObject({
      customer: { _id: consumer.id, email: consumer.email },
      product: { _id: product },
      quantity: 2,
      lot,
    });
    // A cancelled order got nothing.
    await fixture.changeStatus(ids[1] ?? '', 'cancelled', farmer);
    expect((await who(lot)).body.data).toHaveLength(2);
    expect((await who('Charge')).body.data).toEqual([]);
    expect((await who(lot, await fixture.join('farmer'))).body.data).toEqual([]);
    expect((await who(lot, consumer)).status).toBe(403);
    expect((await who(' ')).status).toBe(400);
    expect((await who(lot, farmer, '&cursor=x')).status).toBe(400);
  });

  test('is a file in parts, in which no cell is a formula', async () => {
    const lot = '=L-1';
    for (let count = 0; count < 2; count++) {
      order = await acceptedOrder();
      await pack({ packing: 'packed', lots: [{ line: lineId(), lot }] });
    }
    const part = async (more: string) =>
      (await fixture.call('GET', `/farm/lots/file?lot=%3DL-1&limit=1${more}`, { as: farmer })).body
        .data;
    const first = await part('');
    const [headings, line] = first.csv.split('\r\n');
    expect(headings).toMatch(/^Lot,Date,Customer,/);
    expect(line).toContain("'=L-1,");
    expect(line).toContain(consumer.email);
    const second = await part(`&cursor=${first.nextCursor}`);
    expect(second.csv.split('\r\n')).toHaveLength(2);
    expect(second.nextCursor).toBeNull();
  });
});

test('labels and the pick list have the lot', async () => {
  await pack({ packing: 'packed', lots: [{ line: lineId(), lot: 'L-9' }] });
  const date = order.pickupDetails?.date;
  const list = await fixture.call('GET', `/farm/picklist?date=${date}`, { as: farmer });
  const picked = list.body.data.orders.find(({ _id }: { _id: string }) => _id === order._id);
  expect(picked.lines[0].lot).toBe('L-9');
});
