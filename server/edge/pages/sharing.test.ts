import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { allRoutes } from '../../app.ts';
import { createResponseCache } from '../../platform/cache/response-cache.ts';
import { withLanguageTag } from '../../platform/process/request-context.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { uploadPicture } from '../../testing/upload-picture.ts';
import { createRead } from './built.ts';
import { serveCards } from './cards.ts';
import { drawCard } from './draw-card.ts';
import { serveSitemap } from './sitemap.ts';

const market = closeAfter(await startTestMarket({ PUBLIC_URL: 'https://market.test/' }));
const category = await makeCategory(market.platform);

const open = async (path: string) => {
  const response = await fetch(market.url + path);
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body, text: body.toString() };
};

async function upload(as: Caller): Promise<string> {
  const answer = await uploadPicture(market.url, as);
  const { data } = (await answer.json()) as { data: { url: string }[] };
  return data[0]?.url ?? '';
}

async function aProduct(over: Record<string, unknown> = {}) {
  const farmer = await market.join('farmer');
  await market.put('/users/farmers/profile', farmer, {
    farmName: 'Hill Farm',
    description: 'High up.',
  });
  const body = productInput(category, over);
  const { data } = (await market.post('/products', farmer, body)).body;
  return { farmer, id: data._id as string };
}

it('lists the public pages, the farms and the products on the market', async () => {
  const { farmer, id } = await aProduct();
  const hidden = await aProduct({ isActive: false });
  expect((await open('/robots.txt')).text).toContain('Sitemap: https://market.test/sitemap.xml');
  const index = await open('/sitemap.xml');
  expect(index.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  expect(index.text).toContain('<loc>https://market.test/sitemaps/products-1.xml</loc>');
  expect((await open('/sitemaps/pages.xml')).text).toContain(
    `<loc>https://market.test/products?category=${category}</loc>`,
  );
  expect((await open('/sitemaps/farms.xml')).text).toContain(`/farmers/${farmer.id}</loc>`);
  const products = async () => (await open('/sitemaps/products-1.xml')).text;
  expect(await products()).toMatch(
    new RegExp(`<loc>https://market.test/products/${id}</loc><lastmod>[\\d:.TZ-]+</lastmod>`),
  );
  expect(await products()).not.toContain(hidden.id);
  await market.put(`/products/${id}`, farmer, { isActive: false });
  expect(await products()).not.toContain(id);
  expect((await open('/sitemaps/products-2.xml')).status).toBe(404);
});

it('parts the products so that none is missing and none listed twice', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.push((await aProduct()).id);
  const app = new Koa();
  // A cache of its own, which keeps nothing as it is not started.
  const responseCache = createResponseCache(market.platform.eventLog);
  app.use(serveSitemap({ ...market.platform, responseCache }, { productsPerPart: 2 }));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  const parts = (await read('/sitemap.xml')).match(/\/sitemaps\/products-\d+\.xml/g) ?? [];
  const listed = (await Promise.all(parts.map(read))).flatMap(
    (text) => text.match(/[0-9a-f-]{36}(?=<\/loc>)/g) ?? [],
  );
  await responseCache.close();
  await new Promise((resolve) => server.close(resolve));
  expect(listed).toEqual([...new Set(listed)]);
  expect(ids.filter((id) => !listed.includes(id))).toEqual([]);
  expect(parts.length).toBe(Math.ceil(listed.length / 2));
});

it('draws a card of a product, which its price changes, and of a farm', async () => {
  const { farmer, id } = await aProduct({ price: 4.5 });
  const card = await open(`/cards/product/${id}.jpg?v=1`);
  expect(card.headers.get('content-type')).toBe('image/jpeg');
  expect(card.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(await sharp(card.body).metadata()).toMatchObject({ width: 1200, height: 630 });
  expect((await open(`/cards/product/${id}.jpg`)).body.equals(card.body)).toBe(true);
  await market.put(`/products/${id}`, farmer, { price: 5 });
  expect((await open(`/cards/product/${id}.jpg?v=2`)).body.equals(card.body)).toBe(false);
  const farm = await open(`/cards/farm/${farmer.id}.jpg`);
  expect(await sharp(farm.body).metadata()).toMatchObject({ width: 1200, height: 630 });
  expect((await open('/cards/market.jpg')).status).toBe(200);
});

it('is kept for long by others only with the picture of the very version that it shows', async () => {
  const { farmer, id } = await aProduct({ images: [] });
  const cardAt = async (address: string) => {
    const { status, headers, body } = await open(address);
    expect(status).toBe(200);
    return { kept: headers.get('cache-control'), body };
  };
  const [path, farmPath] = [`/cards/product/${id}.jpg`, `/cards/farm/${farmer.id}.jpg`];
  const versionOf = async () => (await market.get(`/products/${id}`)).body.data.version;
  const bare = await cardAt(`${path}?v=${await versionOf()}`);
  expect(bare.kept).toBe('public, max-age=60');
  expect((await cardAt(farmPath)).kept).toBe('public, max-age=60');

  const picture = await upload(farmer);
  await market.put(`/products/${id}`, farmer, { images: [picture] });
  const version = await versionOf();
  const shown = await cardAt(`${path}?v=${version}`);
  expect(shown.kept).toBe('public, max-age=86400');
  expect(shown.body.equals(bare.body)).toBe(false);
  // Nobody makes others keep this card as the next version, nor as whichever there is.
  for (const address of [
    `${path}?v=${version + 1}`,
    path,
    `/cards/product/${id.toUpperCase()}.jpg`,
  ]) {
    const { kept, body } = await cardAt(address);
    expect([kept, body.equals(shown.body)]).toEqual(['public, max-age=60', true]);
  }

  const profile = { farmName: 'Hill Farm', description: 'High up.', cover: picture };
  await market.put('/users/farmers/profile', farmer, profile);
  const { body } = await market.get(`/users/farmers/${farmer.id}`);
  const farm = await cardAt(`${farmPath}?v=${body.data.profile.version}`);
  expect(farm.kept).toBe('public, max-age=86400');
});

it('draws the picture of a card that could not be read before', async () => {
  const { farmer, id } = await aProduct();
  const picture = await upload(farmer);
  await market.put(`/products/${id}`, farmer, { images: [picture] });
  let isAway = true;
  const app = new Koa();
  app.use(
    serveCards(market.platform, {
      read: createRead(market.platform, allRoutes(market.platform)),
      readPicture: async () => {
        if (isAway) throw new Error('The storage is away.');
        return sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
          .webp()
          .toBuffer();
      },
    }),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const card = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/cards/product/${id}.jpg`);
    return Buffer.from(await response.arrayBuffer());
  };
  const bare = await card();
  isAway = false;
  expect((await card()).equals(bare)).toBe(false);
  await new Promise((resolve) => server.close(resolve));
});

it('draws a card in each language, at an address of its own', async () => {
  const admin = await market.join('admin');
  const offer = (...languages: string[]) => market.put('/market', admin, { languages });
  onTestFinished(async () => void (await offer('en')));
  const { farmer, id } = await aProduct({ price: 4.5 });
  await market.put(`/products/${id}`, farmer, { images: [await upload(farmer)] });
  const { version } = (await market.get(`/products/${id}`)).body.data;
  const address = `/cards/product/${id}.jpg?v=${version}`;
  await offer('en', 'ur', 'de');
  const languages = ['en', 'ur', 'de'];
  const cards = await Promise.all(
    ['', '/ur', '/de'].flatMap((prefix) => [open(prefix + address), open(prefix + address)]),
  );
  for (const [index, card] of cards.entries()) {
    expect(card.headers.get('content-type'), languages[index]).toBe('image/jpeg');
    expect(card.headers.get('cache-control')).toBe('public, max-age=86400');
    // Once in a language, and another in each.
    const isSame = cards.map(({ body }) => body.equals(card.body));
    expect(isSame).toEqual(cards.map((_, other) => other >> 1 === index >> 1));
  }
  for (const path of [`/cards/farm/${farmer.id}.jpg`, '/cards/market.jpg'])
    expect((await open(`/ur${path}`)).body.equals((await open(path)).body)).toBe(false);
  // The first language has no prefix, and none has one that the market does not offer.
  await offer('ur', 'en');
  expect((await open(address)).body.equals(cards[2]?.body ?? Buffer.of())).toBe(true);
  expect((await open(`/en${address}`)).body.equals(cards[0]?.body ?? Buffer.of())).toBe(true);
  for (const language of ['ur', 'de']) {
    const { status, headers } = await fetch(`${market.url}/${language}${address}`, {
      redirect: 'manual',
    });
    expect([status, headers.get('location')]).toEqual([302, address]);
  }
});

it('has no card of what a visitor may not see', async () => {
  const { id } = await aProduct({ isActive: false });
  expect((await open(`/cards/product/${id}.jpg`)).status).toBe(404);
  expect((await open('/cards/farm/00000000-0000-4000-8000-000000000000.jpg')).status).toBe(404);
});

it.each([
  [
    'as long as they may be',
    'Wensleydale '.repeat(17),
    '₨20,000,000.00 per gallon',
    'Hill '.repeat(24),
  ],
  ['of mark-up', '<span size="9">&amp;', '</span>', '<b>&'],
  ['in other scripts', 'Огурцы Τομάτες 西红柿 فلفل 👩‍🌾', '₨1.00 per lb', 'Żółta Farma'],
  ['of nothing', '', ' ', '\u0000\n'],
])('draws texts %s within the card', async (_, title, detail, from) => {
  const drawn = await drawCard({ picture: undefined, title, detail, from });
  expect(await sharp(drawn).metadata()).toMatchObject({ width: 1200, height: 630 });
});

/** Returns a card's title as a picture of dark ink, and where that begins and ends. */
async function inkOf(title: string, language = 'en') {
  const card = await withLanguageTag(language, () =>
    drawCard({ picture: undefined, title, detail: '', from: '' }),
  );
  // Beside the sign, below the name of the market.
  const side = { left: language === 'ur' ? 0 : 630, top: 110, width: 570, height: 520 };
  const flat = await sharp(card).extract(side).greyscale().threshold(128).png().toBuffer();
  const { data, info } = await sharp(flat)
    .trim({ background: '#ffffff', lineArt: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const start = -(info.trimOffsetLeft ?? 0);
  return { data, start, end: start + info.width, width: info.width };
}

it.each([
  ['Urdu', 'ٹماٹر', 'ٹمٹار'],
  ['Hebrew', 'עגבניה', 'עגבהני'],
  ['Hindi', 'टमाटर', 'टरमाट'],
  ['Chinese', '西红柿', '西柿红'],
  ['Greek', 'Τομάτα', 'Τομάατ'],
])('draws a title in %s by letters, not by boxes', async (_, title, otherwise) => {
  const [ink, other] = await Promise.all([inkOf(title), inkOf(otherwise)]);
  expect(ink.width).toBeGreaterThan(60);
  // Boxes and blanks are the same in any order.
  expect(ink.data.equals(other.data)).toBe(false);
});

it('draws nothing of what no font has', async () => {
  const [plain, withOthers] = await Promise.all([inkOf('ٹماٹر'), inkOf('ٹماٹر 👩‍🌾\u{10ffff}')]);
  expect(withOthers.data.equals(plain.data)).toBe(true);
});

it('begins at the right for readers who do', async () => {
  // 60 px from the picture, less what is free beside a letter.
  const left = await inkOf('Kale');
  expect(left.start).toBeGreaterThanOrEqual(60);
  expect(left.start).toBeLessThan(72);
  for (const title of ['Kale', 'ٹماٹر']) {
    const right = await inkOf(title, 'ur');
    expect(right.end).toBeLessThanOrEqual(510);
    expect(right.end).toBeGreaterThan(498);
  }
});
