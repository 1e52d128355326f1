import { describe, expect, test } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { closeAfter, makeCategory, productInput, startTestMarket } from '../../testing/market.ts';
import { changeMarket } from '../../testing/market-settings.ts';
import { productCalls } from '../testing/calls.ts';

// What is always available, and in what goods are counted: units, words of the farm's own, what one contains.

const market = closeAfter(await startTestMarket({ RATE_LIMIT_SCALE: '100' }));
const [farmer, neighbour] = await Promise.all([market.join('farmer'), market.join('farmer')]);
const category = await makeCategory(market.platform);
const { add, change } = productCalls(() => ({ market, farmer, category }));

const create = (over: Record<string, unknown>, as = farmer) =>
  market.post('/products', as, productInput(category, over));
const read = async (id: string): Promise<Product> =>
  (await market.get(`/products/${id}`, farmer)).body.data;
const always = (over: object = {}) =>
  add({ availability: 'always', quantityAvailable: undefined, ...over });
const stockOf = (id: string) =>
  market.platform.db.product.findUniqueOrThrow({
    where: { id },
    select: { stockMilli: true, isAlways: true, asideMilli: true, returnsAt: true },
  });

describe('what is always available', () => {
  test('says so, and has the largest stock for those who know of none', async () => {
    const product = await always({ maxPerOrder: 5 });
    expect(product).toMatchObject({
      availability: 'always',
      quantityAvailable: 1_000_000,
      maxPerOrder: 5,
    });
    expect(await read(product._id)).toEqual(product);
  });

  test('needs the word: no quantity means it', async () => {
    for (const quantityAvailable of [0, 0.0]) {
      const product = await add({ quantityAvailable });
      expect(product).toMatchObject({ availability: 'counted', quantityAvailable: 0 });
    }
    for (const quantityAvailable of [undefined, null, '', '0', Number.NaN]) {
      const { status, body } = await create({ quantityAvailable });
      expect([status, body.errors[0].path]).toEqual([400, 'quantityAvailable']);
    }
    for (const availability of ['', null, 'unlimited', true]) {
      const { status, body } = await create({ availability });
      expect([status, body.errors[0].path]).toEqual([400, 'availability']);
    }
    const { _id } = await add();
    expect((await change(_id, { quantityAvailable: null })).status).toBe(400);
    expect((await change(_id, { quantityAvailable: 0 })).body.data.availability).toBe('counted');
    expect((await change(_id, { quantityAvailable: 1_000_000 })).body.data.availability).toBe(
      'counted',
    );
  });

  test('is counted again from a stock that is said', async () => {
    const { _id } = await always({ maxPerOrder: 5 });
    const { body } = await change(_id, { availability: 'counted' });
    expect(body.errors).toEqual([
      { path: 'quantityAvailable', message: 'Valid quantity is required' },
    ]);
    const { body: counted } = await change(_id, { availability: 'counted', quantityAvailable: 4 });
    expect(counted.data).toMatchObject({ availability: 'counted', quantityAvailable: 4 });
    expect(counted.data).not.toHaveProperty('maxPerOrder');
    expect((await stockOf(_id)).isAlways).toBe(false);
  });

  test('takes no stock from those who do not say that it is counted', async () => {
    const { _id } = await always();
    const { status, body } = await change(_id, { quantityAvailable: 50 });
    expect([status, body.errors[0].path]).toEqual([400, 'quantityAvailable']);
    // A form that knows no availability repeats what it has read.
    const repeated = await change(_id, { quantityAvailable: 1_000_000, name: 'Bread' });
    expect(repeated.body.data).toMatchObject({ name: 'Bread', availability: 'always' });
  });

  test('drops what was set aside, whatever the stock was', async () => {
    const { _id } = await add({ quantityAvailable: 7 });
    const changes = [{ product: _id, quantityAvailable: 0, seen: 7, untilMorning: true }];
    await market.put('/products/stock', farmer, { changes });
    expect(await stockOf(_id)).toMatchObject({ asideMilli: 7000n });
    // What came back meanwhile is as much as there can be.
    await market.platform.db.product.update({
      where: { id: _id },
      data: { stockMilli: 1_000_000_000 },
    });
    expect((await change(_id, { availability: 'always' })).status).toBe(200);
    expect(await stockOf(_id)).toEqual({
      stockMilli: 1_000_000_000n,
      isAlways: true,
      asideMilli: null,
      returnsAt: null,
    });
  });

  test.each([
    ['a most per order of what is counted', { maxPerOrder: 5 }],
    ['a most of nothing', { availability: 'always', maxPerOrder: 0 }],
    ['a most below the smallest order', { availability: 'always', minimum: 3, maxPerOrder: 2 }],
    [
      'a most below the smallest order of its sizes',
      {
        ...{ availability: 'always', maxPerOrder: 1.5, price: undefined },
        sizes: [{ label: '2 kg', content: 2, price: 3 }],
      },
    ],
  ])('%s is refused', async (_, over) => {
    const { status, body } = await create(over);
    expect([status, body.errors[0].path]).toEqual([400, 'maxPerOrder']);
  });
});

describe('what goods are counted in', () => {
  const JAR = { one: 'jar', other: 'jars' };
  const net = { amount: 500, unit: 'g' };

  test('may be words of the farm’s own, and what one contains', async () => {
    const product = await add({
      ...{ unit: 'each', net },
      unitLabel: { one: ' jar ', other: 'jars' },
    });
    expect(product).toMatchObject({ unit: 'each', unitLabel: JAR, net });
    expect(await read(product._id)).toEqual(product);
    const { body } = await change(product._id, { unitLabel: null, net: null });
    for (const field of ['unitLabel', 'net']) expect(body.data).not.toHaveProperty(field);
    expect(await add({ unit: 'dozen', net })).toMatchObject({ net });
  });

  test.each([
    ['words for what is weighed', { unit: 'kg', unitLabel: JAR }, 'unitLabel'],
    ['words for bunches', { unit: 'bunch', unitLabel: JAR }, 'unitLabel'],
    ['one word', { unit: 'each', unitLabel: { one: 'jar' } }, 'unitLabel.other'],
    ['an empty word', { unit: 'each', unitLabel: { one: ' ', other: 'jars' } }, 'unitLabel.one'],
    [
      'a long word',
      { unit: 'each', unitLabel: { one: 'x'.repeat(21), other: 'y' } },
      'unitLabel.one',
    ],
    ['contents of a weight', { unit: 'kg', net }, 'net'],
    ['contents in cups', { unit: 'each', net: { amount: 1, unit: 'pint' } }, 'net.unit'],
    ['contents of nothing', { unit: 'each', net: { ...net, amount: 0 } }, 'net.amount'],
    [
      'contents of pieces by weight',
      { unit: 'kg', soldBy: 'piece_by_weight', pieceWeight: { average: 1 }, net },
      'net',
    ],
  ])('%s are refused', async (_, over, path) => {
    const { status, body } = await create(over);
    expect([status, body.errors[0].path]).toEqual([400, path]);
  });

  test('goes with the unit', async () => {
    const { _id } = await add({ unit: 'each', unitLabel: JAR, net });
    const { body: renamed } = await change(_id, { unit: 'each', name: 'Honey' });
    expect(renamed.data).toMatchObject({ unitLabel: JAR, net });
    const { body } = await change(_id, { unit: 'dozen' });
    for (const field of ['unitLabel', 'net']) expect(body.data).not.toHaveProperty(field);
    expect((await change(_id, { unit: 'each', net })).body.data).toMatchObject({ net });
    const weighed = { unit: 'kg', soldBy: 'piece_by_weight', pieceWeight: { average: 1 } };
    expect((await change(_id, weighed)).body.data).not.toHaveProperty('net');
  });

  test('may be litres where the market has them', async () => {
    await changeMarket(market, { units: ['kg', 'each', 'bunch', 'dozen', 'l', 'ml'] });
    for (const unit of ['l', 'ml']) expect(await add({ unit, step: 0.5 })).toMatchObject({ unit });
  });
});

describe('a SKU', () => {
  const size = (label: string, sku?: string) => ({ label, content: 1, price: 3, sku });
  const taken = async (answer: ReturnType<typeof create>) => {
    const { status, body } = await answer;
    return [status, body.code];
  };
  const TAKEN = [409, 'SKU_TAKEN'];

  test('is there once within the farm, of products and sizes alike', async () => {
    const { _id } = await add({ sku: ' K-1 ' });
    expect((await read(_id)).sku).toBe('K-1');
    expect(await taken(create({ sku: 'K-1' }))).toEqual(TAKEN);
    expect(await taken(create({ price: undefined, sizes: [size('1', 'K-1')] }))).toEqual(TAKEN);
    const own = { sku: 'K-2', price: undefined, sizes: [size('1', 'K-2')] };
    expect(await taken(create(own))).toEqual(TAKEN);
    const sized = await add({ price: undefined, sizes: [size('1', 'K-3'), size('2')] });
    expect(await taken(create({ sku: 'K-3' }))).toEqual(TAKEN);
    const other = await add();
    expect(await taken(change(other._id, { sku: 'K-3' }))).toEqual(TAKEN);
    // Another case is another code, and another farm has its own.
    expect((await create({ sku: 'k-1' })).status).toBe(201);
    expect((await create({ sku: 'K-1' }, neighbour)).status).toBe(201);
    // What is given up is free.
    expect((await change(sized._id, { sizes: [], price: 3 })).status).toBe(200);
    expect((await change(other._id, { sku: 'K-3' })).body.data.sku).toBe('K-3');
    await market.delete(`/products/${other._id}`, farmer);
    expect((await create({ sku: 'K-3' })).status).toBe(201);
  });

  test('may be none, for as many as one likes', async () => {
    for (const sku of [null, '', ' ', undefined])
      expect(await add({ sku })).not.toHaveProperty('sku');
    const { _id } = await add({ sku: 'gone' });
    expect((await change(_id, { sku: '' })).body.data).not.toHaveProperty('sku');
    expect((await change(_id, { sku: 'x'.repeat(41) })).status).toBe(400);
  });

  test('stays as it is through a change of something else', async () => {
    const { _id } = await add({ sku: 'kept' });
    expect((await change(_id, { name: 'Kale', sku: 'kept' })).body.data.sku).toBe('kept');
    expect((await change(_id, { price: 4 })).body.data.sku).toBe('kept');
  });

  test('is had by one of those who ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ sku: 'race' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    // Two products that swap theirs wait for each other.
    const [one, two] = [await add({ sku: 'left' }), await add({ sku: 'right' })];
    for (let round = 0; round < 4; round++) {
      const swapped = await Promise.all([
        change(one._id, { sku: 'right' }),
        change(two._id, { sku: 'left' }),
      ]);
      for (const { status } of swapped) expect([200, 409]).toContain(status);
    }
  });
});
