import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLow } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import { isSoldOut, minimumOf, mostOf } from '#contract/platform/quantities/constants/steps';
import {
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { productCalls } from '../testing/calls.ts';

// Products that are sold in sizes over one stock.

const market = closeAfter(await startTestMarket({ RATE_LIMIT_SCALE: '100' }));
const [farmer, consumer, admin] = await Promise.all([
  market.join('farmer'),
  market.join('consumer'),
  market.join('admin'),
]);
const category = await makeCategory(market.platform);
const { add, change, eventsSince, headNow } = productCalls(() => ({ market, farmer, category }));

const SIZES = [
  { label: '1 kg bag', content: 1, price: 3 },
  { label: '5 kg sack', content: 5, price: 12.5, sku: `sack-${randomUUID().slice(0, 8)}` },
];
const sized = (over: object = {}) => ({
  ...{ name: 'Potatoes', unit: 'kg', quantityAvailable: 12.5 },
  ...{ price: undefined, step: undefined, sizes: SIZES },
  ...over,
});
const unique = () => ({ sizes: SIZES.map(({ sku: _, ...size }) => size) });
const addSized = (over: object = {}) => add(sized({ ...unique(), ...over }));
const refusal = async (over: object) => {
  const { status, body } = await market.post(
    '/products',
    farmer,
    productInput(category, sized({ ...unique(), ...over })),
  );
  return [status, body.errors?.[0]?.path ?? body.code, body.message];
};
const read = async (id: string): Promise<Product> =>
  (await market.get(`/products/${id}`, farmer)).body.data;
/** The sizes of a product as a form sends them back. */
const sizesOf = ({ sizes = [] }: Product) => sizes;

test('has its sizes in their order wherever it is returned, and the lowest price of those that are on', async () => {
  const head = await headNow();
  const product = await add(
    sized({
      sizes: [
        ...SIZES,
        { label: '250 g', content: 0.25, price: 1, isActive: false },
        { label: ' Half a pound ', content: 0.227, price: 3.5, minimum: 2 },
      ],
    }),
  );
  expect(product).toMatchObject({
    price: 3,
    unit: 'kg',
    quantityAvailable: 12.5,
    sizes: [
      { ...SIZES[0], isActive: true },
      { ...SIZES[1], isActive: true },
      { label: '250 g', isActive: false },
      { label: 'Half a pound', content: 0.227, minimum: 2 },
    ],
  });
  for (const field of ['step', 'minimum', 'pieceWeight']) expect(product).not.toHaveProperty(field);
  expect(await eventsSince(head)).toMatchObject([{ name: 'product.created', data: product }]);
  expect(await read(product._id)).toEqual(product);
  const { body } = await market.get(`/products?farmer=${farmer.id}`);
  expect(body.data).toContainEqual(product);
  const row = await market.platform.db.product.findUniqueOrThrow({ where: { id: product._id } });
  expect(row).toMatchObject({ stepMilli: 1, minimumMilli: 454, priceMinor: 300 });
});

describe('is refused', () => {
  const [bag, sack] = unique().sizes;
  test.each([
    ['content of nothing', { sizes: [{ ...bag, content: 0 }] }, 'sizes.0.content'],
    ['negative content', { sizes: [{ ...bag, content: -1 }] }, 'sizes.0.content'],
    [
      'content finer than a thousandth',
      { sizes: [{ ...bag, content: 0.0005 }] },
      'sizes.0.content',
    ],
    ['content beyond all stock', { sizes: [{ ...bag, content: 1_000_001 }] }, 'sizes.0.content'],
    ['a label of spaces', { sizes: [{ ...bag, label: '  ' }] }, 'sizes.0.label'],
    ['a long label', { sizes: [{ ...bag, label: 'x'.repeat(41) }] }, 'sizes.0.label'],
    ['a price of nothing', { sizes: [{ ...bag, price: 0 }] }, 'sizes.0.price'],
    [
      'half a piece as the smallest order',
      { sizes: [{ ...bag, minimum: 0.5 }] },
      'sizes.0.minimum',
    ],
    ['too large a smallest order', { sizes: [{ ...bag, minimum: 1_000_001 }] }, 'sizes.0.minimum'],
    [
      'more in the smallest order than an order takes',
      { sizes: [{ ...sack, minimum: 200_001 }] },
      'sizes.0.minimum',
    ],
    ['two of one label', { sizes: [bag, { ...sack, label: ' 1 kg bag ' }] }, 'sizes.1.label'],
    [
      'two of one SKU',
      {
        sizes: [
          { ...bag, sku: 'same' },
          { ...sack, sku: 'same ' },
        ],
      },
      'sizes.1.sku',
    ],
    ['none that is on', { sizes: [{ ...bag, isActive: false }] }, 'sizes'],
    [
      'twenty-one',
      { sizes: Array.from({ length: 21 }, (_, n) => ({ ...bag, label: `${n}` })) },
      'sizes',
    ],
    ['another price than the lowest', { price: 12.5 }, 'price'],
    ['steps', { step: 0.5 }, 'step'],
    ['a smallest order of its own', { minimum: 1 }, 'minimum'],
    ['an id that it never had', { sizes: [{ ...bag, _id: randomUUID() }] }, 'sizes.0._id'],
    ['neither sizes nor a price', { sizes: [] }, 'price'],
    ['no stock', { quantityAvailable: undefined }, 'quantityAvailable'],
    [
      'pieces by weight',
      { soldBy: 'piece_by_weight', pieceWeight: { average: 1 } },
      'SIZES_BY_WEIGHT',
    ],
  ])('%s', async (name, over, path) => {
    const [status, at, message] = await refusal(over);
    expect([status, at], message).toEqual([name === 'pieces by weight' ? 409 : 400, path]);
    expect(message).toMatch(/\S/);
  });

  test('but twenty are taken, the lowest price as it is, and labels that differ in case', async () => {
    const sizes = Array.from({ length: 20 }, (_, n) => ({ ...bag, label: `${n}` }));
    expect((await addSized({ sizes, price: 3, step: null, minimum: null })).sizes).toHaveLength(20);
    const { body } = await market.post(
      '/products',
      farmer,
      productInput(category, sized({ sizes: [bag, { ...sack, label: '1 KG BAG' }] })),
    );
    expect(body.data.sizes).toHaveLength(2);
  });
});

test('whatever is sent, the answer says what is wrong or is a product', async () => {
  const value = fc.oneof(
    fc.constantFrom(
      null,
      '',
      ' ',
      '5',
      0,
      -1,
      0.001,
      1e-9,
      1e21,
      Number.MAX_SAFE_INTEGER,
      true,
      [],
    ),
    fc.string(),
    fc.double(),
  );
  const size = fc.record(
    {
      _id: value,
      label: value,
      content: value,
      price: value,
      sku: value,
      isActive: value,
      minimum: value,
    },
    { requiredKeys: [] },
  );
  const sound = fc.record({
    label: fc.string({ minLength: 1, maxLength: 20 }),
    content: fc.constantFrom(0.001, 1, 999_999.999, 1_000_000),
    price: fc.constantFrom(0.01, 20_000_000),
    minimum: fc.constantFrom(null, 1, 3, 1_000_000),
  });
  const sizes = fc.oneof(
    value,
    fc.array(size, { maxLength: 3 }),
    fc.array(sound, { maxLength: 22 }),
  );
  /** What mostly fits. */
  const nearly = (...sound: unknown[]) =>
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...sound) }, { weight: 1, arbitrary: value });
  const rest = fc.record(
    {
      sku: nearly(null, '', 'a', 'b'),
      availability: nearly('always', 'counted'),
      quantityAvailable: nearly(0, 2.5, 1_000_000),
      maxPerOrder: nearly(null, 5),
      unitLabel: nearly(null, { one: 'jar', other: 'jars' }),
      net: nearly(null, { amount: 500, unit: 'g' }),
      unit: nearly('kg', 'each', 'l', 'ml'),
      soldBy: nearly('unit', 'unit', 'piece_by_weight'),
      step: nearly(null, 0.5),
      price: nearly(2, 0.01, 20_000_000),
    },
    { requiredKeys: [] },
  );
  const { _id } = await addSized();
  await fc.assert(
    fc.asyncProperty(sizes, rest, fc.boolean(), async (entered, fields, isNew) => {
      const body = { ...fields, sizes: entered };
      const answer = isNew
        ? await market.post('/products', farmer, productInput(category, body))
        : await change(_id, body);
      expect([200, 201, 400, 409], JSON.stringify([body, answer.body])).toContain(answer.status);
      if (answer.status < 300) expect(await read(answer.body.data._id)).toEqual(answer.body.data);
    }),
    { numRuns: 400 },
  );
});

describe('a change', () => {
  test('is the whole list, in its order, in the version that was seen', async () => {
    const product = await addSized();
    const [bag, sack] = sizesOf(product);
    const sizes = [{ ...sack, label: 'Sack' }, { label: 'Net', content: 2.5, price: 7 }, bag];
    const { status, body } = await change(product._id, { sizes, expectedVersion: 1 });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data).toMatchObject({
      price: 3,
      version: 2,
      sizes: [{ _id: sack?._id, label: 'Sack' }, { label: 'Net' }, { _id: bag?._id }],
    });
    const late = await change(product._id, { sizes: [bag], expectedVersion: 1 });
    expect([late.status, late.body.code]).toEqual([409, 'VERSION_CONFLICT']);
    // What was removed comes back under no id of its own.
    await change(product._id, { sizes: [bag] });
    expect((await change(product._id, { sizes: [bag, sack] })).body.errors).toMatchObject([
      { path: 'sizes.1._id' },
    ]);
  });

  test('by a form that knows no sizes changes nothing else', async () => {
    const product = await addSized({ sizes: [{ label: 'Can', content: 2.5, price: 4.5 }] });
    const { name, description, price, unit, quantityAvailable, images, isOrganic } = product;
    const form = { name, description, price, unit, quantityAvailable, images, isOrganic };
    const { status, body } = await change(product._id, { ...form, category, isActive: true });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data).toEqual({ ...product, version: 2 });
    const { body: refused } = await change(product._id, { ...form, price: 5 });
    expect(refused.errors).toEqual([
      { path: 'price', message: 'The price is the lowest of its sizes. Edit the sizes instead.' },
    ]);
    expect((await change(product._id, { quantityAvailable: 7.125 })).body.data).toMatchObject({
      quantityAvailable: 7.125,
    });
  });

  test('brings sizes and takes them away', async () => {
    const product = await add({
      unit: 'kg',
      quantityAvailable: 10,
      step: 0.5,
      minimum: 1,
      price: 2,
    });
    const { body } = await change(product._id, unique());
    expect(body.data).toMatchObject({ price: 3, sizes: [{ content: 1 }, { content: 5 }] });
    expect(body.data).not.toHaveProperty('step');
    for (const sizes of [[], null]) {
      const { body: refused } = await change(product._id, { sizes });
      expect(refused.errors).toEqual([{ path: 'price', message: 'Valid price is required' }]);
    }
    const { body: whole } = await change(product._id, { sizes: [], price: 2.5 });
    expect(whole.data).toMatchObject({ price: 2.5, quantityAvailable: 10 });
    for (const field of ['sizes', 'step', 'minimum']) expect(whole.data).not.toHaveProperty(field);
    const row = await market.platform.db.product.findUniqueOrThrow({ where: { id: product._id } });
    expect(row).toMatchObject({ sizes: [], stepMilli: null, minimumMilli: null });
  });

  test('that takes sizes away needs a stock of the steps that follow', async () => {
    const { _id } = await addSized();
    const { body } = await change(_id, { sizes: [], price: 2.5 });
    expect(body.errors).toMatchObject([{ path: 'quantityAvailable' }]);
    expect((await change(_id, { sizes: [], price: 2.5, step: 0.5 })).status).toBe(200);
  });

  test('keeps one size on', async () => {
    const product = await addSized();
    const off = sizesOf(product).map((size) => ({ ...size, isActive: false }));
    expect((await change(product._id, { sizes: off })).body.errors).toMatchObject([
      { path: 'sizes' },
    ]);
    const [bag, ...others] = off;
    const { body } = await change(product._id, { sizes: [{ ...bag, isActive: true }, ...others] });
    expect(body.data.price).toBe(3);
  });

  test('to sizes is free while orders hold the product, to another unit it is not', async () => {
    const { _id } = await add({ unit: 'kg', quantityAvailable: 10 });
    const order = orderInput(farmer.id, [{ product: _id, quantity: 1 }]);
    expect((await market.post('/orders', consumer, order)).status).toBe(201);
    expect((await change(_id, unique())).status).toBe(200);
    const { status, body } = await change(_id, { unit: 'lb' });
    expect([status, body.code]).toEqual([409, 'PRODUCT_IN_USE']);
    const pieces = await change(_id, { soldBy: 'piece_by_weight', pieceWeight: { average: 1 } });
    expect([pieces.status, pieces.body.code]).toEqual([409, 'PRODUCT_IN_USE']);
  });

  test('may be an admin’s', async () => {
    const product = await addSized();
    const [bag] = sizesOf(product);
    const { status, body } = await change(product._id, { sizes: [{ ...bag, price: 2 }] }, admin);
    expect([status, body.data?.price]).toEqual([200, 2]);
  });
});

test('is a row that the database takes only if it is whole', async () => {
  const { _id: id } = await addSized();
  const write = (data: object) => market.platform.db.product.update({ where: { id }, data });
  for (const data of [
    { stepMilli: null },
    { stepMilli: 500, minimumMilli: 500 },
    { minimumMilli: null },
    { pieceMilli: 1000 },
    { sizes: {} },
    { sizes: 'bag' },
    { sizes: Array.from({ length: 21 }, () => ({})) },
    { isAlways: true },
    { maxOrderMilli: 1000 },
    { isAlways: true, stockMilli: 1_000_000_000, asideMilli: 1000, returnsAt: new Date() },
  ]) {
    await expect(write(data), JSON.stringify(data)).rejects.toThrow();
  }
  await write({ isAlways: true, stockMilli: 1_000_000_000, maxOrderMilli: 1000 });
});

test.each([
  // Stock; the most that an order could take, whether it is sold out and low.
  [10, 10, false, false],
  [4.999, 4.999, false, true],
  [0.5, 0.5, false, true],
  [0.499, 0, true, true],
])('of a stock of %d from half a kilo %d can be had', (quantityAvailable, most, soldOut, low) => {
  const product = {
    quantityAvailable,
    sizes: [
      { content: 5, isActive: true },
      { content: 0.1, isActive: false },
      { content: 0.25, isActive: true, minimum: 2 },
    ],
  };
  expect(minimumOf(product)).toBe(0.5);
  expect([mostOf(product), isSoldOut(product), isLow(product)]).toEqual([most, soldOut, low]);
});
