import { describe, expect, it } from 'vitest';
import { Category } from '#contract/catalogue/categories/categories';
import { until } from '../../../testing/until.ts';
import { type Caller, closeAfter, productInput, startTestMarket } from '../../testing/market.ts';

const market = closeAfter(await startTestMarket());
const admin = await market.join('admin');
const consumer = await market.join('consumer');

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const create = (body: Record<string, unknown>, as: Caller | undefined = admin) =>
  market.post('/categories', as, body);
const update = (id: string, body: Record<string, unknown>, as: Caller | undefined = admin) =>
  market.put(`/categories/${id}`, as, body);
const remove = (id: string, as: Caller | undefined = admin) =>
  market.delete(`/categories/${id}`, as);
const names = async (query = '') =>
  (await market.get(`/categories?${query}`)).body.data.map(({ name }: Category) => name);

describe('categories', () => {
  it('can be read by everyone, sorted by name, each once over all pages', async () => {
    for (const name of ['Cherries', 'apples', 'Äpfel', 'Berries']) await create({ name });
    expect(await names()).toEqual(['Äpfel', 'apples', 'Berries', 'Cherries']);
    const first = await market.get('/categories?limit=2');
    expect(first.body).toMatchObject({ success: true, count: 2 });
    expect(await names(`limit=2&cursor=${first.body.nextCursor}`)).toEqual(['Berries', 'Cherries']);
    expect((await market.get('/categories?cursor=nonsense')).status).toBe(400);
  });

  it('can be created and changed by admins, with an event to everyone', async () => {
    const visitor = await market.connect();
    const received: string[] = [];
    visitor.on('category.changed', ({ data }) => received.push(data._id));
    const made = await create({ name: ' Roots ', icon: '🥕' });
    expect(made.status).toBe(201);
    expect(Category.parse(made.body.data)).toEqual(made.body.data);
    expect(made.body.data).toMatchObject({ name: 'Roots', description: '', icon: '🥕' });
    const id = made.body.data._id;
    const changed = await update(id, { name: 'Root crops', description: 'From below.' });
    expect(changed).toMatchObject({
      status: 200,
      body: { data: { _id: id, name: 'Root crops', description: 'From below.', icon: '' } },
    });
    await until(() => received.filter((other) => other === id).length === 2);
  });

  it('have names in other languages, which their products and the counts of filters have too', async () => {
    const names = { de: 'Wurzeln', ur: ' جڑیں ', fr: '', en: 'Not this one' };
    const { body } = await create({ name: 'Tubers', names });
    const { _id } = body.data;
    expect(body.data).toEqual(
      Category.parse({
        _id,
        name: 'Tubers',
        names: { de: 'Wurzeln', ur: 'جڑیں' },
        description: '',
        icon: '',
      }),
    );
    const farmer = await market.join('farmer');
    const product = (await market.post('/products', farmer, productInput(_id))).body.data;
    const own = { _id, name: 'Tubers', names: { de: 'Wurzeln', ur: 'جڑیں' } };
    expect(product.category).toEqual(own);
    expect((await market.get(`/products/${product._id}`)).body.data.category).toEqual(own);
    const stocked = await market.call('PATCH', `/products/${product._id}/stock`, {
      as: farmer,
      body: { quantityAvailable: 3 },
    });
    if (stocked.status === 200) expect(stocked.body.data.category).toEqual(own);
    const facets = (await market.get('/products/facets')).body.data;
    expect(facets.categories).toContainEqual(expect.objectContaining(own));
    // What is left out stays, and an empty name goes.
    expect((await update(_id, { name: 'Roots of all kinds' })).body.data.names).toEqual(own.names);
    const changed = await update(_id, { name: 'Tubers', names: { de: 'Knollen', ur: '' } });
    expect(changed.body.data.names).toEqual({ de: 'Knollen' });
    const none = await update(_id, { name: 'Tubers', names: {} });
    expect(none.body.data).not.toHaveProperty('names');
    const refused = await update(_id, { name: 'Tubers', names: { de: 'x'.repeat(61) } });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'names.de']);
  });

  it('have unique names, ignoring case, also when created at the same time', async () => {
    const answers = await Promise.all(['Nuts', 'nuts', 'NUTS'].map((name) => create({ name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ code: 'CATEGORY_TAKEN', errors: [{ path: 'name' }] });
    const seeds = await create({ name: 'Seeds' });
    expect((await update(seeds.body.data._id, { name: 'nUTS' })).status).toBe(409);
    // Its own name in another case is no conflict.
    expect((await update(seeds.body.data._id, { name: 'SEEDS' })).status).toBe(200);
  });

  it('reject visitors, other roles, a blank name and an unknown id', async () => {
    for (const [as, status] of [
      [undefined, 401],
      [consumer, 403],
    ] as const) {
      const call = (method: string, path: string, body?: unknown) =>
        market.call(method, path, { as, body });
      expect((await call('POST', '/categories', { name: 'X' })).status).toBe(status);
      expect((await call('PUT', `/categories/${UNKNOWN}`, { name: 'X' })).status).toBe(status);
      expect((await call('DELETE', `/categories/${UNKNOWN}`)).status).toBe(status);
    }
    expect(await create({ name: '   ' })).toMatchObject({
      status: 400,
      body: { message: 'Category name is required', errors: [{ path: 'name' }] },
    });
    expect((await create({ name: 'x'.repeat(61) })).status).toBe(400);
    expect((await update(UNKNOWN, { name: 'Nobody' })).status).toBe(404);
    expect((await remove(UNKNOWN)).status).toBe(404);
    expect((await remove('nonsense')).status).toBe(404);
  });

  it('leave their products without a category when deleted, and increment the versions', async () => {
    const farmer = await market.join('farmer');
    const category = (await create({ name: 'Short-lived' })).body.data._id;
    const made = await market.post('/products', farmer, productInput(category));
    expect(made.body.data.category.name).toBe('Short-lived');
    const visitor = await market.connect();
    const received: string[] = [];
    visitor.on('category.changed', ({ data }) => received.push(data._id));
    expect(await remove(category)).toMatchObject({ status: 200, body: { success: true } });
    await until(() => received.includes(category));
    const { body } = await market.get(`/products/${made.body.data._id}`);
    expect(body.data.category).toBeNull();
    expect(body.data.version).toBe(made.body.data.version + 1);
    expect(await names()).not.toContain('Short-lived');
    expect((await remove(category)).status).toBe(404);
  });

  it('audit the changes by admins', async () => {
    const { _id } = (await create({ name: 'Audited' })).body.data;
    await update(_id, { name: 'Audited twice' });
    await remove(_id);
    const entries = await market.platform.db.auditEntry.findMany({
      where: { targetId: _id },
      orderBy: { at: 'asc' },
    });
    expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
      ['category.created', { name: 'Audited' }],
      ['category.updated', { name: 'Audited twice' }],
      ['category.deleted', { name: 'Audited twice' }],
    ]);
    expect(entries.every(({ adminId }) => adminId === admin.id)).toBe(true);
  });
});

it('are found by any of their names, and by a new one at once', async () => {
  const { body } = await create({ name: 'Oxalis of old', names: { de: 'Knollen', ur: 'جڑ والی' } });
  const farmer = await market.join('farmer');
  const category: string = body.data._id;
  await market.post('/products', farmer, productInput(category, { name: 'Oca' }));
  const found = async (search: string) =>
    (await market.get(`/products?search=${encodeURIComponent(search)}`)).body.data.map(
      ({ name }: { name: string }) => name,
    );
  for (const search of ['oxalis', 'KNOLLEN', 'جڑ والي'])
    expect(await found(search)).toEqual(['Oca']);
  await update(category, { name: 'Andean goods', names: { de: 'Anden' } });
  expect(await found('andean')).toEqual(['Oca']);
  expect(await found('knollen')).toEqual([]);
});
