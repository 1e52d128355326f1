import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Market, type SentMarket, theMarket } from '#contract/platform/market/constants';
import {
  type Answer,
  closeAfter,
  makeCategory,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { uploadPicture } from '../../testing/upload-picture.ts';

const market = closeAfter(await startTestMarket());
const admin = await market.join('admin');
const farmer = await market.join('farmer');

const read = async (): Promise<Market> => (await market.get('/market')).body.data;
const update = (body: unknown, as = admin): Promise<Answer> => market.put('/market', as, body);
const entries = () =>
  market.platform.db.auditEntry.findMany({ where: { action: 'market.updated' } });

/** Changes the currency in the database, as no call may while products have prices. */
const writeDecimals = (decimals: number) =>
  market.platform.pool.query('UPDATE market_settings SET currency_decimals = $1', [decimals]);

describe('a change of the settings', () => {
  it('takes where the people of the About page have their own pages', async () => {
    const teamLinks = ['https://maya.example', '', 'https://priya.example'];
    expect((await update({ teamLinks })).status).toBe(200);
    expect((await read()).teamLinks).toEqual(teamLinks);
    for (const wrong of [['javascript:alert(1)'], Array.from({ length: 6 }, () => '')])
      expect((await update({ teamLinks: wrong })).status).toBe(400);
    expect((await update({ teamLinks: [] })).status).toBe(200);
    expect(await read()).toHaveProperty('teamLinks', []);
  });

  it('takes what is given, and leaves the rest as it is', async () => {
    const before = await read();
    const { status, body } = await update({
      name: '  Hill Market ',
      contact: { phone: '01 42 68 53 00' },
      currency: { sign: 'Rs', position: 'after' },
      locale: 'EN-gb',
      units: ['g', 'kg', 'g'],
      weekStart: 6,
      unansweredMinutes: 45,
      approvesFarms: true,
    });
    const after = {
      ...before,
      name: 'Hill Market',
      contact: { ...before.contact, phone: '01 42 68 53 00' },
      currency: { ...before.currency, sign: 'Rs', position: 'after' },
      locale: 'en-GB',
      units: ['kg', 'g'],
      weekStart: 6,
      unansweredMinutes: 45,
      approvesFarms: true,
      version: before.version + 1,
    };
    expect([status, body.data]).toEqual([200, after]);
    expect([await read(), theMarket()]).toEqual([after, after]);
    expect((await entries()).at(-1)).toMatchObject({
      adminId: admin.id,
      detail: {
        name: 'Hill Market',
        fields: expect.arrayContaining(['name', 'contact', 'currency', 'locale', 'units']),
      },
    });
  });

  it('is published to everyone, once, and not at all where nothing changes', async () => {
    const visitor = await market.connect();
    const received: SentMarket[] = [];
    visitor.on('market.updated', ({ data }) => received.push(data));
    const body = { tagline: `Fresh ${randomUUID()}` };
    const [first] = await Promise.all([update(body), update(body), update(body)]);
    const before = await entries();
    expect((await update({ ...body, expectedVersion: 1 })).body.data).toEqual(await read());
    expect((await update({})).status).toBe(200);
    expect(await entries()).toEqual(before);
    // Comes after the others, so that whatever they published has arrived.
    const done = new Promise<void>((resolve) =>
      visitor.on('market.updated', ({ data }) => data.tagline === 'Done' && resolve()),
    );
    await update({ tagline: 'Done' });
    await done;
    expect(received.map(({ version }) => version)).toEqual([
      first?.body.data.version,
      first?.body.data.version + 1,
    ]);
  });

  it('that replaces another version than there is, is refused with the present settings', async () => {
    const { version } = await read();
    const [one, two] = await Promise.all([
      update({ name: 'One', expectedVersion: version }),
      update({ name: 'Two', expectedVersion: version }),
    ]);
    const [taken, refused] = one.status === 200 ? [one, two] : [two, one];
    expect([taken.status, refused.status, refused.body.code]).toEqual([
      200,
      409,
      'VERSION_CONFLICT',
    ]);
    expect(refused.body.data).toEqual(taken.body.data);
  });

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'Two\nlines' }],
    ['name', { name: 'x'.repeat(61) }],
    ['logo', { logo: 'https://example.org/logo.png' }],
    ['logo', { logo: `/uploads/${randomUUID()}.webp` }],
    ['contact.email', { contact: { email: 'nobody' } }],
    ['currency.code', { currency: { code: 'XYZ' } }],
    ['currency.sign', { currency: { sign: '' } }],
    ['currency.sign', { currency: { sign: 'R5' } }],
    ['currency.sign', { currency: { sign: '٣' } }],
    ['currency.sign', { currency: { sign: 'Rupees' } }],
    ['currency.decimals', { currency: { decimals: 4 } }],
    ['currency.decimals', { currency: { decimals: 1.5 } }],
    ['currency.decimals', { currency: { decimals: -1 } }],
    ['locale', { locale: 'xx-YY' }],
    ['locale', { locale: 'not a locale' }],
    ['locale', { locale: '' }],
    ['timeZone', { timeZone: 'Mars/Base' }],
    ['weekStart', { weekStart: 3 }],
    ['units', { units: [] }],
    ['units.0', { units: ['barrel'] }],
    ['unansweredMinutes', { unansweredMinutes: 0 }],
    ['unansweredMinutes', { unansweredMinutes: 10_081 }],
    ['approvesFarms', { approvesFarms: 'yes' }],
  ])('is refused at %s for %j', async (path, body) => {
    const before = await read();
    const { status, body: refusal } = await update(body);
    expect([status, refusal.errors?.[0]?.path]).toEqual([400, path]);
    expect(await read()).toEqual(before);
  });

  it('clears what may be empty', async () => {
    await update({ tagline: 'Fresh', contact: { address: '1 Mill Rd', email: 'HI@hill.test' } });
    expect((await read()).contact).toMatchObject({ address: '1 Mill Rd', email: 'hi@hill.test' });
    await update({ tagline: '', contact: { address: '', phone: '', email: ' ' } });
    expect(await read()).toMatchObject({
      tagline: '',
      contact: { address: '', phone: '', email: '' },
    });
  });

  it('of the time zone moves the farms that had it', async () => {
    await market.put('/users/farmers/profile', farmer, {
      farmName: 'Green Valley',
      description: 'Good soil.',
    });
    expect((await update({ timeZone: 'asia/karachi' })).body.data.timeZone).toBe('Asia/Karachi');
    const { body } = await market.get(`/users/farmers/${farmer.id}`);
    expect(body.data.profile.timeZone).toBe('Asia/Karachi');
  });

  it('of the logo takes a picture of the admin who sends it, and other admins keep it', async () => {
    const other = await market.join('admin');
    const uploaded = (await (await uploadPicture(market.url, admin)).json()) as {
      data: { url: string }[];
    };
    const logo = uploaded.data[0]?.url;
    expect((await update({ logo }, other)).body.errors?.[0]?.path).toBe('logo');
    expect((await update({ logo })).body.data.logo).toBe(logo);
    expect((await update({ logo, name: 'Kept' }, other)).body.data).toMatchObject({ logo });
    expect((await update({ logo: '' }, other)).body.data.logo).toBe('');
  });
});

describe('the units', () => {
  it('that are offered are those of new products; a product keeps its own', async () => {
    const category = await makeCategory(market.platform, 'Roots');
    const product = (over: Record<string, unknown>) =>
      market.post('/products', farmer, productInput(category, over));
    await update({ units: ['kg', 'bunch'] });
    const { body: made } = await product({ unit: 'bunch' });
    await update({ units: ['kg'] });
    expect((await product({ unit: 'bunch' })).body.errors?.[0]?.path).toBe('unit');
    const change = (body: unknown) => market.put(`/products/${made.data._id}`, farmer, body);
    expect((await change({ unit: 'bunch', price: 3 })).status).toBe(200);
    expect((await change({ unit: 'lb' })).body.errors?.[0]?.path).toBe('unit');
    expect((await change({ unit: 'kg' })).status).toBe(200);
    await market.delete(`/products/${made.data._id}`, farmer);
  });
});

describe('the currency', () => {
  it('is fixed while something has a price, but for its sign', async () => {
    const before = (await read()).currency;
    expect((await update({ currency: { code: 'KWD', decimals: 3 } })).status).toBe(200);
    const category = await makeCategory(market.platform, 'Dates');
    const body = productInput(category, { unit: 'kg', price: 1.125 });
    const { body: made } = await market.post('/products', farmer, body);
    expect(made.data.price).toBe(1.125);
    for (const currency of [{ code: 'PKR' }, { decimals: 2 }]) {
      const { status, body } = await update({ currency, name: 'Not taken' });
      expect([status, body.code]).toEqual([409, 'CURRENCY_IN_USE']);
    }
    expect((await read()).name).not.toBe('Not taken');
    const same = { code: 'kwd', decimals: 3, sign: 'KD', position: 'before' };
    expect((await update({ currency: same })).status).toBe(200);
    await market.delete(`/products/${made.data._id}`, farmer);
    expect((await update({ currency: before })).body.data.currency).toEqual(before);
  });

  it('is fixed by a product that is made at the same moment, or the product by it', async () => {
    const category = await makeCategory(market.platform, 'Herbs');
    for (let round = 0; round < 12; round++) {
      const decimals = round % 4;
      const [changed, made] = await Promise.all([
        update({ currency: { decimals } }),
        market.post('/products', farmer, productInput(category, { unit: 'kg', price: 7 })),
      ]);
      expect([200, 409]).toContain(changed.status);
      expect([201, 503]).toContain(made.status);
      const { rows } = await market.platform.pool.query(
        `SELECT price_minor / 10 ^ currency_decimals AS price FROM products, market_settings`,
      );
      expect(rows.every(({ price }) => Number(price) === 7)).toBe(true);
      await market.platform.pool.query('DELETE FROM products');
    }
  });

  it('of another process is waited for, so that no price is read by the wrong one', async () => {
    const { decimals } = theMarket().currency;
    onTestFinished(async () => {
      await writeDecimals(decimals);
    });
    await writeDecimals(decimals === 0 ? 2 : 0);
    const category = await makeCategory(market.platform, 'Mushrooms');
    const { status, headers } = await market.post(
      '/products',
      farmer,
      productInput(category, { unit: 'kg', price: 7 }),
    );
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
  });
});
