import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  sellProduct,
  startTestMarket,
} from '../../testing/market.ts';
import { productFile, uploadProducts } from '../../testing/product-file.ts';
import { hire } from '../../testing/staff.ts';
import { importFile, runToEnd } from './testing/apply.ts';

const market = closeAfter(await startTestMarket());
const category = await makeCategory(market.platform);
const upload = (as: Caller, rows: Record<string, unknown>[], query = '') =>
  uploadProducts(market.url, as, productFile(rows), query);
const own = async (as: Caller): Promise<Product[]> =>
  (await market.get('/products/farmer/me', as)).body.data;
const read = async (as: Caller, id: string) =>
  (await market.get(`/farm/products/imports/${id}`, as)).body.data;
const apply = (as: Caller, id: string, body = {}) =>
  market.post(`/farm/products/imports/${id}/apply`, as, body);
const newRow = (name: string, over = {}) => ({
  ...{ name, description: 'Good.', category: 'Vegetables', unit: 'kg', price: 2, stock: 10 },
  ...over,
});

it('says what each row would do, and writes nothing', async () => {
  const farmer = await market.join('farmer');
  const id = await sellProduct(market, farmer, category, { name: 'Kale' });
  const { status, body } = await upload(farmer, [
    { ...newRow('Leeks'), id: '' },
    { id, name: 'Kale', price: 3, stock: 49 },
    { id: '', name: 'Kale', price: '' },
    { ...newRow('Beans', { price: 'cheap' }), id: '' },
    { ...newRow('Peas', { category: 'Spaceships' }), id: '' },
  ]);
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    ...{ state: 'ready', separator: ',', encoding: 'utf-8', done: 0, total: 1 },
    rows: [
      { line: 2, outcome: 'new', name: 'Leeks' },
      { line: 3, outcome: 'refused', reason: 'Line 4 of the same product is refused.' },
      { line: 4, outcome: 'refused', reason: 'Line 3 is about the same product already.' },
      { line: 5, outcome: 'refused', column: 'price', reason: '“cheap” is no number.' },
      { line: 6, outcome: 'refused', column: 'category' },
    ],
  });
  expect(await own(farmer)).toMatchObject([{ _id: id, price: 2.5, quantityAvailable: 50 }]);
  expect((await apply(farmer, body.data._id)).body.code).toBe('IMPORT_HAS_REFUSED');
});

it('writes what changes, each product once, and says so to the farm', async () => {
  const farmer = await market.join('farmer');
  const id = await sellProduct(market, farmer, category, { name: 'Kale', sku: 'K' });
  const socket = await market.connect({ token: farmer.token });
  const heard: { done: number; state: string }[] = [];
  socket.on('import.progressed', ({ data }) => heard.push(data));
  const rows = [
    { id, name: 'Green kale', sku: '', price: 3.5, stock: 55, organic: 'yes', active: 'no' },
    ...Array.from({ length: 60 }, (_, index) => ({ id: '', ...newRow(`New ${index}`) })),
  ];
  const done = await importFile(market, farmer, productFile(rows), {
    body: { leavesOutRefused: true },
  });
  expect(done).toMatchObject({ state: 'done', done: 61, total: 61 });
  expect(new Set(done.rows.map(({ result }) => result))).toEqual(new Set(['written']));
  const products = await own(farmer);
  expect(products).toHaveLength(61);
  expect(products.find(({ _id }) => _id === id)).toMatchObject({
    ...{ name: 'Green kale', price: 3.5, quantityAvailable: 55, isOrganic: true, isActive: false },
  });
  expect(products.find(({ _id }) => _id === id)).not.toHaveProperty('sku');
  await market.platform.eventLog.sequence();
  await expect.poll(() => heard.map(({ done: written }) => written)).toEqual([0, 50, 61]);
  // The same file again.
  const again = await upload(farmer, rows);
  expect(new Set(again.body.data.rows.map(({ outcome }) => outcome))).toEqual(
    new Set(['unchanged']),
  );
});

it('puts a difference on a stock that was sold from since, and never goes below 0', async () => {
  const farmer = await market.join('farmer');
  const consumer = await market.join('consumer');
  const more = await sellProduct(market, farmer, category, { name: 'More' });
  const less = await sellProduct(market, farmer, category, { name: 'Less' });
  const same = await sellProduct(market, farmer, category, { name: 'Same' });
  const { body } = await upload(farmer, [
    { id: more, stock: 60, price: 2.5 },
    { id: less, stock: 10, price: 2.5 },
    { id: same, stock: 50, price: 3 },
  ]);
  const items = [more, less, same].map((product) => ({ product, quantity: 20 }));
  const placed = await market.post('/orders', consumer, orderInput(farmer.id, items));
  expect(placed.status).toBe(201);
  expect((await apply(farmer, body.data._id)).status).toBe(200);
  await runToEnd(market, body.data._id);
  const stocks = Object.fromEntries(
    (await own(farmer)).map(({ name, quantityAvailable }) => [name, quantityAvailable]),
  );
  expect(stocks).toEqual({ More: 40, Less: 0, Same: 30 });
});

it('shows a product again that was edited since, and writes the others', async () => {
  const farmer = await market.join('farmer');
  const edited = await sellProduct(market, farmer, category, { name: 'Edited' });
  const other = await sellProduct(market, farmer, category, { name: 'Other' });
  const gone = await sellProduct(market, farmer, category, { name: 'Gone' });
  const { body } = await upload(farmer, [
    { id: edited, name: 'Edited', price: 4 },
    { id: other, name: 'Other', price: 4 },
    { id: gone, name: 'Gone', price: 4 },
    { id: '', ...newRow('Added since', { price: 4 }) },
  ]);
  await market.put(`/products/${edited}`, farmer, { price: 3 });
  await market.delete(`/products/${gone}`, farmer);
  await sellProduct(market, farmer, category, { name: 'added SINCE' });
  await apply(farmer, body.data._id);
  await runToEnd(market, body.data._id);
  expect((await read(farmer, body.data._id)).rows).toMatchObject([
    { result: 'edited', cells: [{ column: 'price', from: '3', to: '4' }] },
    { result: 'written' },
    { result: 'refused', reason: 'This product was deleted.' },
    { result: 'edited' },
  ]);
});

it('changes sizes, adds some, and leaves those alone that it does not name', async () => {
  const farmer = await market.join('farmer');
  const id = await sellProduct(market, farmer, category, {
    ...{ name: 'Carrots', unit: 'kg', price: undefined, quantityAvailable: 100 },
    sizes: [
      { label: 'Small', content: 1, price: 3 },
      { label: 'Large', content: 5, price: 12 },
    ],
  });
  const [before] = await own(farmer);
  const done = await importFile(
    market,
    farmer,
    productFile([
      { id, size: 'Large', sizeId: '', content: 5, price: 11, sku: 'L', active: 'no' },
      { id, size: 'Sack', sizeId: '', content: 20, price: 40, sku: '', active: '' },
    ]),
  );
  expect(done.rows).toMatchObject([
    { outcome: 'changed', result: 'written' },
    { outcome: 'changed', result: 'written' },
  ]);
  const [after] = await own(farmer);
  expect(after?.sizes).toMatchObject([
    before?.sizes?.[0],
    { _id: before?.sizes?.[1]?._id, label: 'Large', price: 11, sku: 'L', isActive: false },
    { label: 'Sack', content: 20, price: 40, isActive: true },
  ]);
  const refused = await upload(farmer, [{ id, size: 'Small', price: -1 }]);
  expect(refused.body.data.rows).toMatchObject([
    { outcome: 'refused', column: 'price', reason: 'Valid price is required' },
  ]);
});

it('is written once, however often it is asked for, and not after another file', async () => {
  const farmer = await market.join('farmer');
  const id = await sellProduct(market, farmer, category);
  const rows = [{ id, stock: 60 }];
  const [first, second] = [await upload(farmer, rows), await upload(farmer, rows)];
  const both = await Promise.all([1, 2].map(() => apply(farmer, first.body.data._id)));
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  await runToEnd(market, first.body.data._id);
  expect((await apply(farmer, first.body.data._id)).body.data.state).toBe('done');
  expect((await apply(farmer, second.body.data._id)).body.code).toBe('IMPORT_OUTDATED');
  expect((await own(farmer))[0]?.quantityAvailable).toBe(60);
});

it('is outdated where it was compared while another file was being written', async () => {
  const farmer = await market.join('farmer');
  const id = await sellProduct(market, farmer, category);
  const [first, second] = [
    await upload(farmer, [{ id, stock: 60 }]),
    await upload(farmer, [{ id, stock: 60 }]),
  ];
  await apply(farmer, first.body.data._id);
  const during = await upload(farmer, [{ id, stock: 60 }]);
  await runToEnd(market, first.body.data._id);
  for (const { body } of [second, during]) {
    expect((await apply(farmer, body.data._id)).body.code).toBe('IMPORT_OUTDATED');
  }
  const after = await upload(farmer, [{ id, stock: 65 }]);
  expect((await apply(farmer, after.body.data._id)).status).toBe(200);
  await runToEnd(market, after.body.data._id);
  expect((await own(farmer))[0]?.quantityAvailable).toBe(65);
});

it('is the farm’s alone: written by those who may change products, read by its people', async () => {
  const farmer = await market.join('farmer');
  const stranger = await market.join('farmer');
  const id = await sellProduct(market, farmer, category);
  const { body } = await upload(farmer, [{ id, price: 3 }]);
  const packer = await hire(market, farmer, 'packer');
  expect((await market.get(`/farm/products/imports/${body.data._id}`, stranger)).status).toBe(404);
  expect((await apply(stranger, body.data._id)).status).toBe(404);
  expect((await market.get(`/farm/products/imports/${body.data._id}`, packer)).status).toBe(200);
  expect((await apply(packer, body.data._id)).status).toBe(403);
  expect((await upload(packer, [{ id, price: 3 }])).status).toBe(403);
  // Nor by the ids of another farm's products, or what is no id.
  const others = await upload(stranger, [
    { id, price: 1 },
    { id: 'KALE-1', price: 1 },
  ]);
  expect(others.body.data.rows).toMatchObject([
    { outcome: 'refused', column: 'id' },
    { outcome: 'refused', column: 'id' },
  ]);
});

it('asks how numbers are to be read that can be read both ways, and is not written before', async () => {
  const farmer = await market.join('farmer');
  const rows = [newRow('Kale', { price: 2, stock: '1.234', step: '0.001', minimum: '0.5' })];
  const sure = await upload(farmer, rows);
  expect(sure.body.data).toMatchObject({ state: 'ready', decimal: 'point' });
  const unsure = [newRow('Kale', { price: '1,234' })];
  const { body } = await upload(farmer, unsure);
  expect(body.data).toMatchObject({
    ...{ state: 'asking', rows: [] },
    question: { line: 2, column: 'price', cell: '1,234', point: 1234, comma: 1.234 },
  });
  expect((await apply(farmer, body.data._id)).body.code).toBe('IMPORT_ASKS');
  const point = await upload(farmer, unsure, '?decimal=point');
  expect(point.body.data).toMatchObject({ state: 'ready', rows: [{ outcome: 'new' }] });
  const comma = await upload(farmer, unsure, '?decimal=comma');
  expect(comma.body.data.rows).toMatchObject([{ outcome: 'refused', column: 'price' }]);
});

it('asks too where other numbers say both ways', async () => {
  const farmer = await market.join('farmer');
  const others = [newRow('Point', { price: '2.5' }), newRow('Comma', { price: '2,5' })];
  const mixed = await upload(farmer, [...others, newRow('Kale', { stock: '1.234' })]);
  expect(mixed.body.data).toMatchObject({ state: 'asking', question: { line: 4, cell: '1.234' } });
  const sure = await upload(farmer, others);
  expect(sure.body.data).toMatchObject({ state: 'ready', decimal: 'point' });
  expect(sure.body.data.rows).toMatchObject([{ outcome: 'new' }, { outcome: 'refused' }]);
});

it('keeps to the limits: SKUs once, units of the market, products that orders use', async () => {
  const farmer = await market.join('farmer');
  const consumer = await market.join('consumer');
  const id = await sellProduct(market, farmer, category, { name: 'Kale', unit: 'kg', sku: 'K' });
  await market.post('/orders', consumer, orderInput(farmer.id, [{ product: id, quantity: 1 }]));
  const { body } = await upload(farmer, [
    { id, name: 'Kale', unit: 'lb', sku: 'K' },
    { id: '', ...newRow('One', { sku: 'K' }) },
    { id: '', ...newRow('Two', { sku: 'T' }) },
    { id: '', ...newRow('Three', { sku: 'T' }) },
    { id: '', ...newRow('Four', { sku: '', unit: 'furlong' }) },
  ]);
  expect(body.data.rows.map(({ outcome, column }) => [outcome, column])).toEqual([
    ['refused', 'unit'],
    ['refused', 'sku'],
    ['new', undefined],
    ['refused', 'sku'],
    ['refused', 'unit'],
  ]);
});

it('goes with the farm', async () => {
  const farmer = await market.join('farmer');
  const id = await sellProduct(market, farmer, category);
  await upload(farmer, [{ id, price: 3 }]);
  const admin = await market.join('admin');
  expect((await market.delete(`/users/${farmer.id}`, admin)).status).toBe(200);
  const { db } = market.platform;
  expect(await db.productImport.count({ where: { farmId: farmer.id } })).toBe(0);
});
