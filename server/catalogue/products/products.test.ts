import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { PRODUCTS_PER_FARM_MAX } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { productCalls } from '../testing/calls.ts';
import { presentProduct, productInclude } from './present.ts';

const market = closeAfter(await startTestMarket());
const [farmer, neighbour, consumer, admin] = await Promise.all([
  market.join('farmer'),
  market.join('farmer'),
  market.join('consumer'),
  market.join('admin'),
]);
const category = await makeCategory(market.platform);

const { add, change } = productCalls(() => ({ market, farmer, category }));

describe('who may call', () => {
  let id: string;
  beforeEach(async () => {
    id = (await add())._id;
  });

  test.each([
    ['POST', '/products'],
    ['GET', '/products/farmer/me'],
    ['PUT', '/products/:id'],
    ['DELETE', '/products/:id'],
  ])('%s %s takes a token and the right role', async (method, path) => {
    const pathname = path.replace(':id', id);
    const body = method === 'POST' || method === 'PUT' ? productInput(category) : undefined;
    expect((await market.call(method, pathname, { body })).status).toBe(401);
    expect((await market.call(method, pathname, { as: consumer, body })).status).toBe(403);
  });

  test("another farm's product cannot be changed or deleted", async () => {
    expect((await change(id, { price: 1 }, neighbour)).status).toBe(403);
    expect((await market.delete(`/products/${id}`, neighbour)).status).toBe(403);
  });

  test("another farm's inactive product is 404", async () => {
    await change(id, { isActive: false });
    const answer = await change(id, { price: 1 }, neighbour);
    expect(answer.status).toBe(404);
    expect(answer.body.message).toBe('Product not found');
  });

  test.each(['PUT', 'DELETE', 'GET'])('%s of an unknown or invalid id is 404', async (method) => {
    const body = method === 'PUT' ? {} : undefined;
    const unknown = await market.call(method, `/products/${randomUUID()}`, { as: farmer, body });
    expect(unknown.status).toBe(404);
    expect(unknown.body.message).toBe('Product not found');
    const noId = await market.call(method, '/products/carrots', { as: farmer, body });
    expect(noId.status).toBe(404);
  });

  test('an admin can change and delete every product, with an audit entry', async () => {
    expect((await change(id, { price: 3 }, admin)).body.data).toMatchObject({
      price: 3,
      version: 2,
      farmer: { _id: farmer.id },
    });
    expect((await market.delete(`/products/${id}`, admin)).status).toBe(200);
    const entries = await market.platform.db.auditEntry.findMany({
      where: { targetId: id },
      orderBy: { at: 'asc' },
    });
    expect(entries.map((entry) => entry.action)).toEqual(['product.updated', 'product.deleted']);
  });
});

describe('a new product', () => {
  test('is returned as it is read, with the defaults', async () => {
    const product = await add({ price: 2.55 });
    expect(product).toMatchObject({
      price: 2.55,
      isActive: true,
      isOrganic: false,
      images: [],
      harvestDate: null,
      availableUntil: null,
      version: 1,
      category: { _id: category },
      farmer: { _id: farmer.id, name: farmer.name, address: { city: 'Ashford' } },
    });
    const read = await market.get(`/products/${product._id}`);
    expect(read.body).toEqual({ success: true, data: product });
  });

  test.each([
    ['name', { name: '   ' }, 'Product name is required'],
    ['description', { description: '' }, 'Description is required'],
    ['category', { category: '' }, 'Category is required'],
    ['category', { category: randomUUID() }, 'This category does not exist.'],
    ['price', { price: 0 }, 'Valid price is required'],
    ['price', { price: -1 }, 'Valid price is required'],
    ['price', { price: '2.50' }, 'Valid price is required'],
    ['price', { price: 1.005 }, 'A price has at most two decimals.'],
    ['price', { price: 20_000_000.01 }, 'The price can be at most 20,000,000.'],
    ['unit', { unit: 'stone' }, 'Unit is required'],
    ['quantityAvailable', { quantityAvailable: -1 }, 'Valid quantity is required'],
    ['quantityAvailable', { quantityAvailable: 1.5 }, 'Valid quantity is required'],
    [
      'quantityAvailable',
      { quantityAvailable: 1_000_001 },
      'The quantity can be at most 1,000,000.',
    ],
    ['images', { images: Array(6).fill('https://a.test/b.png') }, 'Upload up to 5 images'],
    [
      'images.0',
      { images: ['javascript:alert(1)'] },
      'Upload the picture, or enter an address that starts with https://.',
    ],
    [
      'images.1',
      { images: ['https://a.test/b.png', `/uploads/${randomUUID()}.webp`] },
      "This picture wasn't uploaded. Please add it again.",
    ],
    [
      'images.0',
      { images: [`/uploads/${'-'.repeat(36)}.webp`] },
      "This picture wasn't uploaded. Please add it again.",
    ],
    [
      'availableUntil',
      { harvestDate: '2026-07-02', availableUntil: '2026-07-01' },
      "The last day can't be before the harvest.",
    ],
    ['harvestDate', { harvestDate: '0000-01-01' }, 'Enter a date between 1900 and 2999.'],
    ['harvestDate', { harvestDate: '2026-02-30' }, 'Enter a date as YYYY-MM-DD.'],
  ])('is refused at %s', async (path, over, message) => {
    const answer = await market.post('/products', farmer, productInput(category, over));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ message, errors: [{ path, message }] });
  });

  test('accepts only pictures that its farmer uploaded, and external ones', async () => {
    const upload = (owner: Caller) =>
      market.platform.db.upload.create({ data: { ownerId: owner.id, width: 10, height: 10 } });
    const [own, foreign] = await Promise.all([upload(farmer), upload(neighbour)]);
    const images = [`/uploads/${own.id}.webp`, 'https://pictures.test/carrot.png'];
    const product = await add({ images });
    expect(product.images).toEqual(images);
    const answer = await change(product._id, {
      images: [...images, `/uploads/${foreign.id}.webp`],
    });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ path: 'images.0' }]);
  });

  test('accepts values at the limits', async () => {
    const product = await add({
      price: 20_000_000,
      quantityAvailable: 1_000_000,
      name: 'é'.repeat(120),
    });
    expect(product).toMatchObject({ price: 20_000_000, quantityAvailable: 1_000_000 });
  });
});

describe('the limit of products on one farm', () => {
  test('holds for concurrent creations, and each deletion frees a place', async () => {
    const busy = await market.join('farmer');
    await market.platform.pool.query(
      `INSERT INTO products (farmer_id, category_id, name, description, price_minor, unit, stock_milli, is_active)
       SELECT $1, $2, 'Leek ' || n, 'Long.', 100, 'kg', 5000, n % 2 = 0 FROM generate_series(1, $3) AS n`,
      [busy.id, category, PRODUCTS_PER_FARM_MAX - 3],
    );
    const create = () => market.post('/products', busy, productInput(category));
    const answers = await Promise.all(Array.from({ length: 10 }, create));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(7);
    for (const { status, body } of refused) {
      expect(status).toBe(409);
      expect(body).toEqual({
        success: false,
        code: 'PRODUCT_LIMIT_REACHED',
        message:
          'A farm can have at most 5,000 products. Delete one you no longer sell to add another.',
        params: { most: PRODUCTS_PER_FARM_MAX },
      });
    }
    expect(await market.platform.db.product.count({ where: { farmerId: busy.id } })).toBe(
      PRODUCTS_PER_FARM_MAX,
    );
    // Another farm is not concerned, nor is changing what is there.
    await add();
    const [kept] = answers.filter(({ status }) => status === 201);
    const id = kept?.body.data._id;
    expect((await change(id, { price: 4 }, busy)).status).toBe(200);
    expect((await market.delete(`/products/${id}`, busy)).status).toBe(200);
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(409);
  });
});

describe('a change', () => {
  test('keeps omitted fields and increments the version', async () => {
    const product = await add({ harvestDate: '2026-07-01', images: ['https://a.test/b.png'] });
    const { body } = await change(product._id, { price: 9.99, unit: 'kg' });
    expect(body.data).toEqual({ ...product, price: 9.99, unit: 'kg', version: 2 });
  });

  test('is validated with the dates it keeps', async () => {
    const product = await add({ harvestDate: '2026-07-10' });
    const answer = await change(product._id, { availableUntil: '2026-07-09' });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ path: 'availableUntil' }]);
    expect(
      (await change(product._id, { harvestDate: null, availableUntil: '2026-07-09' })).status,
    ).toBe(200);
  });

  test('is never lost among concurrent ones, each with its own version', async () => {
    const product = await add();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => change(product._id, { price: index + 1 })),
    );
    expect(answers.map((answer) => answer.body.data.version).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 2),
    );
  });
});

test('shows an inactive product only to its farmer and admins', async () => {
  const { _id } = await add({ isActive: false });
  const see = async (as?: Caller) => (await market.get(`/products/${_id}`, as)).status;
  expect(
    await Promise.all([see(), see(consumer), see(neighbour), see(farmer), see(admin)]),
  ).toEqual([404, 404, 404, 200, 200]);
});

test('returns 404 for a product of a deleted farmer', async () => {
  const leaving = await market.join('farmer');
  const { _id } = await add({}, leaving);
  await market.platform.db.user.update({
    where: { id: leaving.id },
    data: { deletedAt: new Date() },
  });
  expect((await market.get(`/products/${_id}`)).status).toBe(404);
  expect((await change(_id, { price: 1 }, admin)).status).toBe(404);
  const list = await market.get(`/products?farmer=${leaving.id}`);
  expect(list.body).toMatchObject({ data: [], count: 0 });
});

test('keeps orders complete when their product is deleted', async () => {
  const product = await add({ images: ['https://a.test/kept.png'] });
  const placed = await market.post(
    '/orders',
    consumer,
    orderInput(farmer.id, [{ product: product._id, quantity: 2 }]),
  );
  expect((await market.delete(`/products/${product._id}`, farmer)).body).toEqual({
    success: true,
  });
  const { body } = await market.get(`/orders/${placed.body.data._id}`, consumer);
  expect(body.data.items).toMatchObject([
    {
      product: { _id: null, name: 'Carrots', images: ['https://a.test/kept.png'], unit: 'bunch' },
      quantity: 2,
      price: 2.5,
    },
  ]);
});

test('presents a product equally in detail, in lists and in statistics', async () => {
  const { db } = market.platform;
  await add({
    name: 'Crème "fraîche" \\ 100% \u{1F955}\n',
    price: 1234.5,
    harvestDate: '2026-02-28',
    availableUntil: '2026-03-01',
    images: ['https://a.test/b.png', 'https://a.test/c.png'],
    isOrganic: true,
    isActive: false,
  });
  const bare = await add();
  await db.product.update({ where: { id: bare._id }, data: { categoryId: null } });
  await db.farmerProfile.upsert({
    where: { userId: neighbour.id },
    create: { userId: neighbour.id, farmName: 'Windy Hill' },
    update: { farmName: 'Windy Hill' },
  });
  await add({ name: 'Eggs', quantityAvailable: 0 }, neighbour);
  const rows = await db.product.findMany({ include: productInclude });
  expect(rows.length).toBeGreaterThan(3);
  // As text, so that the sequence of the fields is the same too.
  const expected = new Map(rows.map((row) => [row.id, JSON.stringify(presentProduct(row))]));
  const read = async (path: string, as = admin) => (await market.get(path, as)).body.data;
  const expectSame = (products: Product[]) => {
    expect(products.length).toBeGreaterThan(0);
    for (const product of products) {
      expect(JSON.stringify(product)).toBe(expected.get(product._id));
    }
  };
  const newest = rows
    .filter(({ farmerId }) => [farmer.id, neighbour.id].includes(farmerId))
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    .slice(0, 10);
  expectSame(await Promise.all(newest.map(({ id }) => read(`/products/${id}`))));
  expectSame(await read('/products?limit=100'));
  expectSame(await read('/products?search=carrots&sort=price-asc'));
  for (const owner of [farmer, neighbour]) {
    expectSame(await read('/products/farmer/me?limit=100', owner));
  }
  expectSame((await read('/orders/stats/farmer', neighbour)).lowStock);
  expectSame((await read('/admin/stats')).recentProducts);
});
