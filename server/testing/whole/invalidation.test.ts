// @long It asks each endpoint in many ways.

import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/platform/http/endpoint';
import type { Role } from '#contract/platform/http/http';
import { allRoutes } from '../../app.ts';
import { registry } from '../../platform/metrics/metrics.ts';
import { startTestMarket } from '../market.ts';
import { createInvalidationCases, type InvalidationCase } from '../samples/invalidation-cases.ts';
import { pathWith } from '../samples/sample.ts';
import { createSamples } from '../samples/samples.ts';
import { startUncached } from '../samples/uncached.ts';

// After every kind of write, each cached public read must equal the same read without a cache. A cached
// endpoint that declares `never` or `sameId` in `invalidatedBy` by mistake fails here, and so does a new
// cached endpoint without reads.

// Started before the tests are listed, because they are listed from its routes.
const market = await startTestMarket();
const endpoints = allRoutes(market.platform).map(({ endpoint }) => endpoint);
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** A second server on the same database that never starts its cache. */
const { samples, own, prepare } = createSamples(market);
const more = createInvalidationCases(market, own);
const { read, newProduct } = more;

const uncached: Awaited<ReturnType<typeof startUncached>> = await startUncached(market.env);
await prepare();
await more.prepare();
beforeEach(more.reset);
afterAll(async () => {
  await uncached.close();
  await market.close();
});

const eachOf = (path: string, ids: readonly string[]) => ids.map((id) => `${path}/${id}`);

/** Every cached endpoint, with the addresses that are read before and after each write. */
const READS: Record<string, () => string[]> = {
  'GET /market': () => ['/market'],
  'GET /market/pages/:slug': () => ['/market/pages/help'],
  'GET /products': () => [
    '/products',
    `/products?category=${read.category}`,
    ...read.farms.map((farmer) => `/products?farmer=${farmer}`),
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
    `/products/facets?category=${read.category}&inStock=true`,
    ...read.farms.map((farmer) => `/products/facets?farmer=${farmer}`),
  ],
  'GET /products/:id': () => eachOf('/products', read.products),
  'GET /users/farmers': () => [
    '/users/farmers',
    '/users/farmers?search=aster',
    '/users/farmers?search=aaron',
    '/users/farmers?limit=1',
  ],
  'GET /users/farmers/:id': () => eachOf('/users/farmers', read.farms),
  'GET /categories': () => ['/categories', '/categories?limit=1'],
};

const addresses = () => Object.values(READS).flatMap((paths) => paths());

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
  expect(endpoints.map(nameOf)).toEqual(expect.arrayContaining(Object.keys(more.cases)));
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
  (endpoint: Endpoint): InvalidationCase =>
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
  .map((endpoint): [string, Record<string, InvalidationCase>] => {
    const name = nameOf(endpoint);
    const caller = Array.isArray(endpoint.access) ? (endpoint.access as Role[])[0] : undefined;
    // What is refused here has a case of its own.
    const isRefused = samples[name]?.refused?.[caller ?? 'visitor'] !== undefined;
    return [
      name,
      { ...(isRefused ? {} : { 'a valid call': sampleOf(endpoint) }), ...more.cases[name] },
    ];
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
