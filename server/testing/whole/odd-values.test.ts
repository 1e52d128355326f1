// @long It asks each endpoint in many ways.

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ROLES } from '#contract/platform/http/constants';
import type { Role } from '#contract/platform/http/http';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../market.ts';

// Values at the edges of what numbers, dates and patterns can say: refused or taken, never a 500.

const own = {} as Record<Role, Caller>;

const market = closeAfter(await startTestMarket());
for (const role of ROLES) own[role] = await market.join(role);
const category = await makeCategory(market.platform);

/** A product's input with one field written as given, also where JSON.stringify would change it. */
const written = (field: string, literal: string): string => {
  const { [field]: _, ...rest } = productInput(category) as Record<string, unknown>;
  return JSON.stringify({ ...rest, FIELD: 0 }).replace('"FIELD":0', `"${field}":${literal}`);
};

describe('a price', () => {
  it.each([
    ['0.01', 0.01],
    ['0.1', 0.1],
    ['0.30', 0.3],
    ['1.1', 1.1],
    ['4.35', 4.35],
    ['1e2', 100],
    ['999999.99', 999_999.99],
    ['1000000', 1_000_000],
    ['19999999.99', 19_999_999.99],
    ['20000000', 20_000_000],
    ['2e7', 20_000_000],
  ])('of %s is taken and returned to the cent', async (literal, price) => {
    const { status, body } = await market.post('/products', own.farmer, written('price', literal));
    expect(status).toBe(201);
    expect(body.data.price).toBe(price);
    const { priceMinor } = await market.platform.db.product.findUniqueOrThrow({
      where: { id: body.data._id },
    });
    expect(priceMinor).toBe(Math.round(price * 100));
  });

  it.each([
    '1e-9',
    '1e-320',
    '5e-324',
    '0.005',
    '0.001',
    '0.0049999999',
    '1.005',
    '0.30000000000000004',
    '1.0000001',
    '999999.999',
    '999999.9900001',
    '0',
    '-0',
    '-0.01',
    '20000000.01',
    '1e21',
    '1e308',
    '1e400',
    '-1e400',
    '"2.50"',
    'null',
    'true',
    '[2]',
    '{}',
  ])('of %s is refused', async (literal) => {
    const body = written('price', literal);
    const created = await market.post('/products', own.farmer, body);
    expect(created.status).toBe(400);
    expect(created.body.errors[0].path).toBe('price');
    const { body: product } = await market.post('/products', own.farmer, productInput(category));
    const changed = await market.put(
      `/products/${product.data._id}`,
      own.farmer,
      `{"price":${literal}}`,
    );
    expect(changed.status).toBe(400);
  });
});

describe('other numbers and days', () => {
  it.each([
    ['quantityAvailable', '1e9'],
    ['quantityAvailable', '1.5'],
    ['quantityAvailable', '1e-9'],
    ['quantityAvailable', '1e400'],
    ['step', '0'],
    ['step', '-0'],
    ['step', '0.0005'],
    ['step', '0.30000000000000004'],
    ['step', '1000.001'],
    ['step', '1e21'],
    ['step', '"0,5"'],
    ['step', '"1e3"'],
    // The stock is 50.
    ['step', '7'],
    ['minimum', '-1'],
    ['minimum', '2.5'],
    ['minimum', '1000001'],
    ['minimum', '"3"'],
    ['quantityAvailable', '-1'],
    ['quantityAvailable', '"5"'],
    ['harvestDate', '"0000-01-01"'],
    ['harvestDate', '"2024-02-30"'],
    ['harvestDate', '"+275760-09-13"'],
    ['harvestDate', '"infinity"'],
    ['availableUntil', '"0044-03-15 BC"'],
    ['availableUntil', '"-0001-01-01"'],
    ['availableUntil', '20240101'],
  ])('%s of %s is refused', async (field, literal) => {
    const body = written(field, literal);
    const { status } = await market.post('/products', own.farmer, body);
    expect(status).toBe(400);
  });

  it.each([
    ['quantityAvailable', '-0'],
    ['quantityAvailable', '1e6'],
    ['step', 'null'],
    ['step', '0.002'],
    ['step', '5e-1'],
    ['minimum', 'null'],
    ['minimum', '1e6'],
    ['availableUntil', '"2999-12-31"'],
    ['harvestDate', '"1900-01-01"'],
    ['harvestDate', '"2024-02-29"'],
  ])('%s of %s is taken', async (field, literal) => {
    const body = written(field, literal);
    const { status } = await market.post('/products', own.farmer, body);
    expect(status).toBe(201);
  });

  it.each([
    ['establishedYear', '1e20', 400],
    ['establishedYear', '-1e400', 400],
    ['establishedYear', '1999.5', 400],
    ['deliveryRadius', '1e308', 400],
    ['deliveryRadius', '1e400', 400],
    ['deliveryRadius', '5e-324', 200],
    ['deliveryRadius', '-0', 200],
    ['deliveryRadius', '9999.999999999', 200],
  ])('of a farm: %s of %s answers %i', async (field, literal, status) => {
    const body = `{"farmName":"Green Valley","description":"Good soil.","${field}":${literal}}`;
    const answer = await market.put('/users/farmers/profile', own.farmer, body);
    expect(answer.status).toBe(status);
  });

  it.each(['0000-01-01', '2024-02-30', '9999-12-31', '+275760-09-13', '1900-01-01'])(
    'rejects an order for the day %s without a 5xx',
    async (date) => {
      const { body } = await market.post('/products', own.farmer, productInput(category));
      const input = orderInput(own.farmer.id, [{ product: body.data._id, quantity: 1 }], {
        pickupDetails: { date, time: '10:00', location: 'Farm gate' },
      });
      const answer = await market.post('/orders', own.consumer, input);
      expect(answer.status).toBe(400);
    },
  );

  it.each(['1e-9', '0.1', '1e400', '1e21', '-1', '"2.5"'])(
    'rejects an order with the price %s without a 5xx',
    async (price) => {
      const { body } = await market.post('/products', own.farmer, productInput(category));
      const item = { product: body.data._id, quantity: 1, price: 7 };
      const input = JSON.stringify(orderInput(own.farmer.id, [item])).replace(
        '"price":7',
        `"price":${price}`,
      );
      const answer = await market.post('/orders', own.consumer, input);
      expect([400, 409]).toContain(answer.status);
    },
  );
});

describe('a cursor', () => {
  const pack = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const id = randomUUID();
  const TIMES = [
    '0000-01-01T00:00:00.000Z',
    '-000001-01-01T00:00:00.000Z',
    '+275760-09-13T00:00:00.000Z',
    '+300000-01-01T00:00:00.000Z',
    '0044-03-15 BC',
    'infinity',
    '-infinity',
    'now',
    'epoch',
    '2024-02-30T00:00:00.000Z',
    '2024-01-01T25:00:00.000Z',
    `2024-01-01T00:00:00.${'1'.repeat(90)}Z`,
    '2024-01-01T00:00:00.000+99:00',
    '2024-01-01',
    '',
  ];
  const CURSORS = [
    ...TIMES.flatMap((at) => [
      [at, id],
      ['newest', at, id],
      [at, `user.registered:${id}`],
    ]),
    ['2024-01-01T00:00:00.000Z', 'no id'],
    ['2024-01-01T00:00:00.000Z', 'a\u0000b'],
    ['2024-01-01T00:00:00.000Z'],
    ['2024-01-01T00:00:00.000Z', id, id],
    ['newest', '2024-01-01T00:00:00.000Z', 'no id'],
    ['price-asc', 1e20, id],
    ['price-asc', 1.5, id],
    ['price-asc', '100', id],
    ['a\u0000b', id],
    ['\ud800', id],
    [null, id],
    [],
    {},
    null,
    1,
    'text',
    { length: 2, 0: 'a', 1: id },
  ].map(pack);
  const RAW = ['x', '%00', '____', 'eyJ', 'W10', '%F0%9F%A5%95', 'A'.repeat(200), 'A'.repeat(5000)];

  const LISTS: [string, Role | undefined][] = [
    ['/products', undefined],
    ['/products?sort=price-asc', undefined],
    ['/products?sort=price-desc&search=carrot', undefined],
    ['/products/farmer/me', 'farmer'],
    ['/users/farmers', undefined],
    ['/categories', undefined],
    ['/orders/consumer', 'consumer'],
    ['/orders/farmer', 'farmer'],
    ['/orders', 'admin'],
    ['/users', 'admin'],
    ['/messages', 'consumer'],
    ['/notifications', 'consumer'],
    ['/admin/feed', 'admin'],
    ['/admin/audit', 'admin'],
  ];

  it.each(LISTS)('of another list is rejected by %s or returns a page', async (path, role) => {
    for (const cursor of [...CURSORS, ...RAW]) {
      const address = `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`;
      const { status } = await market.get(address, role && own[role]);
      expect([200, 400], address).toContain(status);
    }
  });

  it.each(LISTS)('with an invalid time is rejected by %s', async (path, role) => {
    if (path === '/users/farmers' || path === '/categories') return;
    for (const at of TIMES) {
      for (const cursor of [
        [at, id],
        ['newest', at, id],
        [at, `user.registered:${id}`],
      ]) {
        const address = `${path}${path.includes('?') ? '&' : '?'}cursor=${pack(cursor)}`;
        const { status } = await market.get(address, role && own[role]);
        expect(status, `${path} ${JSON.stringify(cursor)}`).toBe(400);
      }
    }
  });

  it('is accepted at the earliest and the latest valid time', async () => {
    for (const [at, some] of [
      ['0001-01-01T00:00:00.000Z', false],
      ['9999-12-31T23:59:59.999Z', true],
    ] as const) {
      for (const [path, cursor] of [
        ['/users', [at, id]],
        ['/admin/feed', [at, `user.registered:${id}`]],
        ['/products', ['newest', at, id]],
      ] as const) {
        const address = `${path}?cursor=${pack(cursor)}`;
        const { status, body } = await market.get(address, own.admin);
        expect([path, status, body.count > 0]).toEqual([path, 200, some]);
      }
    }
  });
});

describe('a search', () => {
  const search = async (path: string, text: string, as?: Caller) =>
    (await market.get(`${path}search=${encodeURIComponent(text)}&limit=200`, as)).body
      .count as number;

  // What folds to a wildcard must mean itself as the wildcard does: nothing here holds one.
  it.each([
    '％',
    '＿',
    '﹪',
    '1％',
    '＿＿',
    'c％t',
    'c＿rrots',
    '＼',
    '﹨',
    '＼％',
    '%',
    '_',
    '\\',
  ])('for %s matches it literally', async (text) => {
    await market.post('/products', own.farmer, productInput(category));
    expect(await search('/products?', text)).toBe(0);
    expect(await search(`/products?farmer=${own.farmer.id}&`, text)).toBe(0);
    expect(await search('/products/farmer/me?', text, own.farmer)).toBe(0);
    expect(await search('/products?', `${text} carrots`)).toBe(0);
    expect(await search('/users/farmers?', text)).toBe(0);
    expect(await search('/orders?', text, own.admin)).toBe(0);
    expect(await search('/users?', text, own.admin)).toBe(0);
  });

  it('finds wildcards literally, in full width and half width', async () => {
    const farm = await market.join('farmer');
    const profile = { farmName: 'Half ＼ 50％ _ Farm', description: 'Good soil.' };
    await market.put('/users/farmers/profile', farm, profile);
    const body = productInput(category, { name: '100％ juice A＿B C\\D' });
    await market.post('/products', farm, body);
    for (const text of ['100%', '100％', '１００％ juice', 'a_b', 'A＿B', 'c\\d', 'C＼D', '\\']) {
      expect([text, await search('/products?', text)]).toEqual([text, 1]);
    }
    for (const text of ['50%', '50％', '_ farm', '＿', '\\', '＼']) {
      expect([text, await search('/users/farmers?', text)]).toEqual([text, 1]);
    }
  });
});
