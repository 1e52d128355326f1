import { afterEach, describe, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { isRendered, MISSING, PAGES } from '#contract/edge/constants';
import type { FarmerDetail } from '#contract/farm/farmers/farmers';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { TEXTS } from '../../testing/samples/stored-texts.ts';
import { findPage } from './addresses.ts';
import type { Template } from './built.ts';
import { headOf, type PageData } from './head.ts';
import { writeDocument } from './serve.ts';

afterEach(() => setMarket(DEFAULT_MARKET));

const SITE = 'https://market.test';
const ID = '00000000-0000-4000-8000-000000000001';
const address = { street: '1 Mill Lane', city: 'Putney', state: 'VT', zipCode: '05346' };

const product: Product = {
  _id: ID,
  name: 'Pears',
  description: 'Ripe.',
  category: { _id: ID, name: 'Fruit' },
  price: 3.5,
  unit: 'lb',
  soldBy: 'unit',
  quantityAvailable: 40,
  images: ['/uploads/a.webp'],
  isOrganic: false,
  harvestDate: null,
  availableUntil: '2026-12-01',
  isActive: true,
  farmer: { _id: ID, name: 'Ada', farmName: 'Hill Farm', address },
  createdAt: '2026-11-01T08:00:00.000Z',
  version: 7,
};
const closed = { open: '', close: '' };
const farm: FarmerDetail = {
  farmer: {
    _id: ID,
    name: 'Ada',
    email: 'ada@farm.test',
    phone: '555-0100',
    address,
    createdAt: '2026-01-01T08:00:00.000Z',
  },
  profile: {
    farmName: 'Hill Farm',
    description: 'High up.',
    establishedYear: 1987,
    socialMedia: { facebook: 'https://facebook.com/hill', instagram: '', twitter: '' },
    farmingPractices: [],
    businessHours: {
      monday: closed,
      tuesday: { open: '08:00', close: '12:30' },
      wednesday: closed,
      thursday: closed,
      friday: closed,
      saturday: { open: '09:00', close: '' },
      sunday: closed,
    },
    acceptsPickup: true,
    acceptsDelivery: false,
    deliveryRadius: null,
    photo: null,
    cover: '/uploads/c.webp',
    version: 3,
    timeZone: 'UTC',
  },
};

function headAt(path: string, data: PageData = {}) {
  const { pathname, searchParams } = new URL(path, SITE);
  const page = findPage(pathname, searchParams);
  if (!page) throw new Error(`${path} is no page`);
  return headOf(page, data, SITE);
}

const template: Template = {
  start: '<html lang="en">',
  middle: '',
  end: '</div>',
  filesOf: () => [],
};
const write = (path: string, data: PageData) =>
  writeDocument(template, {
    route: path,
    html: '',
    dehydrated: data,
    head: headAt(path, data),
    isRefused: false,
  });

/** Returns a text as a browser reads it from HTML. */
const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

it('describes a product in full to search engines', () => {
  const head = headAt(`/products/${ID}`, { product });
  expect(head).toMatchObject({
    title: 'Pears · Farmgate',
    shareTitle: 'Pears, ₨3.50 per lb',
    description: '₨3.50 per lb from Hill Farm. Ripe.',
    canonical: `${SITE}/products/${ID}`,
    image: { url: `${SITE}/cards/product/${ID}.jpg?v=7`, width: 1200, height: 630 },
    isIndexed: true,
  });
  expect(head.structured).toMatchObject([
    {
      '@type': 'Product',
      image: [`${SITE}/uploads/a.webp`],
      offers: {
        price: '3.50',
        priceCurrency: 'PKR',
        availability: 'https://schema.org/InStock',
        priceValidUntil: '2026-12-01',
        seller: { name: 'Hill Farm' },
      },
    },
    {
      '@type': 'BreadcrumbList',
      itemListElement: [
        { position: 1, name: 'Farmgate' },
        { position: 2, name: 'Products' },
        { position: 3, name: 'Fruit', item: `${SITE}/products?category=${ID}` },
        { position: 4, name: 'Pears' },
      ],
    },
  ]);
  const soldOut = headAt(`/products/${ID}`, { product: { ...product, quantityAvailable: 0 } });
  expect(soldOut.structured[0]).toMatchObject({
    offers: { availability: 'https://schema.org/OutOfStock' },
  });
});

/** What search engines read of a product's offers. */
const offersOf = (over: Partial<Product>) =>
  Object(headAt(`/products/${ID}`, { product: { ...product, ...over } }).structured[0]).offers;

it('tells search engines what a product costs per kilogram, as its page does', () => {
  expect(offersOf({})).toEqual({
    '@type': 'Offer',
    url: `${SITE}/products/${ID}`,
    price: '3.50',
    priceCurrency: 'PKR',
    priceSpecification: {
      '@type': 'UnitPriceSpecification',
      price: '7.72',
      priceCurrency: 'PKR',
      referenceQuantity: { '@type': 'QuantitativeValue', value: 1, unitCode: 'KGM' },
    },
    availability: 'https://schema.org/InStock',
    priceValidUntil: '2026-12-01',
    seller: { '@type': 'Organization', name: 'Hill Farm', url: `${SITE}/farmers/${ID}` },
  });
  expect(offersOf({ unit: 'kg' })).not.toHaveProperty('priceSpecification');
  expect(offersOf({ unit: 'each', net: { amount: 500, unit: 'ml' } })).toMatchObject({
    priceSpecification: { price: '7.00', referenceQuantity: { unitCode: 'LTR' } },
  });
  setMarket({ ...DEFAULT_MARKET, unitSystem: 'us' });
  expect(offersOf({ unit: 'gallon' })).toMatchObject({
    price: '3.50',
    priceSpecification: { price: '0.88', referenceQuantity: { unitCode: 'QT' } },
  });
});

it('offers to search engines each size that is on, and says from what price on', () => {
  const size = (label: string, content: number, price: number, isActive = true) => ({
    ...{ _id: `${ID.slice(0, -1)}${content}`, label, content, price, isActive },
  });
  const sizes = [size('1 kg', 1, 5), size('2 kg', 2, 9), size('5 kg', 5, 20), size('8 kg', 8, 2)];
  const inSizes = {
    ...{ unit: 'kg' as const, price: 5, quantityAvailable: 4.5, sku: 'PEAR' },
    sizes: sizes.map((each) =>
      each.content === 8 ? { ...each, isActive: false } : { ...each, sku: `PEAR-${each.content}` },
    ),
  };
  const common = {
    '@type': 'Offer',
    ...{ url: `${SITE}/products/${ID}`, priceCurrency: 'PKR', priceValidUntil: '2026-12-01' },
    seller: { '@type': 'Organization', name: 'Hill Farm', url: `${SITE}/farmers/${ID}` },
    availability: 'https://schema.org/InStock',
  };
  const perKg = (price: string) => ({
    '@type': 'UnitPriceSpecification',
    ...{ price, priceCurrency: 'PKR' },
    referenceQuantity: { '@type': 'QuantitativeValue', value: 1, unitCode: 'KGM' },
  });
  const availability = 'https://schema.org/OutOfStock';
  expect(offersOf(inSizes)).toEqual({
    '@type': 'AggregateOffer',
    ...{ lowPrice: '5.00', highPrice: '20.00', priceCurrency: 'PKR', offerCount: 3 },
    offers: [
      { ...common, name: '1 kg', sku: 'PEAR-1', price: '5.00' },
      { ...common, name: '2 kg', sku: 'PEAR-2', price: '9.00', priceSpecification: perKg('4.50') },
      {
        ...{ ...common, name: '5 kg', sku: 'PEAR-5', price: '20.00' },
        ...{ priceSpecification: perKg('4.00'), availability },
      },
    ],
  });
  const head = headAt(`/products/${ID}`, { product: { ...product, ...inSizes } });
  expect(head).toMatchObject({
    shareTitle: 'Pears, from ₨5.00',
    description: 'From ₨5.00 at Hill Farm. Ripe.',
  });
  expect(head.structured[0]).toMatchObject({ sku: 'PEAR' });
});

it('has what is always available in stock, and names a price by the words of a farm', () => {
  const jars = {
    ...{ unit: 'each' as const, unitLabel: { one: 'jar', other: 'jars' } },
    ...{ availability: 'always' as const, quantityAvailable: 1_000_000 },
  };
  expect(offersOf(jars)).toMatchObject({ availability: 'https://schema.org/InStock' });
  expect(headAt(`/products/${ID}`, { product: { ...product, ...jars } })).toMatchObject({
    shareTitle: 'Pears, ₨3.50 per jar',
  });
});

it('describes a farm in full to search engines', () => {
  const head = headAt(`/farmers/${ID}`, { farm });
  expect(head).toMatchObject({
    title: 'Hill Farm · Farmgate',
    shareTitle: 'Hill Farm, Putney, VT',
  });
  expect(head.structured[0]).toEqual({
    '@type': 'LocalBusiness',
    name: 'Hill Farm',
    url: `${SITE}/farmers/${ID}`,
    description: 'High up.',
    image: `${SITE}/uploads/c.webp`,
    telephone: '555-0100',
    email: 'ada@farm.test',
    foundingDate: '1987',
    address: {
      '@type': 'PostalAddress',
      streetAddress: '1 Mill Lane',
      addressLocality: 'Putney',
      addressRegion: 'VT',
      postalCode: '05346',
      addressCountry: 'PK',
    },
    sameAs: ['https://facebook.com/hill'],
    openingHoursSpecification: [
      {
        '@type': 'OpeningHoursSpecification',
        dayOfWeek: 'Tuesday',
        opens: '08:00',
        closes: '12:30',
      },
    ],
  });
});

it('tells search engines where a farm is, and where and when one can pick up', () => {
  const position = { latitude: 33.7, longitude: 73.1 };
  const geo = { '@type': 'GeoCoordinates', ...position };
  const place = {
    _id: ID,
    name: 'Red gate',
    address: { ...address, city: 'Islamabad' },
    ...{ directions: 'By the oak.', phone: '' },
    openings: [{ days: ['tuesday' as const, 'friday' as const], open: '16:00', close: '18:00' }],
  };
  const { structured } = headAt(`/farmers/${ID}`, {
    farm: {
      ...farm,
      profile: { ...farm.profile, position },
      places: [
        { ...place, position },
        { ...place, name: 'Stall', position: null },
      ],
    },
  });
  const found = {
    '@type': 'Place',
    name: 'Red gate',
    address: expect.objectContaining({ addressLocality: 'Islamabad', addressCountry: 'PK' }),
    geo,
    openingHoursSpecification: [
      {
        '@type': 'OpeningHoursSpecification',
        dayOfWeek: ['Tuesday', 'Friday'],
        ...{ opens: '16:00', closes: '18:00' },
      },
    ],
  };
  const { geo: _, ...unlocated } = found;
  expect(structured[0]).toMatchObject({ geo, location: [found, { ...unlocated, name: 'Stall' }] });
});

it('says on which days a farm is closed, and when all day or until midnight it is open', () => {
  const business = {
    ...farm.profile.businessHours,
    friday: { open: '18:00', close: '00:00' },
    sunday: { open: '06:00', close: '06:00' },
  };
  const head = headAt(`/farmers/${ID}`, {
    farm: {
      ...farm,
      profile: { ...farm.profile, businessHours: business },
      handoff: {
        pickup: true,
        delivery: false,
        deliveryRadius: null,
        openings: [],
        closedDays: ['2026-12-24', '2026-12-25', '2026-12-31'],
      },
    },
  });
  const hours = { '@type': 'OpeningHoursSpecification' };
  const closed = { ...hours, opens: '00:00', closes: '00:00' };
  expect(head.structured[0]).toMatchObject({
    openingHoursSpecification: [
      { ...hours, dayOfWeek: 'Tuesday', opens: '08:00', closes: '12:30' },
      { ...hours, dayOfWeek: 'Friday', opens: '18:00', closes: '00:00' },
      { ...hours, dayOfWeek: 'Sunday', opens: '00:00', closes: '23:59' },
    ],
    specialOpeningHoursSpecification: [
      { ...closed, validFrom: '2026-12-24', validThrough: '2026-12-25' },
      { ...closed, validFrom: '2026-12-31', validThrough: '2026-12-31' },
    ],
  });
});

it.each([
  ['/products', '/products', true],
  ['/products?sort=price-asc&filters=open', '/products', true],
  [`/products?category=${ID}&cursor=abc&sort=newest`, `/products?category=${ID}&cursor=abc`, true],
  [`/products?category=${ID.toUpperCase()}`, `/products?category=${ID}`, true],
  ['/products?category=gone', '/products', false],
  ['/products?search=pears&cursor=abc', '/products?cursor=abc', false],
  ['/products?organic=true', '/products', false],
  ['/farmers/', '/farmers', true],
  ['/farmers?search=hill', '/farmers', false],
])('names the one address of %s', (path, canonical, isIndexed) => {
  const categories = [{ _id: ID, name: 'Fruit', description: 'Sweet.', icon: '' }];
  expect(headAt(path, { categories })).toMatchObject({ canonical: SITE + canonical, isIndexed });
});

it('leaves out what is not there', () => {
  expect(headAt(`/products/${ID}`)).toMatchObject({
    title: 'Product · Farmgate',
    isIndexed: false,
  });
  expect(headAt(`/farmers/${ID}`)).toMatchObject({ title: 'Farmer · Farmgate', isIndexed: false });
});

it('cuts a long description after a word', () => {
  const description = `${'Sweet pears '.repeat(40)}end`;
  const head = headAt(`/products/${ID}`, { product: { ...product, description } });
  expect(head.description.length).toBeLessThanOrEqual(160);
  expect(head.description).toMatch(/(Sweet|pears)…$/);
});

describe.each(TEXTS)('%s in a stored text', (_, text) => {
  it('is written to the letter, and is no mark-up', () => {
    const odd = {
      ...product,
      name: text,
      description: text,
      category: { _id: ID, name: text },
      farmer: { ...product.farmer, farmName: text },
    };
    setMarket({
      ...DEFAULT_MARKET,
      announcement: { text, endsAt: null, announcedAt: '2026-11-20T08:00:00.000Z' },
    });
    const html = write(`/products/${ID}`, { product: odd });
    expect(unescaped(/<title>(.*?)<\/title>/s.exec(html)?.[1] ?? '')).toBe(`${text} · Farmgate`);
    const shared = /<meta property="og:title" content="([^"]*)">/.exec(html)?.[1] ?? '';
    // A name of the other direction is set apart.
    expect(unescaped(shared).replace(/^\u2068|\u2069(?=, )/g, '')).toBe(`${text}, ₨3.50 per lb`);
    const blocks = Array.from(
      html.matchAll(/<script type="application\/(?:ld\+)?json"[^>]*>(.*?)<\/script>/gs),
      ([, json = '']) => JSON.parse(json),
    );
    expect(blocks).toHaveLength(3);
    expect(blocks[0]).toMatchObject({ name: text, description: text, brand: { name: text } });
    expect(blocks[1].itemListElement[2].name).toBe(text);
    expect(blocks[2].product).toMatchObject({ name: text });
    expect(html).toContain(' data-announcement="2026-11-20T08:00:00.000Z" ');
    const elements = html.match(/<\/?[a-z]+/g) ?? [];
    const known = /^<\/?(html|meta|title|link|script|div)$/;
    expect(elements.filter((element) => !known.test(element))).toEqual([]);
  });
});

it('finds each page that it renders', () => {
  for (const page of PAGES) {
    const found = findPage(page[0].replace(/:\w+/, ID), new URLSearchParams())?.route;
    expect(found).toBe(isRendered(page) && page[0] !== MISSING ? page[0] : undefined);
  }
});
