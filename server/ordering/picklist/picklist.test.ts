import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import type { Picklist } from '#contract/ordering/picklist/picklist';
import { addDays, dayIn } from '#contract/platform/time/constants';
import type { Caller } from '../../testing/market.ts';
import { makePlace, slotsAhead } from '../../testing/slots.ts';
import { hire } from '../../testing/staff.ts';
import { createSlotFixture } from '../testing/slot-fixture.ts';

// What a farm harvests and packs for a day: the list, prints, ticks and what was seen.

const DAY = addDays(dayIn('UTC'), 3);
const OTHER_DAY = addDays(DAY, 1);

let farmer: Caller;
let carrots: string;
let eggs: string;
const fixture = await createSlotFixture();
afterAll(() => fixture.close());
beforeEach(async () => {
  ({ farmer, product: carrots } = await fixture.newFarm());
  eggs = await product('Eggs', { unit: 'dozen' });
});

const product = (name: string, over: Record<string, unknown> = {}) =>
  fixture.createProduct(1000, { farmerId: farmer.id, name, ...over });

async function place(
  items: { product: string; quantity: number }[],
  { day = DAY, as = fixture.consumer, isAccepted = true } = {},
): Promise<Order> {
  const pickupDetails = { date: day, time: '10:00', location: 'Farm gate' };
  const { status, body } = await fixture.order(items, {
    as,
    over: { farmer: farmer.id, pickupDetails },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return isAccepted ? accept(body.data) : body.data;
}

async function accept({ _id }: Order): Promise<Order> {
  const { status, body } = await fixture.changeStatus(_id, 'accepted', farmer);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

async function list(query = `date=${DAY}`, as = farmer): Promise<Picklist> {
  const { status, body } = await fixture.call('GET', `/farm/picklist?${query}`, { as });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

async function print(body: Record<string, unknown> = { date: DAY }) {
  const answer = await fixture.post('/farm/picklist/prints', farmer, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

const tick = (over: Record<string, unknown> = {}, as = farmer) =>
  fixture.put('/farm/picklist/ticks', as, {
    date: DAY,
    productId: carrots,
    unit: 'lb',
    quantity: 2,
    ...over,
  });

const totalsIn = ({ products }: Picklist) =>
  Object.fromEntries(
    products.map(({ product: { name, unit }, quantity, pendingQuantity, sincePrint }) => [
      `${name} ${unit}`,
      [quantity, pendingQuantity, sincePrint],
    ]),
  );

const changesIn = ({ changes }: Picklist) =>
  changes.map(({ product: { name }, kind, from, to }) => `${name} ${kind}: ${from}, ${to}`).sort();

describe('the list', () => {
  test('adds up accepted orders of the day, and pending ones beside them', async () => {
    await place([
      { product: carrots, quantity: 2 },
      { product: eggs, quantity: 1 },
    ]);
    await place([{ product: carrots, quantity: 3 }], { as: fixture.other });
    await place([{ product: carrots, quantity: 7 }], { isAccepted: false });
    await place([{ product: carrots, quantity: 9 }], { day: OTHER_DAY });
    const day = await list();
    expect(totalsIn(day)).toEqual({ 'Carrots lb': [5, 7, null], 'Eggs dozen': [1, 0, null] });
    expect(day).toMatchObject({
      date: DAY,
      place: null,
      print: null,
      changes: [],
      nextCursor: null,
    });
    expect(day.orders).toHaveLength(3);
  });

  test('names the lines about which the customer is being asked', async () => {
    const order = await place([
      { product: carrots, quantity: 3 },
      { product: eggs, quantity: 1 },
    ]);
    const asked = async () => (await list()).orders.map(({ askedLineIds }) => askedLineIds);
    expect(await asked()).toEqual([[]]);
    const [line] = order.items;
    const { status, body } = await fixture.post(`/orders/${order._id}/changes`, farmer, {
      items: [{ lineId: line?._id, action: 'reduce', newQuantity: 1, reason: 'not_harvested' }],
    });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(await asked()).toEqual([[line?._id]]);
    const change = `/orders/${order._id}/changes/${body.data.openChange._id}`;
    await fixture.put(`${change}/answer`, fixture.consumer, {
      items: [{ lineId: line?._id, answer: 'accept' }],
    });
    expect(await asked()).toEqual([[]]);
  });

  test('keeps a product in two units apart, and names that differ together', async () => {
    await place([{ product: carrots, quantity: 2 }]);
    await fixture.platform.db.product.update({
      where: { id: carrots },
      data: { name: 'Carrots, orange', unit: 'kg', version: { increment: 1 } },
    });
    await place([{ product: carrots, quantity: 1 }]);
    await fixture.platform.db.product.update({
      where: { id: carrots },
      data: { name: 'Carrots, red', version: { increment: 1 } },
    });
    await place([{ product: carrots, quantity: 1 }]);
    const { products } = await list();
    expect(products.map(({ product: { unit }, quantity }) => [unit, quantity])).toEqual([
      ['lb', 2],
      ['kg', 2],
    ]);
  });

  test('shows goods that are counted in pieces in pieces, not in the unit of their price', async () => {
    const chicken = await product('Chicken', { unit: 'kg', pieceMilli: 1800 });
    const { _id } = await place([{ product: chicken, quantity: 3 }]);
    await print();
    const changed = await fixture.put(`/orders/${_id}/items`, fixture.consumer, {
      items: [{ product: chicken, quantity: 2 }],
    });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect((await list()).changes).toMatchObject([
      { kind: 'changed', from: 3, to: 2, delta: -1, isByPiece: true },
    ]);
    const goods = { productId: chicken, unit: 'kg', expectedVersion: 0 };
    await tick({ ...goods, quantity: 1 });
    const { status, body } = await tick({ ...goods, quantity: 2 });
    expect([status, body.message]).toEqual([409, expect.stringContaining('was first: 1 piece is')]);
  });

  test('still names a product that was deleted', async () => {
    const order = await place([{ product: eggs, quantity: 2 }]);
    await print();
    const { status } = await fixture.call('DELETE', `/products/${eggs}`, { as: farmer });
    expect(status).toBe(200);
    const day = await list();
    expect(day.products).toMatchObject([
      { product: { _id: null, name: 'Eggs' }, quantity: 2, sincePrint: 0 },
    ]);
    expect(day.changes).toEqual([]);
    await fixture.changeStatus(order._id, 'cancelled', farmer);
    expect(changesIn(await list())).toEqual(['Eggs cancelled: 2, 0']);
  });

  test('of a place has only what is picked up there', async () => {
    const gate = await makePlace(fixture, farmer, { name: 'Gate' });
    const market = await makePlace(fixture, farmer, { name: 'Market' });
    const at = async (id: string) => {
      const slot = (await slotsAhead(fixture, farmer, id))[0];
      if (!slot) throw new Error('A place has no slots');
      return slot;
    };
    const [slot, other] = [await at(gate), await at(market)];
    const order = await accept(await fixture.placed(slot._id));
    await accept(await fixture.placed(other._id));
    expect(order.pickupDetails).toMatchObject({ placeId: gate, slotId: slot._id });
    const { date } = slot;
    expect(totalsIn(await list(`date=${date}`))).toEqual({ 'Carrots lb': [2, 0, null] });
    expect(totalsIn(await list(`date=${date}&place=${gate}`))).toEqual({
      'Carrots lb': [1, 0, null],
    });
    await print({ date, place: gate });
    await print({ date, place: market });

    const moved = await fixture.put(`/orders/${order._id}/slot`, farmer, { slotId: other._id });
    expect(moved.body.data.pickupDetails).toMatchObject({ placeId: market });
    expect(changesIn(await list(`date=${date}&place=${gate}`))).toEqual([
      'Carrots moved_away: 1, 0',
    ]);
    expect(changesIn(await list(`date=${date}&place=${market}`))).toEqual([
      'Carrots moved_in: 0, 1',
    ]);
  });

  test('comes page by page, each order once', async () => {
    const names: string[] = [];
    for (const each of ['Ann', 'Ben', 'Cy']) {
      const as = await fixture.join('consumer', each);
      await place([{ product: carrots, quantity: 1 }], { as });
      await place([{ product: carrots, quantity: 1 }], { as });
      names.push(each, each);
    }
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = `date=${DAY}&limit=2${cursor && `&cursor=${cursor}`}`;
      const { body } = await fixture.call('GET', `/farm/picklist/orders?${query}`, { as: farmer });
      found.push(...body.data.map(({ customer }: Picklist['orders'][number]) => customer.name));
      cursor = body.nextCursor;
    }
    expect(found).toEqual(names);
    expect((await list()).orders.map(({ customer }) => customer.name)).toEqual(names);
  });

  test('lists which days have orders', async () => {
    await place([{ product: carrots, quantity: 1 }]);
    await place([{ product: carrots, quantity: 1 }], { isAccepted: false });
    await place([{ product: carrots, quantity: 1 }], { day: OTHER_DAY, isAccepted: false });
    const days = async (query = '') =>
      (await fixture.call('GET', `/farm/picklist/days${query}`, { as: farmer })).body.data;
    const [one, two] = [
      { date: DAY, orders: 1, pending: 1 },
      { date: OTHER_DAY, orders: 0, pending: 1 },
    ];
    expect(await days()).toEqual([one, two]);
    expect(await days(`?from=${OTHER_DAY}`)).toEqual([two]);
    expect(await days(`?to=${DAY}`)).toEqual([one]);
    expect(await days(`?product=${eggs}`)).toEqual([]);
    const withEggs = await place([{ product: eggs, quantity: 1 }], { day: OTHER_DAY });
    expect(await days(`?product=${eggs}`)).toEqual([{ date: OTHER_DAY, orders: 1, pending: 0 }]);
    // What is handed over can't change any more.
    await fixture.changeStatus(withEggs._id, 'completed', farmer);
    expect(await days(`?product=${eggs}`)).toEqual([]);
  });
});

describe('prints', () => {
  test('are numbered per list, and show what changed since', async () => {
    const first = await place([{ product: carrots, quantity: 3 }]);
    const second = await place([{ product: carrots, quantity: 2 }]);
    expect(await print()).toMatchObject({ number: 1, by: { _id: farmer.id } });
    expect(await print({ date: OTHER_DAY })).toMatchObject({ number: 1 });
    await fixture.changeStatus(second._id, 'cancelled', farmer);
    await place([
      { product: carrots, quantity: 1 },
      { product: eggs, quantity: 4 },
    ]);
    const day = await list();
    expect(totalsIn(day)).toEqual({ 'Carrots lb': [4, 0, -1], 'Eggs dozen': [4, 0, 4] });
    expect(changesIn(day)).toEqual([
      'Carrots cancelled: 2, 0',
      'Carrots new: 0, 1',
      'Eggs new: 0, 4',
    ]);
    const again = await print();
    expect(again).toMatchObject({ number: 2 });
    expect(await list()).toMatchObject({ changes: [], print: { number: 2 } });
    const { body } = await fixture.call('GET', `/farm/picklist/prints/${again._id}`, {
      as: farmer,
    });
    expect(body.data).toMatchObject({
      date: DAY,
      number: 2,
      products: [
        { product: { name: 'Carrots' }, quantity: 4 },
        { product: { name: 'Eggs' }, quantity: 4 },
      ],
      sinceLast: [
        { product: { name: 'Carrots' }, delta: -1 },
        { product: { name: 'Eggs' }, delta: 4 },
      ],
    });
    // Handed over is still of the day.
    await fixture.changeStatus(first._id, 'completed', farmer);
    expect((await list()).changes).toEqual([]);
  });

  test('have no gap and no number twice, however many are made at once', async () => {
    await place([{ product: carrots, quantity: 1 }]);
    const prints = await Promise.all(Array.from({ length: 12 }, () => print()));
    expect(prints.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
  });

  test('of another farm are unknown', async () => {
    const { _id } = await print();
    const stranger = await fixture.join('farmer');
    const { status } = await fixture.call('GET', `/farm/picklist/prints/${_id}`, { as: stranger });
    expect(status).toBe(404);
  });
});

describe('a tick', () => {
  beforeEach(() => place([{ product: carrots, quantity: 3 }]));

  test('is absolute, has a version, and names the person', async () => {
    const packer = await hire(fixture, farmer, 'packer');
    expect((await tick({ expectedVersion: 0 })).body.data).toMatchObject({
      quantity: 2,
      version: 1,
    });
    expect((await tick()).body.data).toMatchObject({ quantity: 2, version: 1 });
    const more = await tick({ quantity: 2.5, expectedVersion: 1 }, packer);
    expect(more.body.data).toMatchObject({ quantity: 2.5, version: 2, by: { name: packer.name } });
    expect((await list()).products).toMatchObject([
      { ticked: 2.5, tickVersion: 2, tickedBy: { _id: packer.id } },
    ]);
    expect((await tick({ quantity: 0 })).body.data).toMatchObject({ quantity: 0, version: 3 });
    expect((await list(`date=${OTHER_DAY}`)).ticks).toEqual([]);
  });

  test('of two at once is one, and the other gets who was first', async () => {
    const packer = await hire(fixture, farmer, 'packer');
    const answers = await Promise.all([
      tick({ quantity: 1, expectedVersion: 0 }),
      tick({ quantity: 3, expectedVersion: 0 }, packer),
    ]);
    const [won, lost] = answers.sort((a, b) => a.status - b.status);
    expect([won?.status, lost?.status]).toEqual([200, 409]);
    expect(lost?.body).toMatchObject({ code: 'VERSION_CONFLICT', data: won?.body.data });
    expect(lost?.body.message).toContain(`${won?.body.data.by.name} was first: `);
  });

  test.each([
    ['another unit', { unit: 'kg' }, 404],
    ['another day', { date: OTHER_DAY }, 404],
    ['a product of nobody', { productId: '00000000-0000-4000-8000-000000000000' }, 404],
    ['a place of nobody', { place: '00000000-0000-4000-8000-000000000000' }, 404],
  ])('with %s is refused', async (_, over, status) => {
    const answer = await tick(over);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(answer.body.message).toMatch(/\.$|found$/);
    expect((await list()).ticks).toEqual([]);
  });
});

describe('changes', () => {
  test('that somebody has seen carry a name, until the order changes again', async () => {
    const packer = await hire(fixture, farmer, 'packer');
    await print();
    const order = await place([{ product: carrots, quantity: 2 }]);
    const [change] = (await list()).changes;
    expect(change).toMatchObject({ orderId: order._id, kind: 'new' });
    const mark = (sequence = change?.sequence ?? 0, as: Caller = packer) =>
      fixture.put('/farm/picklist/seen', as, {
        date: DAY,
        changes: [{ orderId: order._id, sequence }],
      });
    // An entry that there is not yet.
    expect((await mark(99)).body.data).toEqual({ seen: 0 });
    expect((await mark()).body.data).toEqual({ seen: 1 });
    expect((await mark(undefined, farmer)).body.data).toEqual({ seen: 0 });
    expect((await list()).changes).toMatchObject([{ seen: { by: { name: packer.name } } }]);

    // Packing changes nothing of what is needed.
    await fixture.put(`/orders/${order._id}/packing`, packer, { packing: 'packed' });
    expect((await list()).changes).toMatchObject([{ seen: { by: { name: packer.name } } }]);
    await fixture.changeStatus(order._id, 'cancelled', farmer);
    expect((await list()).changes).toEqual([]);
  });

  test('of another farm are not marked', async () => {
    await print();
    const order = await place([{ product: carrots, quantity: 2 }]);
    const body = { date: DAY, changes: [{ orderId: order._id, sequence: 2 }] };
    const stranger = await fixture.join('farmer');
    expect((await fixture.put('/farm/picklist/seen', stranger, body)).body.data).toEqual({
      seen: 0,
    });
    expect((await list()).changes[0]).not.toHaveProperty('seen');
  });
});
