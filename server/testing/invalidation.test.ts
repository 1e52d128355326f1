import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays } from '#contract/constants/days';
import { DEFAULT_MARKET } from '#contract/constants/market';
import { dayIn } from '#contract/constants/time';
import type { Endpoint, Role } from '#contract/http';
import { allRoutes } from '../app.ts';
import { registry } from '../process/metrics.ts';
import { setupToken } from '../setup/link.ts';
import { setUpInput } from '../setup/testing/input.ts';
import { type Answer, type Caller, orderInput, productInput, startTestMarket } from './market.ts';
import { pathWith } from './sample.ts';
import { createSamples } from './samples.ts';
import { startUncached } from './uncached.ts';

// After every kind of write, each cached public read must equal the same read without a cache. A cached
// endpoint that declares `never` or `sameId` in `invalidatedBy` by mistake fails here, and so does a new
// cached endpoint without reads.

/** Prepares the entities of one write, before the cache is filled. @returns the write */
type Case = () => Promise<() => Promise<Answer>>;

// Started before the tests are listed, because they are listed from its routes.
const market = await startTestMarket();
const endpoints = allRoutes(market.platform).map(({ endpoint }) => endpoint);
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** A second server on the same database that never starts its cache. */
let uncached: Awaited<ReturnType<typeof startUncached>>;
const { samples, own, prepare } = createSamples(market);
let category: string;
/** The products and farms that are read one by one; a case adds its own. */
let products: string[];
let farms: string[];

beforeAll(async () => {
  uncached = await startUncached(market.env);
  await prepare();
  category = await newCategory();
  await put('/market/pages/help', own.admin, { title: 'Help', body: 'Ask us.' });
  await saveFarm(own.farmer, {});
});
beforeEach(() => {
  products = [];
  farms = [own.farmer.id];
});
afterAll(async () => {
  await uncached.close();
  await market.close();
});

const post = (path: string, as: Caller | undefined, body?: unknown) =>
  market.call('POST', path, { as, body });
const put = (path: string, as: Caller, body: unknown) => market.call('PUT', path, { as, body });
const remove = (path: string, as: Caller, body?: unknown) =>
  market.call('DELETE', path, { as, body });

const saveFarm = (as: Caller, over: Record<string, unknown>) =>
  put('/users/farmers/profile', as, { farmName: 'Green Valley', description: 'Soil.', ...over });

async function newCategory(): Promise<string> {
  const { body } = await post('/categories', own.admin, { name: randomUUID() });
  return body.data._id;
}

async function newFarmer(): Promise<Caller> {
  const farmer = await market.join('farmer');
  farms.push(farmer.id);
  return farmer;
}

async function newProduct(as = own.farmer, over: Record<string, unknown> = {}): Promise<string> {
  const { body } = await post('/products', as, productInput(category, over));
  products.push(body.data._id);
  return body.data._id;
}

async function newOrder(product: string, quantity = 50, as = own.consumer): Promise<string> {
  const { body } = await post('/orders', as, orderInput(own.farmer.id, [{ product, quantity }]));
  return body.data._id;
}

const changeProduct =
  (change: Record<string, unknown>, before: Record<string, unknown> = {}): Case =>
  async () => {
    const product = await newProduct(own.farmer, before);
    return () => put(`/products/${product}`, own.farmer, change);
  };

/** A change of status of an order for all of a product's stock. */
const changeStatus =
  (status: string, by: 'consumer' | 'farmer' | 'admin'): Case =>
  async () => {
    const order = await newOrder(await newProduct());
    return () => put(`/orders/${order}`, own[by], { status });
  };

/** A write that no public read shows. */
const unrelated =
  (write: () => Promise<Answer>): Case =>
  async () =>
    write;

const account = (role: Role) => ({
  name: 'Somebody New',
  email: `${randomUUID()}@farmgate.test`,
  password: 'password123',
  role,
  phone: '555-0100',
  address: { street: '1 Mill Lane', city: 'Ashford', state: 'VT', zipCode: '05001' },
});

/** What else writes may change in public reads, besides the valid call of each that `samples.ts` has. */
const MORE: Record<string, Record<string, Case>> = {
  'POST /auth/register': {
    'a consumer': unrelated(() => post('/auth/register', undefined, account('consumer'))),
    'a farmer': unrelated(() => post('/auth/register', undefined, account('farmer'))),
  },
  'POST /users/addresses': {
    'a preferred one of a founder': async () => {
      const farmer = await newFarmer();
      await newProduct(farmer);
      const address = { street: '7 Oak Street', city: 'Putney' };
      return () => post('/users/addresses', farmer, { address, isPreferred: true });
    },
  },
  'DELETE /users/me': {
    'a farmer': async () => {
      const farmer = await newFarmer();
      await newProduct(farmer);
      return () => remove('/users/me', farmer, { password: 'password123' });
    },
  },
  'PUT /users/farmers/profile': {
    'a name': async () => {
      const farmer = await newFarmer();
      await newProduct(farmer);
      return () => saveFarm(farmer, { farmName: 'Aster Farm' });
    },
    'what it offers': async () => {
      const farmer = await newFarmer();
      await newProduct(farmer);
      return () => saveFarm(farmer, { acceptsPickup: false, acceptsDelivery: true });
    },
    'a description': unrelated(() => saveFarm(own.farmer, { description: randomUUID() })),
    // Of a farm that nobody orders from: its other days are closed.
    'the hours': async () => {
      const farmer = await newFarmer();
      await newProduct(farmer);
      return () =>
        saveFarm(farmer, { businessHours: { monday: { open: '08:00', close: '12:00' } } });
    },
  },
  'POST /setup': {
    'a market without an admin': async () => {
      const { user } = market.platform.db;
      const { currency, locale, timeZone } = DEFAULT_MARKET;
      const settings = { name: `Market ${randomUUID().slice(0, 8)}`, currency, locale, timeZone };
      const body = setUpInput({ token: setupToken(market.env), market: settings });
      const admins = await user.findMany({ where: { role: 'admin' }, select: { id: true } });
      const setRole = (role: Role) =>
        user.updateMany({ where: { id: { in: admins.map(({ id }) => id) } }, data: { role } });
      return async () => {
        await setRole('consumer');
        const answer = await post('/setup', undefined, body);
        await setRole('admin');
        return answer;
      };
    },
  },
  'PUT /users/farmers/:id/approval': {
    'a draft is approved': async () => {
      const farmer = await newFarmer();
      await newProduct(farmer);
      const data = { approvedAt: null };
      await market.platform.db.farmerProfile.update({ where: { userId: farmer.id }, data });
      return () => put(`/users/farmers/${farmer.id}/approval`, own.admin, { approved: true });
    },
    'a farm leaves the market': async () => {
      const farmer = await newFarmer();
      await newProduct(farmer);
      const { marketSettings } = market.platform.db;
      const setApproving = (approvesFarms: boolean) =>
        marketSettings.update({ where: { id: 1 }, data: { approvesFarms } });
      return async () => {
        await setApproving(true);
        const body = { approved: false, reason: 'No hours.' };
        const answer = await put(`/users/farmers/${farmer.id}/approval`, own.admin, body);
        await setApproving(false);
        return answer;
      };
    },
  },
  'PUT /farm/schedule': {
    'the cut-off and a closed day': async () => {
      const farmer = await newFarmer();
      await newProduct(farmer);
      const exceptions = [{ date: addDays(dayIn('UTC'), 3), skip: true }];
      return () =>
        put('/farm/schedule', farmer, { cutoff: { daysBefore: 2, time: '12:00' }, exceptions });
    },
    'what happens at the cut-off': unrelated(() =>
      put('/farm/schedule', own.farmer, { atCutoff: 'reject' }),
    ),
  },
  'PUT /users/profile': {
    'a farmer': async () => {
      const farmer = await newFarmer();
      await newProduct(farmer);
      const address = { street: '2 Hill Road', city: 'Bath', state: 'ME', zipCode: '04530' };
      return () => put('/users/profile', farmer, { name: 'Aaron', phone: '555-0199', address });
    },
    'a consumer': unrelated(() => put('/users/profile', own.consumer, { name: 'Cleo' })),
  },
  'DELETE /users/:id': {
    'a farmer with products and orders': async () => {
      const farmer = await newFarmer();
      const product = await newProduct(farmer);
      const items = [{ product, quantity: 1 }];
      await post('/orders', own.consumer, orderInput(farmer.id, items));
      return () => remove(`/users/${farmer.id}`, own.admin);
    },
    'a consumer with a pending order': async () => {
      const consumer = await market.join('consumer');
      await newOrder(await newProduct(), 50, consumer);
      return () => remove(`/users/${consumer.id}`, own.admin);
    },
  },
  'PUT /users/:id/suspension': {
    'a farm with products': async () => {
      const farmer = await newFarmer();
      await newProduct(farmer);
      return () => put(`/users/${farmer.id}/suspension`, own.admin, { suspended: true });
    },
    'a farm that comes back': async () => {
      const farmer = await newFarmer();
      await newProduct(farmer);
      await put(`/users/${farmer.id}/suspension`, own.admin, { suspended: true });
      return () => put(`/users/${farmer.id}/suspension`, own.admin, { suspended: false });
    },
  },
  'PUT /categories/:id': {
    'its name': async () => {
      const id = await newCategory();
      await newProduct(own.farmer, { category: id });
      return () => put(`/categories/${id}`, own.admin, { name: randomUUID(), icon: '🥕' });
    },
  },
  'DELETE /categories/:id': {
    'a category with products': async () => {
      const id = await newCategory();
      await newProduct(own.farmer, { category: id });
      return () => remove(`/categories/${id}`, own.admin);
    },
  },
  'POST /products': {
    'an active one': unrelated(() => post('/products', own.farmer, productInput(category))),
    'the first of a farm': async () => {
      const farmer = await newFarmer();
      return () => post('/products', farmer, productInput(category));
    },
    'an inactive one': unrelated(() =>
      post('/products', own.farmer, productInput(category, { isActive: false })),
    ),
  },
  'PUT /products/:id': {
    'its name': changeProduct({ name: 'Golden beets' }),
    'its price': changeProduct({ price: 0.5 }),
    'its stock': changeProduct({ quantityAvailable: 7 }),
    'its last day': changeProduct({ availableUntil: '2020-01-01' }),
    'the end of its last day': changeProduct(
      { availableUntil: '2090-01-01' },
      { availableUntil: '2020-01-01' },
    ),
    'hiding it': changeProduct({ isActive: false }),
    'showing it': changeProduct({ isActive: true }, { isActive: false }),
    'its category': async () => {
      const product = await newProduct();
      const id = await newCategory();
      return () => put(`/products/${product}`, own.farmer, { category: id });
    },
  },
  'PUT /products/stock': {
    'stock, price and visibility of several': async () => {
      const [one, other, third] = [await newProduct(), await newProduct(), await newProduct()];
      const changes = [
        { product: one, quantityAvailable: 0 },
        { product: other, price: 0.75 },
        { product: third, isActive: false },
      ];
      return () => put('/products/stock', own.farmer, { changes });
    },
  },
  'PUT /products/:id/hiding': {
    'by an admin': async () => {
      const product = await newProduct();
      return () =>
        put(`/products/${product}/hiding`, own.admin, { hidden: true, reason: 'Spoilt' });
    },
    'shown again': async () => {
      const product = await newProduct();
      await put(`/products/${product}/hiding`, own.admin, { hidden: true, reason: 'Spoilt' });
      return () => put(`/products/${product}/hiding`, own.admin, { hidden: false });
    },
  },
  'DELETE /products/:id': {
    'an active one': async () => {
      const product = await newProduct();
      return () => remove(`/products/${product}`, own.farmer);
    },
    'an inactive one': async () => {
      const product = await newProduct(own.farmer, { isActive: false });
      return () => remove(`/products/${product}`, own.farmer);
    },
  },
  'POST /orders': {
    'all of the stock': async () => {
      const product = await newProduct();
      const body = orderInput(own.farmer.id, [{ product, quantity: 50 }]);
      return () => post('/orders', own.consumer, body);
    },
  },
  'PUT /orders/:id': {
    accepted: changeStatus('accepted', 'farmer'),
    rejected: changeStatus('rejected', 'farmer'),
    'cancelled by its consumer': changeStatus('cancelled', 'consumer'),
    'cancelled by an admin': changeStatus('cancelled', 'admin'),
  },
  'PUT /orders/status': {
    'several rejected': async () => {
      const ids = [await newOrder(await newProduct()), await newOrder(await newProduct(), 1)];
      return () => put('/orders/status', own.farmer, { ids, status: 'rejected' });
    },
  },
};

const eachOf = (path: string, ids: readonly string[]) => ids.map((id) => `${path}/${id}`);

/** Every cached endpoint, with the addresses that are read before and after each write. */
const READS: Record<string, () => string[]> = {
  'GET /market': () => ['/market'],
  'GET /market/pages/:slug': () => ['/market/pages/help'],
  'GET /products': () => [
    '/products',
    `/products?category=${category}`,
    ...farms.map((farmer) => `/products?farmer=${farmer}`),
    '/products?search=carrots',
    '/products?search=golden',
    '/products?search=aster',
    '/products?sort=price-asc&limit=2',
    '/products?sort=price-desc',
    '/products?search=golden&sort=relevance',
    '/products?inStock=true&minPrice=0.7&maxPrice=2',
    '/products?orderType=delivery&organic=true',
  ],
  'GET /products/facets': () => [
    '/products/facets',
    '/products/facets?search=aster',
    `/products/facets?category=${category}&inStock=true`,
    ...farms.map((farmer) => `/products/facets?farmer=${farmer}`),
  ],
  'GET /products/:id': () => eachOf('/products', products),
  'GET /users/farmers': () => [
    '/users/farmers',
    '/users/farmers?search=aster',
    '/users/farmers?search=aaron',
    '/users/farmers?limit=1',
  ],
  'GET /users/farmers/:id': () => eachOf('/users/farmers', farms),
  'GET /categories': () => ['/categories', '/categories?limit=1'],
};

const addresses = () => Object.values(READS).flatMap((read) => read());

/** Reads all addresses from the cache, or past it. */
const readAll = (url: string) =>
  Promise.all(
    addresses().map(async (address) => {
      const response = await fetch(`${url}/api${address}`);
      return { address, status: response.status, body: (await response.json()) as unknown };
    }),
  );

async function countCached(): Promise<number> {
  const metric = registry.getSingleMetric('farmgate_cached_responses_total');
  const { values } = (await metric?.get()) ?? { values: [] };
  return values.reduce((sum, { value }) => sum + value, 0);
}

it('has reads for every cached endpoint, and no case of a write that is gone', () => {
  const cached = endpoints.filter(({ invalidatedBy }) => invalidatedBy).map(nameOf);
  expect(Object.keys(READS).sort()).toEqual(cached.sort());
  expect(endpoints.map(nameOf)).toEqual(expect.arrayContaining(Object.keys(MORE)));
});

it('answers all these reads from the cache while nothing is written', async () => {
  await newProduct();
  await readAll(market.url);
  const before = await countCached();
  const answers = await readAll(market.url);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect((await countCached()) - before).toBe(answers.length);
});

/** The valid call of an endpoint, by the first role that may make it. */
const sampleOf =
  (endpoint: Endpoint): Case =>
  async () => {
    const { access, method, path } = endpoint;
    const role = Array.isArray(access) ? (access as Role[])[0] : undefined;
    const input = (await samples[nameOf(endpoint)]?.input?.(role ?? 'visitor')) ?? {};
    const { body, form } = input;
    const caller = input.as ?? (role && own[role]);
    return async () => {
      const response = await fetch(`${market.url}/api${pathWith(path, input)}`, {
        method,
        headers: {
          ...(caller ? { authorization: `Bearer ${caller.token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: form ?? (body === undefined ? null : JSON.stringify(body)),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    };
  };

const writes = endpoints
  .filter(({ method }) => method !== 'GET')
  .map((endpoint): [string, Record<string, Case>] => {
    const name = nameOf(endpoint);
    const caller = Array.isArray(endpoint.access) ? (endpoint.access as Role[])[0] : undefined;
    // What is refused here has a case of its own.
    const isRefused = samples[name]?.refused?.[caller ?? 'visitor'] !== undefined;
    return [name, { ...(isRefused ? {} : { 'a valid call': sampleOf(endpoint) }), ...MORE[name] }];
  });

describe.each(writes)('%s', (_, cases) => {
  it.each(Object.entries(cases))(
    'leaves no stale cached answer: %s',
    async (_name, prepareWrite) => {
      const write = await prepareWrite();
      await readAll(market.url);
      const { status } = await write();
      expect(status).toBeLessThan(300);
      const [cached, fresh] = [await readAll(market.url), await readAll(uncached.url)];
      expect(cached).toEqual(fresh);
    },
  );
});
