import { expect, it } from 'vitest';
import { FOLLOWS_MAX } from '#contract/catalogue/follows/constants';
import { closeAfter, makeCategory, productInput, startTestMarket } from '../../testing/market.ts';
import { runWave } from '../follows/wave.ts';

const market = closeAfter(await startTestMarket());
const category = await makeCategory(market.platform);
const [farmer, consumer] = [await market.join('farmer'), await market.join('consumer')];

async function newProduct(over: Record<string, unknown> = {}): Promise<string> {
  const body = productInput(category, { quantityAvailable: 0, ...over });
  return (await market.post('/products', farmer, body)).body.data._id;
}
const change = (id: string, body: Record<string, unknown>) =>
  market.put(`/products/${id}`, farmer, body);
const set = (id: string, isSet = true, as = consumer) =>
  market.put(`/products/${id}/alert`, as, { isSet });
const read = async (id: string, as = consumer) =>
  (await market.get(`/products/${id}/alert`, as)).body.data;
const waiting = (productId: string) =>
  market.platform.db.follow.count({ where: { productId, state: 'waiting' } });
const take = (id: string) => market.platform.db.$transaction((tx) => runWave(tx, id, 0));

it('is set and taken back, each as often as one likes', async () => {
  const id = await newProduct();
  expect(await read(id)).toEqual({ isSet: false });
  for (const isSet of [true, true, false, false, true]) {
    expect((await set(id, isSet)).body).toEqual({ success: true, data: { isSet } });
    expect(await read(id)).toEqual({ isSet });
  }
  // Of others it says nothing.
  expect(await read(id, await market.join('consumer'))).toEqual({ isSet: false });
});

it('is set once by two calls at once', async () => {
  const id = await newProduct();
  const answers = await Promise.all([set(id), set(id), set(id)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await market.platform.db.follow.count({ where: { productId: id } })).toBe(1);
});

it.each([
  ['some is left', { quantityAvailable: 1 }, 409],
  ['less than the smallest order is left', { quantityAvailable: 1, minimum: 2 }, 200],
  ['it is hidden', { isActive: false }, 404],
])('can be set or not while %s', async (_, over, status) => {
  expect((await set(await newProduct(over))).status).toBe(status);
});

it('says that the product is in stock again', async () => {
  const { status, body } = await set(await newProduct({ name: 'Kale', quantityAvailable: 3 }));
  expect([status, body.code, body.message]).toEqual([409, 'IN_STOCK', 'Kale is in stock again.']);
});

it('is of products that exist', async () => {
  expect((await set(crypto.randomUUID())).status).toBe(404);
  expect((await set('carrots')).status).toBe(404);
});

it('is limited to so many products', async () => {
  const collector = await market.join('consumer');
  const { db } = market.platform;
  const source = await db.product.findFirstOrThrow({ where: { farmerId: farmer.id } });
  const { id: _, sizes: __, ...data } = source;
  const made = await db.product.createManyAndReturn({
    data: Array.from({ length: FOLLOWS_MAX }, () => ({ ...data, stockMilli: 0 })),
    select: { id: true },
  });
  await db.follow.createMany({
    data: made.map(({ id }) => ({ userId: collector.id, productId: id })),
  });
  const last = made[0]?.id ?? '';
  const other = await newProduct();
  expect((await set(other, true, collector)).body.code).toBe('TOO_MANY_FOLLOWS');
  // One that is set already is no further one.
  expect((await set(last, true, collector)).status).toBe(200);
  expect((await set(last, false, collector)).status).toBe(200);
  expect((await set(other, true, collector)).status).toBe(200);
});

it.each([
  ['what is sold out again', { quantityAvailable: 0 }],
  ['what is hidden', { isActive: false }],
  ['what is past its last day', { availableUntil: '2020-01-01', harvestDate: null }],
])('waits on for %s', async (_, body) => {
  const id = await newProduct();
  await set(id);
  await change(id, { quantityAvailable: 5 });
  await change(id, body);
  expect(await take(id)).toBeNull();
  expect(await waiting(id)).toBe(1);
});

it('is either refused or found by new stock of the same moment', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await newProduct();
    const [asked] = await Promise.all([set(id), change(id, { quantityAvailable: 5 })]);
    const taken = (await take(id))?.userIds ?? [];
    expect([asked.status, taken]).toEqual(asked.status === 200 ? [200, [consumer.id]] : [409, []]);
  }
});

it('goes with the product, and with the account', async () => {
  const id = await newProduct();
  const leaver = await market.join('consumer');
  await set(id, true, leaver);
  await set(id);
  const alertsOf = (where: { userId: string } | { productId: string }) =>
    market.platform.db.follow.count({ where });
  const body = { password: 'password123' };
  await market.call('DELETE', '/users/me', { as: leaver, body });
  expect(await alertsOf({ userId: leaver.id })).toBe(0);
  expect(await alertsOf({ productId: id })).toBe(1);
  await market.delete(`/products/${id}`, farmer);
  expect(await alertsOf({ productId: id })).toBe(0);
});

it('is in the export of what the market keeps', async () => {
  const id = await newProduct({ name: 'Quinces' });
  const person = await market.join('consumer');
  await set(id, true, person);
  const { body } = await market.get('/users/me/export', person);
  expect(body.follows).toMatchObject([{ product: id, name: 'Quinces', state: 'waiting' }]);
});
