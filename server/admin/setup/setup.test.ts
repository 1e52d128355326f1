import { afterEach, expect, it, vi } from 'vitest';
import { DEFAULT_MARKET, setMarket, theMarket } from '#contract/platform/market/constants';
import { until } from '../../../testing/until.ts';
import {
  makeCategory,
  productInput,
  startTestMarket,
  type TestMarket,
} from '../../testing/market.ts';
import { startUncached } from '../../testing/samples/uncached.ts';
import { createAdmin, NewAdmin } from './create-admin.ts';
import { printSetupLink, setupLink, setupToken } from './service.ts';
import { setUpInput } from './testing/input.ts';

let market: TestMarket;
afterEach(async () => {
  await market.close();
  setMarket(DEFAULT_MARKET);
});

const isNeeded = async () => (await market.get('/setup')).body.data.isNeeded;
const setUp = (over: Record<string, unknown> = {}) =>
  market.call('POST', '/setup', {
    body: setUpInput({ token: setupToken(market.env), ...over }),
  });

it('opens a market by the link: its name, money, zone, categories and first admin, at once', async () => {
  market = await startTestMarket();
  expect(await isNeeded()).toBe(true);
  const visitor = await market.connect();
  const received: string[] = [];
  visitor.on('market.updated', ({ data }) => received.push(data.name));

  const { status, body } = await setUp();
  expect([status, body.user.role, body.user.name]).toEqual([201, 'admin', 'Hanna']);
  const as = { id: body.user._id, role: 'admin' as const, email: '', name: '', token: body.token };
  expect((await market.get('/users', as)).status).toBe(200);
  expect(await isNeeded()).toBe(false);

  const settings = (await market.get('/market')).body.data;
  expect(settings).toMatchObject({
    name: 'Hill Market',
    currency: { code: 'EUR', sign: '€', decimals: 2, position: 'after' },
    timeZone: 'Europe/Berlin',
    locale: 'de-DE',
    units: ['kg', 'each'],
    // By the clock of its money, which several countries share.
    country: 'DE',
    unitSystem: 'metric',
    languages: ['en'],
  });
  expect(theMarket()).toEqual(settings);
  await until(() => received.includes('Hill Market'));
  const categories = (await market.get('/categories')).body.data;
  expect(categories.map(({ name }: { name: string }) => name)).toEqual([
    'Dairy & Eggs',
    'Vegetables',
  ]);
});

it('takes country, units and languages as they are chosen', async () => {
  market = await startTestMarket();
  const { market: settings } = setUpInput();
  const place = { country: 'US', unitSystem: 'metric', languages: ['ur', 'en'] };
  expect((await setUp({ market: { ...settings, ...place } })).status).toBe(201);
  expect((await market.get('/market')).body.data).toMatchObject(place);
  // The categories it begins with are in the first of them.
  const names = (await market.get('/categories')).body.data.map(
    ({ name }: { name: string }) => name,
  );
  expect(names.toSorted()).toEqual(['دودھ اور انڈے', 'سبزیاں']);
});

it('is done once: later ones are refused with that, whatever their token', async () => {
  market = await startTestMarket();
  expect((await setUp()).status).toBe(201);
  for (const over of [{}, { token: 'wrong' }]) {
    const { status, body } = await setUp(over);
    expect([status, body.code]).toEqual([409, 'ALREADY_SET_UP']);
  }
});

it('refuses another token and bad values with a sentence, and changes nothing', async () => {
  market = await startTestMarket();
  const other = setupToken({ JWT_SECRET: 'another secret of thirty-two characters' });
  for (const token of ['wrong', other, setupToken(market.env).toUpperCase()]) {
    expect((await setUp({ token })).status).toBe(403);
  }
  const input = setUpInput();
  const { currency } = input.market;
  for (const [path, over] of [
    ['market.name', { market: { ...input.market, name: ' ' } }],
    ['market.timeZone', { market: { ...input.market, timeZone: 'Mars/Base' } }],
    ['market.locale', { market: { ...input.market, locale: 'no such' } }],
    [
      'market.currency.code',
      { market: { ...input.market, currency: { ...currency, code: 'XYZ1' } } },
    ],
    ['market.currency.sign', { market: { ...input.market, currency: { ...currency, sign: '1' } } }],
    [
      'market.currency.decimals',
      { market: { ...input.market, currency: { ...currency, decimals: 4 } } },
    ],
    ['admin.password', { admin: { ...input.admin, password: 'short' } }],
    ['categories.0', { categories: ['space'] }],
  ] as const) {
    const { status, body } = await setUp(over);
    expect([status, body.errors?.[0].path]).toEqual([400, path]);
  }
  expect(await isNeeded()).toBe(true);
  expect((await market.get('/market')).body.data.name).toBe('Farmgate');
  expect(await market.platform.db.category.count()).toBe(0);
});

it('of two at once on two servers one wins, and the other changes nothing', async () => {
  market = await startTestMarket();
  const second = await startUncached(market.env);
  const send = async (url: string) => {
    const body = JSON.stringify(setUpInput({ token: setupToken(market.env) }));
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${url}/api/setup`, { method: 'POST', headers, body })).status;
  };
  const statuses = await Promise.all([market.url, second.url, market.url, second.url].map(send));
  expect(statuses.sort()).toEqual([201, 409, 409, 409]);
  const { db } = market.platform;
  expect(await db.user.count({ where: { role: 'admin' } })).toBe(1);
  expect(await db.category.count()).toBe(2);
  expect((await market.get('/market')).body.data.version).toBe(2);
  await second.close();
});

it('is over once the command line has made an admin, also at the same time', async () => {
  market = await startTestMarket();
  const made = createAdmin(
    market.platform.db,
    NewAdmin.parse({ email: 'ada@farmgate.test' }),
    'https://farm.example',
  );
  const [{ status }] = await Promise.all([setUp(), made]);
  expect([201, 409]).toContain(status);
  expect(await isNeeded()).toBe(false);
  expect((await setUp()).status).toBe(409);
});

it('works while Redis is away', async () => {
  market = await startTestMarket({ REDIS_URL: 'redis://127.0.0.1:1' });
  expect((await setUp()).status).toBe(201);
  expect(await isNeeded()).toBe(false);
  expect((await market.get('/market')).body.data.name).toBe('Hill Market');
});

it('keeps what was there before: accounts, categories of the same name, and the money of products', async () => {
  market = await startTestMarket();
  const farmer = await market.join('farmer');
  const { db } = market.platform;
  await db.category.create({ data: { name: 'VEGETABLES', nameKey: 'vegetables' } });
  const category = await makeCategory(market.platform, 'Other');
  await market.post('/products', farmer, productInput(category));

  await db.user.update({ where: { id: farmer.id }, data: { emailVerifiedAt: new Date() } });
  const admin = { name: 'Hanna', email: farmer.email.toUpperCase(), password: 'password123' };
  const money = await setUp();
  expect([money.status, money.body.code]).toEqual([409, 'CURRENCY_IN_USE']);
  const { currency } = DEFAULT_MARKET;
  const kept = { ...setUpInput().market, currency };
  const taken = await setUp({ market: kept, admin });
  expect([taken.status, taken.body.code]).toEqual([409, 'EMAIL_TAKEN']);
  expect((await setUp({ market: kept })).status).toBe(201);
  const names = (await market.get('/categories')).body.data.map(
    ({ name }: { name: string }) => name,
  );
  expect(names).toEqual(['Dairy & Eggs', 'Other', 'VEGETABLES']);
});

it('gives the admin an address that somebody registered with and never proved, and them their own', async () => {
  market = await startTestMarket();
  const taker = await market.join('farmer');
  const admin = { name: 'Hanna', email: taker.email, password: 'brand new' };
  const { status, body } = await setUp({ admin });
  expect([status, body.user.role, body.user.email]).toEqual([201, 'admin', taker.email]);
  const signIn = async (password: string) =>
    market.call('POST', '/auth/login', { body: { email: taker.email, password } });
  expect((await signIn('password123')).status).toBe(401);
  expect((await signIn('brand new')).body.user._id).toBe(body.user._id);
  const { body: me } = await market.get('/auth/me', taker);
  expect(me.user.email).toBe(`${taker.id}@unproven.invalid`);
  const change = { email: 'taker@farmgate.test', password: 'password123' };
  expect((await market.put('/auth/email', taker, change)).status).toBe(200);
  const names = { name: 'X', email: `${taker.id}@unproven.invalid`, password: 'password123' };
  expect((await market.call('POST', '/auth/register', { body: names })).status).toBe(400);
});

it("gives the command line's first admin such an address, and later ones only a free one", async () => {
  market = await startTestMarket();
  const { db } = market.platform;
  const create = (email: string) =>
    createAdmin(db, NewAdmin.parse({ email, password: 'password123' }), 'https://farm.example');
  const [first, second] = [await market.join('consumer'), await market.join('consumer')];
  await create(first.email);
  const admin = await db.user.findUniqueOrThrow({ where: { email: first.email } });
  expect(admin.role).toBe('admin');
  await expect(create(second.email)).rejects.toThrow(/account of a consumer/);
});

it('the link is printed while there is no admin, and to the console alone', async () => {
  market = await startTestMarket();
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await printSetupLink(market.platform);
    expect(printed.mock.calls.flat().join('')).toContain(setupLink(market.env));
    expect(new URL(setupLink(market.env)).hash).toMatch(/^#token=[\w-]{43}$/);
    printed.mockClear();
    await setUp();
    await printSetupLink(market.platform);
    expect(printed).not.toHaveBeenCalled();
  } finally {
    printed.mockRestore();
  }
});
