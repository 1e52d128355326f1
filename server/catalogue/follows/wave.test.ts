import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { runWave, sizeOfWave, waveDueAt } from './wave.ts';

const market = closeAfter(await startTestMarket({ DATABASE_POOL_SIZE: '20' }));
const { db } = market.platform;
const category = await makeCategory(market.platform);
const farmer = await market.join('farmer');

const newProduct = async (over: Record<string, unknown> = {}): Promise<string> =>
  (
    await market.post(
      '/products',
      farmer,
      productInput(category, { quantityAvailable: 0, ...over }),
    )
  ).body.data._id;
const change = async (id: string, body: Record<string, unknown>) => {
  const { status } = await market.put(`/products/${id}`, farmer, body);
  expect(status).toBe(200);
};
/** People who have waited for the product, the first for longest. */
async function followers(productId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await db.user.createMany({
    data: ids.map((id) => ({
      ...{ id, name: 'Somebody', email: `${id}@farmgate.test`, passwordHash: '-' },
      role: 'consumer' as const,
    })),
  });
  const start = Date.now() - 3600_000;
  await db.follow.createMany({
    data: ids.map((userId, at) => ({ userId, productId, since: new Date(start + at * 1000) })),
  });
  return ids;
}
const run = (id: string, delayMs = 0) => db.$transaction((tx) => runWave(tx, id, delayMs));
const toldOf = async (productId: string) =>
  (
    await db.follow.findMany({ where: { productId, state: 'told' }, orderBy: { since: 'asc' } })
  ).map(({ userId }) => userId);
const timersOf = (id: string) =>
  db.timer.findMany({
    where: { key: { startsWith: `stock.wave:${id}:` } },
    orderBy: { dueAt: 'asc' },
  });
/** Lets time pass for a product and those who follow it. */
async function later(id: string, hours: number): Promise<void> {
  await db.$executeRaw`
    UPDATE products SET last_wave_at = last_wave_at - make_interval(hours => ${hours}::int),
      restock_at = restock_at - make_interval(hours => ${hours}::int) WHERE id = ${id}::uuid`;
  await db.$executeRaw`
    UPDATE follows SET since = since - make_interval(hours => ${hours}::int) WHERE product_id = ${id}::uuid`;
}

it('tells two people of one unit, however many wait, and the next ones two hours later', async () => {
  const id = await newProduct();
  const people = await followers(id, 500);
  await change(id, { quantityAvailable: 1 });
  const wave = await run(id);
  expect(wave?.userIds.toSorted()).toEqual(people.slice(0, 2).sort());
  expect(wave?.peopleCount).toBe(2);
  const [timer] = await timersOf(id);
  const { lastWaveAt } = await db.product.findUniqueOrThrow({ where: { id } });
  expect(timer?.dueAt.getTime()).toBe((lastWaveAt?.getTime() ?? 0) + 2 * 3600_000);
  expect(await run(id)).toBeNull();
  await later(id, 3);
  await run(id);
  expect(await toldOf(id)).toEqual(people.slice(0, 4));
});

describe('the size of a wave', () => {
  const product = (quantityAvailable: number, steps = {}) =>
    ({ quantityAvailable, ...steps }) as Parameters<typeof sizeOfWave>[0];
  it.each([
    ['one unit', product(1), 2],
    ['twelve', product(12), 24],
    ['of the smallest order', product(12.5, { step: 0.5, minimum: 5 }), 4],
    ['of the step', product(1.2, { step: 0.4 }), 6],
  ])('is twice as many as there is for: %s', (_, of, size) => {
    expect(sizeOfWave(of)).toBe(size);
  });
});

describe('when a wave is due', () => {
  const restockAt = new Date('2030-03-31T00:30:00Z');
  it.each([
    ['after the delay', {}, '2030-03-31T00:32:00.000Z'],
    [
      'two hours after the last',
      { lastWaveAt: '2030-03-31T00:00:00Z' },
      '2030-03-31T02:00:00.000Z',
    ],
    ['after the pause', { pausedUntil: '2030-04-02T08:00:00Z' }, '2030-04-02T08:00:00.000Z'],
    [
      'not before because of one long ago',
      { lastWaveAt: '2030-01-01T00:00:00Z' },
      '2030-03-31T00:32:00.000Z',
    ],
  ])('%s', (_, { lastWaveAt, pausedUntil }: { lastWaveAt?: string; pausedUntil?: string }, at) => {
    const date = (text?: string) => (text ? new Date(text) : null);
    const times = { restockAt, lastWaveAt: date(lastWaveAt), pausedUntil: date(pausedUntil) };
    expect(waveDueAt(times, 120_000).toISOString()).toBe(at);
  });
});

it('is begun once by six workers at once', async () => {
  for (let round = 0; round < 5; round++) {
    const id = await newProduct();
    const people = await followers(id, 20);
    await change(id, { quantityAvailable: 3 });
    const waves = await Promise.all(Array.from({ length: 6 }, () => run(id)));
    expect(waves.flatMap((wave) => wave?.userIds ?? [])).toHaveLength(6);
    expect(await toldOf(id)).toEqual(people.slice(0, 6));
  }
});

it('is one wave with the present stock after it went up, down and up', async () => {
  const id = await newProduct();
  const people = await followers(id, 20);
  for (const quantityAvailable of [5, 0, 2]) await change(id, { quantityAvailable });
  // Too early: a slip of the pen tells nobody.
  expect(await run(id, 120_000)).toBeNull();
  const [timer] = await timersOf(id);
  const { restockAt } = await db.product.findUniqueOrThrow({ where: { id } });
  expect(timer?.dueAt.getTime()).toBe((restockAt?.getTime() ?? 0) + 120_000);
  await later(id, 1);
  await Promise.all(Array.from({ length: 6 }, () => run(id, 120_000)));
  expect(await toldOf(id)).toEqual(people.slice(0, 4));
});

it('waits two hours for a second return, and then tells the rest', async () => {
  const id = await newProduct();
  const people = await followers(id, 6);
  await change(id, { quantityAvailable: 1 });
  await run(id);
  await change(id, { quantityAvailable: 0 });
  expect(await run(id)).toBeNull();
  await change(id, { quantityAvailable: 9 });
  expect(await run(id)).toBeNull();
  expect(await toldOf(id)).toEqual(people.slice(0, 2));
  await later(id, 2);
  expect((await run(id))?.peopleCount).toBe(4);
  expect(await toldOf(id)).toEqual(people);
  expect(await run(id)).toBeNull();
});

it('tells thousands in parts of one wave, by several workers', async () => {
  const id = await newProduct();
  const people = await followers(id, 1300);
  await change(id, { quantityAvailable: 600 });
  const counts: number[] = [];
  for (;;) {
    const waves = await Promise.all([run(id), run(id)]);
    const told = waves.flatMap((wave) => wave?.userIds ?? []).length;
    if (told === 0) break;
    counts.push(told);
    for (const wave of waves) expect(wave?.peopleCount ?? 1200).toBe(1200);
  }
  expect(counts.reduce((sum, count) => sum + count)).toBe(1200);
  expect(await toldOf(id)).toEqual(people.slice(0, 1200));
});

it('is not for those who began to follow it while there was some, until it returns', async () => {
  const id = await newProduct({ quantityAvailable: 4 });
  const consumer = await market.join('consumer');
  await market.put(`/follows/products/${id}`, consumer, {});
  expect(await run(id)).toBeNull();
  await change(id, { quantityAvailable: 0 });
  await change(id, { quantityAvailable: 4 });
  expect((await run(id))?.userIds).toEqual([consumer.id]);
});

it.each([
  ['stock that is set', { quantityAvailable: 5 }],
  ['a smaller smallest order', { minimum: 1 }],
  ['a later last day', { availableUntil: null }],
])('comes with %s', async (_, body) => {
  const id = await newProduct({ quantityAvailable: 2, minimum: 3 });
  if ('availableUntil' in body) {
    await change(id, { minimum: 1, availableUntil: '2020-01-01', harvestDate: null });
  }
  const consumer = await market.join('consumer');
  expect((await market.put(`/products/${id}/alert`, consumer, { isSet: true })).status).toBe(200);
  await change(id, body);
  expect((await run(id))?.userIds).toEqual([consumer.id]);
});

it.each(['cancelled', 'rejected'] as const)('comes with an order that is %s', async (status) => {
  const id = await newProduct({ quantityAvailable: 2 });
  const [buyer, other] = [await market.join('consumer'), await market.join('consumer')];
  const body = orderInput(farmer.id, [{ product: id, quantity: 2 }]);
  const order = await market.post('/orders', buyer, body);
  expect(order.status, JSON.stringify(order.body)).toBe(201);
  expect((await market.put(`/products/${id}/alert`, other, { isSet: true })).status).toBe(200);
  const by = status === 'cancelled' ? buyer : farmer;
  const path = `/orders/${order.body.data._id}`;
  const { status: answered } = await market.put(path, by, { status, reason: 'Frost.' });
  expect(answered).toBe(200);
  expect((await run(id))?.userIds).toEqual([other.id]);
});

it('comes with the stock view', async () => {
  const [one, two] = [await newProduct(), await newProduct()];
  const [waiter] = await followers(one, 1);
  const changes = [one, two].map((product) => ({ product, quantityAvailable: 3, seen: 0 }));
  expect((await market.put('/products/stock', farmer, { changes })).status).toBe(200);
  expect((await run(one))?.userIds).toEqual([waiter]);
  expect(await run(two)).toBeNull();
});

it.each([
  ['sold out', { quantityAvailable: 0 }],
  ['inactive', { isActive: false }],
  ['past its last day', { availableUntil: '2020-01-01', harvestDate: null }],
])('waits for what is %s again', async (_, body) => {
  const id = await newProduct();
  await followers(id, 1);
  await change(id, { quantityAvailable: 5 });
  await change(id, body);
  expect(await run(id)).toBeNull();
  expect(await toldOf(id)).toEqual([]);
  expect(await timersOf(id)).toEqual([]);
});

it('leaves accounts out that nobody signs in with, without looking again and again', async () => {
  const id = await newProduct();
  const people = await followers(id, 3);
  const [suspended, ...others] = people;
  await db.user.update({ where: { id: suspended ?? '' }, data: { suspendedAt: new Date() } });
  await change(id, { quantityAvailable: 5 });
  expect((await run(id))?.userIds.toSorted()).toEqual(others.sort());
  expect(await timersOf(id)).toEqual([]);
  expect(await db.follow.count({ where: { productId: id, state: 'waiting' } })).toBe(1);
});

it('keeps its place: who asks at the moment of new stock is refused or told', async () => {
  const consumer = await market.join('consumer');
  for (let round = 0; round < 10; round++) {
    const id = await newProduct();
    const [asked] = await Promise.all([
      market.put(`/products/${id}/alert`, consumer, { isSet: true }),
      change(id, { quantityAvailable: 5 }),
    ]);
    const told = (await run(id))?.userIds ?? [];
    expect([asked.status, told]).toEqual(asked.status === 200 ? [200, [consumer.id]] : [409, []]);
  }
});
