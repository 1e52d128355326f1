import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import type { Picklist, PickTick } from '#contract/ordering/picklist/picklist';
import { addDays, dayIn } from '#contract/platform/time/constants';
import type { Caller } from '../../testing/market.ts';
import { createSlotFixture } from '../testing/slot-fixture.ts';

// A farm changes how it sells a product: some orders of a day count kilograms, others pieces. They are two rows, and
// what is ticked of one says nothing of the other.

const DAY = addDays(dayIn('UTC'), 3);

let farmer: Caller;
let chicken: string;
const fixture = await createSlotFixture();
afterAll(() => fixture.close());
beforeEach(async () => {
  ({ farmer } = await fixture.newFarm());
  chicken = await fixture.createProduct(100, {
    farmerId: farmer.id,
    name: 'Chicken',
    unit: 'kg',
    priceMinor: 800,
  });
});

async function accepted(quantity: number): Promise<Order> {
  const { body } = await fixture.order([{ product: chicken, quantity }], {
    over: {
      farmer: farmer.id,
      pickupDetails: { date: DAY, time: '10:00', location: 'Farm gate' },
    },
  });
  const { status, body: changed } = await fixture.changeStatus(body.data._id, 'accepted', farmer);
  expect(status, JSON.stringify(changed)).toBe(200);
  return changed.data;
}

/** As before the way of sale was fixed while orders use it: lists of that time have both. */
const sellByThePiece = () =>
  fixture.platform.db.product.update({ where: { id: chicken }, data: { pieceMilli: 1500 } });

const tick = (over: Record<string, unknown>) =>
  fixture.put('/farm/picklist/ticks', farmer, {
    date: DAY,
    productId: chicken,
    unit: 'kg',
    ...over,
  });

const list = async (): Promise<Picklist> =>
  (await fixture.call('GET', `/farm/picklist?date=${DAY}`, { as: farmer })).body.data;

const rows = async () =>
  (await list()).products.map(({ product, isByPiece, quantity, ticked, tickVersion }) => ({
    unit: isByPiece ? 'pieces' : product.unit,
    quantity,
    ticked,
    tickVersion,
  }));

test('a tick made before the change stays with the weight, and pieces are ticked by themselves', async () => {
  await accepted(3);
  expect((await tick({ quantity: 3 })).body.data).toMatchObject({ isByPiece: false, quantity: 3 });
  await sellByThePiece();
  await accepted(2);
  expect(await rows()).toEqual([
    { unit: 'kg', quantity: 3, ticked: 3, tickVersion: 1 },
    { unit: 'pieces', quantity: 2, ticked: 0, tickVersion: 0 },
  ]);

  const pieces = { isByPiece: true, quantity: 1, expectedVersion: 0 };
  expect((await tick(pieces)).body.data).toMatchObject({ isByPiece: true, version: 1 });
  const late = await tick({ ...pieces, quantity: 2 });
  expect(late.status).toBe(409);
  expect(late.body.message).toContain('1 piece is ticked off now.');
  await tick({ isByPiece: false, quantity: 2.5, expectedVersion: 1 });
  expect(await rows()).toEqual([
    { unit: 'kg', quantity: 3, ticked: 2.5, tickVersion: 2 },
    { unit: 'pieces', quantity: 2, ticked: 1, tickVersion: 1 },
  ]);
});

test('who does not say what they count means weight while any order needs it, and pieces where all count them', async () => {
  const byWeight = await accepted(3);
  await sellByThePiece();
  await accepted(2);
  expect((await tick({ quantity: 1 })).body.data.isByPiece).toBe(false);
  await fixture.changeStatus(byWeight._id, 'cancelled', farmer);
  expect((await tick({ quantity: 2 })).body.data.isByPiece).toBe(true);
  // The other tick stays as it is, for an order by weight that is still to come.
  expect((await list()).ticks.map(({ isByPiece, quantity }) => [isByPiece, quantity])).toEqual([
    [false, 1],
    [true, 2],
  ]);
  expect(await rows()).toEqual([{ unit: 'pieces', quantity: 2, ticked: 2, tickVersion: 1 }]);
});

test('pieces that no order counts are not on the list', async () => {
  await accepted(3);
  expect((await tick({ isByPiece: true, quantity: 1 })).status).toBe(404);
});

test('what was ticked of both stays with both once the product is deleted', async () => {
  await accepted(3);
  await sellByThePiece();
  await accepted(2);
  await tick({ isByPiece: false, quantity: 2.5 });
  await tick({ isByPiece: true, quantity: 1 });
  const { status } = await fixture.call('DELETE', `/products/${chicken}`, { as: farmer });
  expect(status).toBe(200);
  expect(await rows()).toMatchObject([
    { unit: 'kg', quantity: 3, ticked: 2.5 },
    { unit: 'pieces', quantity: 2, ticked: 1 },
  ]);
  const late: PickTick = (await tick({ name: 'Chicken', isByPiece: true, quantity: 2 })).body.data;
  expect(late).toMatchObject({ productId: null, isByPiece: true, quantity: 2, version: 2 });
});
