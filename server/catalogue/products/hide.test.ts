import { randomUUID } from 'node:crypto';
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

const market = closeAfter(await startTestMarket());
const [admin, farmer, consumer] = await Promise.all([
  market.join('admin'),
  market.join('farmer'),
  market.join('consumer'),
]);
const category = await makeCategory(market.platform);

const sell = (over?: Record<string, unknown>) => sellProduct(market, farmer, category, over);
const setHiding = (id: string, body: unknown, as = admin) =>
  market.put(`/products/${id}/hiding`, as, body);
const hide = (id: string, reason = 'Not from this farm.') =>
  setHiding(id, { hidden: true, reason });
const change = (id: string, body: unknown, as = farmer) => market.put(`/products/${id}`, as, body);
const read = (id: string, as?: Caller) => market.get(`/products/${id}`, as);

async function isPublic(id: string): Promise<boolean[]> {
  const list = await market.get(`/products?farmer=${farmer.id}&limit=200`);
  const found = await market.get('/products?search=carrots&limit=200');
  const farm = await market.get(`/users/farmers/${farmer.id}`);
  expect(farm.status).toBe(200);
  const has = (products: Product[]) => products.some(({ _id }) => _id === id);
  return [has(list.body.data), has(found.body.data), (await read(id)).status === 200];
}

it('is on no public page while hidden, and its farmer sees why', async () => {
  const id = await sell();
  expect(await isPublic(id)).toEqual([true, true, true]);
  const { status, body } = await hide(id.toUpperCase());
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ isActive: false, hiddenReason: 'Not from this farm.' });
  expect(await isPublic(id)).toEqual([false, false, false]);
  expect((await read(id, consumer)).status).toBe(404);
  expect((await read(id, farmer)).body.data.hiddenReason).toBe('Not from this farm.');
  const own = await market.get('/products/farmer/me', farmer);
  expect(own.body.data.find((each: Product) => each._id === id).hiddenReason).toBeTruthy();
  const order = orderInput(farmer.id, [{ product: id, quantity: 1 }]);
  const refused = await market.post('/orders', consumer, order);
  expect(refused.status).toBe(409);
});

it('is made active by nobody until an admin shows it again', async () => {
  const id = await sell();
  await hide(id);
  for (const as of [farmer, admin]) {
    const refused = await change(id, { isActive: true }, as);
    expect(refused).toMatchObject({ status: 409, body: { code: 'PRODUCT_HIDDEN' } });
    expect(refused.body.message).toContain('Not from this farm.');
  }
  // Everything else can be mended meanwhile.
  expect((await change(id, { name: 'Honest carrots' })).body.data).toMatchObject({
    name: 'Honest carrots',
    isActive: false,
    hiddenReason: 'Not from this farm.',
  });
  await expect(
    market.platform.db.product.update({ where: { id }, data: { isActive: true } }),
  ).rejects.toThrow();
  const shown = await setHiding(id, { hidden: false });
  expect(shown.body.data.isActive).toBe(true);
  expect(shown.body.data).not.toHaveProperty('hiddenReason');
  expect(await isPublic(id)).toEqual([true, true, true]);
});

it('is shown again as its farmer left it', async () => {
  const inactive = await sell({ isActive: false });
  await hide(inactive);
  expect((await setHiding(inactive, { hidden: false })).body.data.isActive).toBe(false);

  const takenOff = await sell();
  await hide(takenOff);
  await change(takenOff, { isActive: false });
  expect((await setHiding(takenOff, { hidden: false })).body.data.isActive).toBe(false);

  const twice = await sell();
  await hide(twice);
  expect((await hide(twice, 'Another reason.')).body.data.hiddenReason).toBe('Another reason.');
  expect((await setHiding(twice, { hidden: false })).body.data.isActive).toBe(true);
});

it('changes nothing the second time, and sends one event', async () => {
  const id = await sell();
  const socket = await market.connect({ token: farmer.token });
  const received: unknown[] = [];
  socket.on('product.hidingChanged', ({ data }) => received.push(data));
  const first = await hide(id);
  const again = await hide(id);
  expect(again.body.data.version).toBe(first.body.data.version);
  const lifted = new Promise<void>((resolve) =>
    socket.on('product.hidingChanged', ({ data }) => {
      if (data.reason === null) resolve();
    }),
  );
  await setHiding(id, { hidden: false });
  await setHiding(id, { hidden: false });
  await lifted;
  expect(received).toMatchObject([
    { _id: id, farmer: farmer.id, reason: 'Not from this farm.' },
    { _id: id, reason: null },
  ]);
});

it('needs a reason, an admin and a product', async () => {
  const id = await sell();
  expect((await setHiding(id, { hidden: true })).body.message).toBe('Tell the farmer why.');
  expect((await setHiding(id, { hidden: true, reason: '  ' })).status).toBe(400);
  expect((await setHiding(id, { hidden: true, reason: 'x' }, farmer)).status).toBe(403);
  expect((await setHiding(randomUUID(), { hidden: true, reason: 'x' })).status).toBe(404);
});

it('keeps the reason when a cancelled order brings its stock back', async () => {
  const id = await sell();
  const body = orderInput(farmer.id, [{ product: id, quantity: 2 }]);
  const order = (await market.post('/orders', consumer, body)).body.data._id;
  await hide(id);
  const socket = await market.connect({ token: farmer.token });
  const received = new Promise<Product>((resolve) =>
    socket.on('product.updated', ({ data }) => resolve(data as Product)),
  );
  await market.put(`/orders/${order}`, consumer, { status: 'cancelled' });
  expect(await received).toMatchObject({ isActive: false, hiddenReason: 'Not from this farm.' });
});

it('is edited by an admin with a trace of what changed', async () => {
  const id = await sell();
  await change(id, { price: 3, name: 'Roots' }, admin);
  const [entry] = (await market.get('/admin/audit', admin)).body.data;
  expect(entry).toMatchObject({
    action: 'product.updated',
    targetId: id,
    targetName: 'Roots',
    detail: { name: 'Roots', farmer: farmer.id, fields: ['name', 'price'] },
  });
});
