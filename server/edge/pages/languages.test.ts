import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { theReader } from '#contract/platform/text/constants/reader';
import { until } from '../../../testing/until.ts';
import { allRoutes } from '../../app.ts';
import { makeCategory, startTestMarket } from '../../testing/market.ts';
import { createRead, createTemplate, type Read } from './built.ts';
import { servePages } from './serve.ts';
import { serveSitemap } from './sitemap.ts';

const template = createTemplate(
  `<!doctype html><html lang="en"><head><meta name="description" content="x" />
  <title>Farmgate</title></head><body><div id="root"><p>skeleton</p></div></body></html>`,
  {},
);
const renderPage = vi.fn();
let read: Read;
const market = await startTestMarket({ PUBLIC_URL: 'https://market.test/' });
const admin = await market.join('admin');
const category = await makeCategory(market.platform);
const app = new Koa();
app.use(serveSitemap(market.platform));
app.use(
  servePages(
    market.platform,
    createRead(market.platform, allRoutes(market.platform)),
    async () => ({
      template,
      renderer: {
        answerCallsWith: (given: Read) => {
          read = given;
        },
        renderPage,
      },
    }),
  ),
);
app.use((ctx) => {
  ctx.body = 'the shell';
});
const handle = app.callback();
const server: Server = createServer((request, response) => {
  if (!market.platform.responseCache.answerReady(request, response)) void handle(request, response);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url: string = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(async () => {
  server.close();
  await market.close();
  setMarket(DEFAULT_MARKET);
});

const offer = async (...languages: string[]) => {
  const { body } = await market.put('/market', admin, { languages });
  expect(body.data.languages).toEqual(languages);
};

beforeEach(async () => {
  renderPage.mockReset();
  renderPage.mockImplementation(async ({ reader }) => {
    // As long as any read takes.
    await read('/api/market');
    await read('/api/categories?limit=200');
    const html = `<main>${reader.language} ${theReader().language}</main>`;
    return { html, dehydrated: { refusals: [] } };
  });
  await offer('en', 'ur', 'de');
});

const open = async (path: string, cookie = '') => {
  const response = await fetch(url + path, { redirect: 'manual', headers: { cookie } });
  const { status, headers } = response;
  return { status, to: headers.get('location'), headers, html: await response.text() };
};

it('has an address for each language, which names the others', async () => {
  for (const [path, language, dir, description] of [
    ['/products', 'en', 'ltr', 'What the farms around you'],
    ['/ur/products', 'ur', 'rtl', '[\u0600-\u06ff]'],
    ['/de/products', 'de', 'ltr', 'Was die Höfe'],
  ] as const) {
    const { status, html } = await open(path);
    expect(status).toBe(200);
    expect(html).toContain(`<html lang="${language}" dir="${dir}">`);
    expect(html).toContain(`<main>${language} ${language}</main>`);
    expect(html).toContain(`<link rel="canonical" href="https://market.test${path}">`);
    expect(html).toMatch(new RegExp(`<meta name="description" content="${description}`));
    expect(html).toContain(`<meta property="og:locale" content="${language}_US">`);
    const card = `https://market.test${path.replace('/products', '/cards/market.jpg')}`;
    expect(html).toContain(`<meta property="og:image" content="${card}">`);
    for (const [each, address] of [
      ['en', '/products'],
      ['ur', '/ur/products'],
      ['de', '/de/products'],
      ['x-default', '/products'],
    ])
      expect(html).toContain(
        `<link rel="alternate" hreflang="${each}" href="https://market.test${address}">`,
      );
  }
  expect(renderPage.mock.calls.map(([{ path }]) => path)).toEqual(Array(3).fill('/products'));
  expect((await open('/ur')).html).toContain('hreflang="de" href="https://market.test/de">');
  await offer('ur', 'en');
  expect((await open('/products')).html).toContain('<html lang="ur" dir="rtl">');
  expect((await open('/en/products')).html).toContain('<html lang="en" dir="ltr">');
});

it('leads to the language that was chosen, and to no other', async () => {
  // What is there for everybody does not hide it.
  await open('/products?search=kale');
  await open('/products?search=kale');
  expect(await open('/products?search=kale', 'a=b; language=ur')).toMatchObject({
    status: 302,
    to: '/ur/products?search=kale',
  });
  const { headers } = await open('/', 'language=de');
  expect([headers.get('location'), headers.get('cache-control')]).toEqual(['/de', 'no-store']);
  for (const [path, cookie] of [
    ['/products', 'language=en'],
    ['/products', 'language=fr'],
    ['/products', 'other-language-x=de'],
    ['/de/products', 'language=ur'],
    ['/orders', 'language=ur'],
  ] as const)
    expect((await open(path, cookie)).status, `${path} ${cookie}`).toBe(200);
});

it.each([
  ['/en/products?sort=newest', '/products?sort=newest'],
  ['/en', '/'],
  ['/en/orders', '/orders'],
  ['/en//else.test/x', '/else.test/x'],
])('leads from %s, the first language, to the address without it', async (path, to) => {
  expect(await open(path)).toMatchObject({ status: 302, to });
});

it('takes the other redirects with the language', async () => {
  const id = '00000000-0000-4000-8000-00000000000A';
  expect(await open(`/de/farmers/${id}`)).toMatchObject({
    status: 301,
    to: `/de/farmers/${id.toLowerCase()}`,
  });
  expect((await open('/ur/products?typedMinPrice=2')).to).toBe('/ur/products?minPrice=2');
});

it('leads from a language that is no longer offered to the first, until it is offered again', async () => {
  expect((await open('/ur/farmers')).status).toBe(200);
  await offer('en', 'de');
  await until(async () => (await open('/ur/farmers')).status === 302);
  expect((await open('/ur/farmers')).to).toBe('/farmers');
  expect((await open('/farmers', 'language=ur')).status).toBe(200);
  expect((await open('/farmers')).html).not.toContain('hreflang="ur"');
  await offer('en', 'ur');
  expect((await open('/ur/farmers')).html).toContain('<main>ur ur</main>');
  expect((await open('/farmers')).html).toContain('hreflang="ur"');
});

it('knows no other languages', async () => {
  expect((await open('/xx/products')).status).toBe(404);
  expect((await open('/ur/no/page')).html).toMatch(/<html lang="ur" dir="rtl">.*<main>ur ur/s);
});

it('mixes up nothing among 300 requests at once', async () => {
  const pages = ['/products?sort=newest', '/farmers', '/about', '/'];
  const answers = await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      const language = ['en', 'ur', 'de'][index % 3] ?? 'en';
      const path = pages[index % 4] ?? '/';
      const prefix = language === 'en' ? '' : `/${language}`;
      const { html } = await open(path === '/' ? prefix || '/' : prefix + path);
      return html.includes(`<html lang="${language}"`) &&
        html.includes(`<main>${language} ${language}</main>`) &&
        html.includes(`content="${language}_US"`)
        ? []
        : [`${language} ${path}`];
    }),
  );
  expect(answers.flat()).toEqual([]);
  // Once for each page and language.
  expect(renderPage.mock.calls.length).toBeLessThanOrEqual(12);
});

it('lists each page in all languages for search engines', async () => {
  const { html } = await open('/sitemaps/pages.xml');
  for (const path of ['/farmers', '/ur/farmers', `/de/products?category=${category}`])
    expect(html).toContain(`<loc>https://market.test${path}</loc>`);
  expect(html).toContain(
    '<loc>https://market.test/de</loc><xhtml:link rel="alternate" hreflang="en" href="https://market.test/"/>',
  );
  expect(html).toContain('hreflang="x-default" href="https://market.test/about"/>');
  await offer('en');
  await until(async () => !(await open('/sitemaps/pages.xml')).html.includes('hreflang'));
});
