import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import type { Picklist } from '#contract/ordering/picklist/picklist';
import { addDays, dayIn } from '#contract/platform/time/constants';
import type { Caller } from '../../testing/market.ts';
import { createSlotFixture } from '../testing/slot-fixture.ts';

// Products that are hidden or deleted while open orders have them: they are still harvested, weighed and packed.

const DAY = addDays(dayIn('UTC'), 3);

let farmer: Caller;
let chicken: string;
let order: Order;
const fixture = await createSlotFixture();
afterAll(() => fixture.close());
beforeEach(async () => {
  ({ farmer } = await fixture.newFarm());
  chicken = await newProduct();
  order = await accepted(chicken);
});

const newProduct = () =>
  fixture.createProduct(100, {
    farmerId: farmer.id,
    name: 'Chicken',
    unit: 'kg',
    pieceMilli: 1500,
    priceMinor: 800,
  });

async function accepted(product: string): Promise<Order> {
  const { body } = await fixture.order([{ product, quantity: 2 }], {
    over: {
      farmer: farmer.id,
      pickupDetails: { date: DAY, time: '10:00', location: 'Farm gate' },
    },
  });
  const { status, body: changed } = await fixture.changeStatus(body.data._id, 'accepted', farmer);
  expect(status, JSON.stringify(changed)).toBe(200);
  return changed.data;
}
const remove = async (product: string) => {
  const { status } = await fixture.call('DELETE', `/products/${product}`, { as: farmer });
  expect(status).toBe(200);
};
const list = async (): Promise<Picklist> =>
  (await fixture.call('GET', `/farm/picklist?date=${DAY}`, { as: farmer })).body.data;
const tick = (over: Record<string, unknown>) =>
  fixture.put('/farm/picklist/ticks', farmer, { date: DAY, unit: 'kg', quantity: 1, ...over });
const ticked = async () =>
  (await list()).products.map(({ product, quantity, ticked, tickVersion }) => ({
    id: product._id,
    quantity,
    ticked,
    tickVersion,
  }));

async function weighAndPack(): Promise<void> {
  const line = order.items[0]?._id;
  const weighed = await fixture.put(`/orders/${order._id}/lines/${line}/weight`, farmer, {
    packed: 3.1,
    expectedPacked: null,
  });
  expect(weighed.status, JSON.stringify(weighed.body)).toBe(200);
  expect(weighed.body.data).toMatchObject({ totalAmount: 24.8, isTotalFinal: true });
  const packed = await fixture.put(`/orders/${order._id}/packing`, farmer, {
    packing: 'packed',
    crates: 1,
  });
  expect(packed.body.data).toMatchObject({ packing: 'packed', crates: 1 });
}

test('a hidden product is ticked, weighed and packed', async () => {
  await fixture.put(`/products/${chicken}`, farmer, { isActive: false });
  expect((await tick({ productId: chicken })).status).toBe(200);
  expect(await ticked()).toEqual([{ id: chicken, quantity: 2, ticked: 1, tickVersion: 1 }]);
  await weighAndPack();
});

test('a deleted product is ticked by its name, weighed and packed', async () => {
  await remove(chicken);
  const { status, body } = await tick({ productId: null, name: 'Chicken', expectedVersion: 0 });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.data).toMatchObject({ productId: null, name: 'Chicken', quantity: 1, version: 1 });
  const again = { productId: null, name: 'Chicken', quantity: 2, expectedVersion: 1 };
  expect((await tick(again)).body.data).toMatchObject({ quantity: 2, version: 2 });
  expect((await tick(again)).status).toBe(409);
  expect(await ticked()).toEqual([{ id: null, quantity: 2, ticked: 2, tickVersion: 2 }]);
  await weighAndPack();
});

test('what was ticked before a product is deleted stays, by the name that orders have of it', async () => {
  await tick({ productId: chicken });
  await fixture.put(`/products/${chicken}`, farmer, { name: 'Chicken, the last ones' });
  await remove(chicken);
  expect(await ticked()).toEqual([{ id: null, quantity: 2, ticked: 1, tickVersion: 1 }]);
  // Made offline, before the deletion was known.
  const late = await tick({ productId: chicken, name: 'Chicken', quantity: 2, expectedVersion: 1 });
  expect(late.body.data).toMatchObject({ productId: null, quantity: 2, version: 2 });
});

test('two deleted products of one name are one row, with what was ticked of both', async () => {
  const other = await newProduct();
  await accepted(other);
  await tick({ productId: chicken, quantity: 2 });
  await tick({ productId: other });
  await remove(chicken);
  await remove(other);
  expect(await ticked()).toEqual([{ id: null, quantity: 4, ticked: 3, tickVersion: 2 }]);
});

test('a tick and the deletion at the same moment leave one tick', async () => {
  for (let round = 0; round < 5; round++) {
    const product = await newProduct();
    await accepted(product);
    await Promise.all([tick({ productId: product, name: 'Chicken' }), remove(product)]);
    const ticks = (await list()).ticks.filter(({ productId }) => productId !== null);
    expect(ticks).toEqual([]);
    expect((await list()).ticks).toHaveLength(1);
  }
});

test.each([
  ['another name', { productId: null, name: 'Duck' }, 404],
  ['no name', { productId: null }, 400],
  ['an empty name', { productId: null, name: ' ' }, 400],
  ['another unit', { productId: null, name: 'Chicken', unit: 'lb' }, 404],
  ['the name of one that is there', { productId: null, name: 'Eggs' }, 404],
])('a tick by %s is refused', async (_, body, status) => {
  await accepted(await fixture.createProduct(9, { farmerId: farmer.id, name: 'Eggs', unit: 'kg' }));
  await remove(chicken);
  const answer = await tick(body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
});
