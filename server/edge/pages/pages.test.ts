import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setMarket, theMarket } from '#contract/platform/market/constants';
import { allRoutes } from '../../app.ts';
import { makeCategory, productInput, startTestMarket } from '../../testing/market.ts';
import { findPage } from './addresses.ts';
import { createRead, createTemplate, type Read } from './built.ts';
import { servePages, toScriptJson } from './serve.ts';

const template = createTemplate(
  `<!doctype html><html lang="en"><head><meta name="description" content="x" />
  <title>Farmgate</title><script src="/first-paint.js" data-signed-in="/assets/b.js /assets/c.js"></script>
  <script src="/assets/a.js"></script></head><body><div id="root"><p>skeleton</p></div></body></html>`,
  {
    'pages/catalogue/ProductPage.tsx': { file: 'assets/p.js', imports: ['a', 'b'] },
    a: { file: 'assets/a.js' },
    b: { file: 'assets/b.js', imports: ['a'] },
  },
);

let read: Read;
/** What the renderer reads for a page, by its route. */
const READS: Record<string, (id: string | undefined) => string> = {
  '/products': () => '/api/products?limit=24',
  '/products/:id': (id) => `/api/products/${id}`,
  '/about': () => '/api/market',
};
const renderPage = vi.fn();

const market = await startTestMarket();
const app = new Koa();
const load = async () => ({
  template,
  renderer: {
    answerCallsWith: (given: Read) => {
      read = given;
    },
    renderPage,
  },
});
app.use(servePages(market.platform, createRead(market.platform, allRoutes(market.platform)), load));
app.use((ctx) => {
  ctx.body = 'the shell';
});
const handle = app.callback();
const server: Server = createServer((request, response) => {
  if (!market.platform.responseCache.answerReady(request, response)) void handle(request, response);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url: string = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await market.close();
});
beforeEach(() => {
  renderPage.mockReset();
  renderPage.mockImplementation(async ({ route, params }) => {
    const { status, text } = await read(READS[route]?.(params.id) ?? '/api/market');
    return {
      html: `<main>${route}</main>`,
      dehydrated: { text, refusals: status === 200 ? [] : [status] },
    };
  });
});
afterEach(() => vi.restoreAllMocks());

const open = async (path: string) => {
  const response = await fetch(url + path);
  return { status: response.status, headers: response.headers, html: await response.text() };
};

async function aProduct(quantityAvailable = 9) {
  const farmer = await market.join('farmer');
  const category = await makeCategory(market.platform);
  const { body } = await market.post(
    '/products',
    farmer,
    productInput(category, { quantityAvailable }),
  );
  const change = (over: object) => market.put(`/products/${body.data._id}`, farmer, over);
  return { id: body.data._id as string, change };
}

it('renders a page once for all spellings of its address, and again after an event of what it read', async () => {
  const { id, change } = await aProduct();
  const other = await aProduct();
  const first = await open(`/products/${id}`);
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(first.headers.get('cache-control')).toBe('no-cache');
  expect(first.html).toContain('<main>/products/:id</main>');
  expect(first.html).toContain('"quantityAvailable\\":9');
  const same = await open(`/products/${id}/?utm_source=mail`);
  expect(same.html).toBe(first.html);
  expect(renderPage).toHaveBeenCalledTimes(1);

  await other.change({ quantityAvailable: 2 });
  await open(`/products/${id}`);
  expect(renderPage).toHaveBeenCalledTimes(1);

  await change({ quantityAvailable: 4 });
  expect((await open(`/products/${id}`)).html).toContain('"quantityAvailable\\":4');
  expect(renderPage).toHaveBeenCalledTimes(2);
});

it('reads the prices of a form without scripts once, as the market writes numbers', async () => {
  const redirectOf = async (query: string) => {
    const response = await fetch(`${url}/products?${query}`, { redirect: 'manual' });
    return [response.status, response.headers.get('location')];
  };
  expect(await redirectOf('search=&typedMinPrice=1%2C200&typedMaxPrice=&filters=open')).toEqual([
    302,
    '/products?filters=open&minPrice=1200',
  ]);
  expect(await redirectOf('maxPrice=2%2C5')).toEqual([302, '/products?maxPrice=2.5']);
  const before = theMarket();
  setMarket({ ...before, locale: 'id-ID' });
  expect(await redirectOf('typedMinPrice=25.000')).toEqual([302, '/products?minPrice=25000']);
  expect(await redirectOf('typedMinPrice=')).toEqual([302, '/products']);
  setMarket(before);
  for (const query of ['minPrice=1200', 'minPrice=2.5&maxPrice=cheap', 'maxPrice=1.200', '']) {
    expect(await redirectOf(query), query).toEqual([200, null]);
  }
});

it('lets a change during the rendering be the last word', async () => {
  const { id, change } = await aProduct();
  renderPage.mockImplementationOnce(async () => {
    const { text } = await read(`/api/products/${id}`);
    await change({ quantityAvailable: 1 });
    return { html: '', dehydrated: { text, refusals: [] } };
  });
  await open(`/products/${id}`);
  expect((await open(`/products/${id}`)).html).toContain('"quantityAvailable\\":1,');
});

it('leads from ids in upper case to the one address of a page', async () => {
  const { id } = await aProduct();
  const farm = randomUUID().toUpperCase();
  const mixed = id.slice(0, 18) + id.slice(18).toUpperCase();
  for (const [path, to] of [
    [`/products/${id.toUpperCase()}`, `/products/${id}`],
    [`/products/${mixed}/?utm=Mail&a=B`, `/products/${id}/?utm=Mail&a=B`],
    [`/farmers/${farm}?tab=X`, `/farmers/${farm.toLowerCase()}?tab=X`],
  ] as const) {
    const response = await fetch(url + path, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([301, to]);
  }
  const { status, html } = await open(`/products/${id.toUpperCase()}`);
  expect(status).toBe(200);
  expect(html).toContain(`<link rel="canonical" href="${market.env.PUBLIC_URL}/products/${id}">`);
});

it('keeps pages of different searches apart', async () => {
  await open('/products');
  await open('/products?search=pears');
  await open('/products?search=&sort=');
  await open('/products?sort=price-asc&search=pears');
  await open('/products?search=pears&sort=price-asc');
  expect(renderPage.mock.calls.map(([{ search }]) => search)).toEqual([
    '',
    '?search=pears',
    '?search=pears&sort=price-asc',
  ]);
});

it('answers 404 with the page that says so, and asks again the next time', async () => {
  const path = '/products/00000000-0000-4000-8000-000000000000';
  for (const times of [1, 2]) {
    const { status, html } = await open(path);
    expect(status).toBe(404);
    expect(html).toContain('<html data-refused lang="en" dir="ltr">');
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(renderPage).toHaveBeenCalledTimes(times);
  }
});

it('keeps a list that is refused from search engines', async () => {
  renderPage.mockResolvedValueOnce({
    html: '<main>Unknown cursor</main>',
    dehydrated: { refusals: [400] },
  });
  const { status, html } = await open('/products?cursor=no-cursor');
  expect(status).toBe(200);
  expect(html).toContain('Unknown cursor');
  expect(html).toContain('<meta name="robots" content="noindex">');
  expect((await open('/products')).html).not.toContain('noindex');
});

it('answers 404 with a page of its own where the client has none, and leaves files and private pages alone', async () => {
  const { status, html, headers } = await open('/no/such/page');
  expect(status).toBe(404);
  expect(html).toContain('<main>*</main>');
  expect(html).toContain('<title>Page not found · Farmgate</title>');
  expect(html).not.toContain('data-refused');
  expect(headers.get('x-robots-tag')).toBe('noindex');
  for (const path of ['/no/such/file.php', '/no/such/%E0%A4%A', '/orders']) {
    expect((await open(path)).html, path).toBe('the shell');
  }
});

it('serves the shell and logs the failure when a page cannot be rendered', async () => {
  const error = vi.spyOn(market.platform.log, 'error').mockImplementation(() => undefined);
  renderPage.mockRejectedValueOnce(new Error('a part of the page is broken'));
  expect((await open('/farmers')).html).toBe('the shell');
  expect(error).toHaveBeenCalledWith(
    expect.objectContaining({ reason: 'a part of the page is broken', route: '/farmers' }),
    'Rendering a page failed',
  );
  expect((await open('/farmers')).html).toContain('<main>/farmers</main>');
});

it('refuses to render what visitors may not read', async () => {
  const error = vi.spyOn(market.platform.log, 'error').mockImplementation(() => undefined);
  renderPage.mockImplementationOnce(async () => read('/api/orders/consumer'));
  expect((await open('/farmers?search=a')).html).toBe('the shell');
  expect(error).toHaveBeenCalledOnce();
});

it('says of private pages that search engines leave them out', async () => {
  for (const path of ['/orders', '/login', '/products/no-id', '/admin/dashboard']) {
    const { html, headers } = await open(path);
    expect([html, headers.get('x-robots-tag')], path).toEqual(['the shell', 'noindex']);
  }
  expect(renderPage).not.toHaveBeenCalled();
});

it('names the files of a page that not every page has', () => {
  expect(template.filesOf('/products/:id')).toEqual(['/assets/p.js', '/assets/b.js']);
  expect(template.filesOf('/about')).toEqual([]);
});

it('writes data that cannot end its element', () => {
  const text = '</script><!--<script>&\u2028\u2029';
  const written = toScriptJson({ text });
  expect(written).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(written)).toEqual({ text });
});

it.each([
  ['/', '/', ''],
  ['/products/', '/products', ''],
  ['/products?b=1&sort=newest&search=a%20b', '/products', '?search=a+b&sort=newest'],
  ['/farmers?search=%C3%A4&cursor=x', '/farmers', '?search=%C3%A4&cursor=x'],
])('gives %s one form', (address, path, search) => {
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  expect(findPage(pathname, searchParams)).toMatchObject({ path, search });
});

it.each(['/login', '/products/x', '/PRODUCTS', `/PRODUCTS/${randomUUID()}`, '/farmers/a/b', '//'])(
  'leaves %s to the client',
  (path) => {
    expect(findPage(path, new URLSearchParams())).toBeUndefined();
  },
);
