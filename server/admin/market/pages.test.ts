import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  DEFAULT_MARKET,
  MARKET_PAGES,
  type Market,
  type SentMarket,
  setMarket,
  theMarket,
} from '#contract/platform/market/constants';
import { until } from '../../../testing/until.ts';
import { type Caller, startTestMarket } from '../../testing/market.ts';
import { linkTo } from '../../testing/staff.ts';

const market = await startTestMarket();
const admin = await market.join('admin');
beforeEach(async () => {
  for (const slug of MARKET_PAGES) await remove(slug);
  await announce({ text: '' });
});
afterAll(async () => {
  await market.close();
  setMarket(DEFAULT_MARKET);
});

const read = (slug: string) => market.get(`/market/pages/${slug}`);
const save = (slug: string, body: unknown, as = admin) =>
  market.put(`/market/pages/${slug}`, as, body);
const remove = (slug: string, query = '') => market.delete(`/market/pages/${slug}${query}`, admin);
const announce = (body: unknown) => market.put('/market/announcement', admin, body);
const settings = async (): Promise<Market> => (await market.get('/market')).body.data;
const account = (over: Record<string, unknown> = {}) => ({
  name: 'Somebody',
  email: `${randomUUID()}@farmgate.test`,
  password: 'password123',
  ...over,
});
const register = (over?: Record<string, unknown>) =>
  market.call('POST', '/auth/register', { body: account(over) });

describe('the texts of the market', () => {
  it('are written, read by everybody, changed and taken away', async () => {
    expect((await read('help')).status).toBe(404);
    const text = { title: 'Help', body: '# Ask\n\n<script>alert(1)</script>' };
    const { status, body } = await save('help', text);
    expect([status, body.data]).toMatchObject([200, { slug: 'help', ...text, version: 1 }]);
    expect((await read('help')).body.data).toEqual(body.data);
    expect((await settings()).pages).toEqual(['help']);
    const changed = await save('help', { ...text, title: 'Questions' });
    expect(changed.body.data).toMatchObject({ title: 'Questions', version: 2 });
    expect((await read('help')).body.data.title).toBe('Questions');
    expect((await remove('help')).status).toBe(200);
    expect((await read('help')).status).toBe(404);
    expect((await settings()).pages).toEqual([]);
    expect((await remove('help')).status).toBe(404);
  });

  it('are written in each language, and read in another one where they are not', async () => {
    await market.put('/market', admin, { languages: ['en', 'ur', 'de'] });
    const read = async (slug: string, language: string) => {
      const { status, body } = await market.get(`/market/pages/${slug}?language=${language}`);
      return status === 200 ? [body.data.title, body.data.language] : status;
    };
    const write = (title: string, language?: string, expectedVersion?: number) =>
      save('help', { title, body: 'Text', language, expectedVersion });
    // One suffices.
    await write('مدد', 'ur');
    expect(await read('help', 'de')).toEqual(['مدد', 'ur']);
    expect(await read('help', 'en')).toEqual(['مدد', 'ur']);
    expect((await market.get('/market/pages/help')).body.data.languages).toEqual(['ur']);
    expect((await write('Help', undefined, 1)).body.data).toMatchObject({ version: 2 });
    expect(await read('help', 'de')).toEqual(['Help', 'en']);
    expect(await read('help', 'ur')).toEqual(['مدد', 'ur']);
    expect((await write('Hilfe', 'de', 1)).status).toBe(409);
    const { body } = await write('Hilfe', 'de', 2);
    expect(body.data).toMatchObject({ title: 'Hilfe', language: 'de', version: 3 });
    expect([...body.data.languages].sort()).toEqual(['de', 'en', 'ur']);
    expect(await read('help', 'xx')).toEqual(['Help', 'en']);
    expect((await write('Aide', 'xx')).body.errors?.[0]?.path).toMatch(/^language/);
    // Another first language of the market moves nothing.
    await market.put('/market', admin, { languages: ['de', 'en'] });
    expect((await market.get('/market/pages/help')).body.data.title).toBe('Hilfe');
    expect(await read('help', 'en')).toEqual(['Help', 'en']);

    expect((await remove('help')).status).toBe(200);
    expect(await read('help', 'de')).toEqual(['مدد', 'ur']);
    expect((await settings()).pages).toEqual(['help']);
    expect((await remove('help', '?language=de')).status).toBe(404);
    expect((await remove('help', '?language=ur')).status).toBe(200);
    expect((await remove('help', '?language=en')).status).toBe(200);
    expect(await read('help', 'en')).toBe(404);
    expect((await settings()).pages).toEqual([]);
    await market.put('/market', admin, { languages: ['en'] });
  });

  it('have these names alone, in this spelling', async () => {
    for (const slug of ['imprint', 'HELP', '..%2Fmarket', '%00']) {
      expect((await save(slug, { title: 'A', body: 'B' })).status, slug).toBe(404);
      expect((await read(slug)).status, slug).toBe(404);
    }
  });

  it.each([
    ['no title', { title: ' ', body: 'Text' }, 'title'],
    ['no text', { title: 'Help', body: ' \n ' }, 'body'],
    ['too long a text', { title: 'Help', body: 'x'.repeat(50_001) }, 'body'],
    ['a title of two lines', { title: 'Help\nme', body: 'Text' }, 'title'],
  ])('are refused with %s', async (_, body, path) => {
    const answer = await save('help', body);
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, path]);
  });

  it('of two admins who write at once the second gets a conflict', async () => {
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((title) =>
        save('privacy', { title, body: 'Text', expectedVersion: 0 }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ code: 'VERSION_CONFLICT', data: { version: 1 } });
    // Somebody who began before the page was taken away does not bring it back unknowingly.
    await remove('privacy');
    const late = await save('privacy', { title: 'One', body: 'More', expectedVersion: 1 });
    expect(late.status).toBe(409);
  });

  it('are published to everybody, and not when nothing changed', async () => {
    const visitor = await market.connect();
    const received: SentMarket[] = [];
    visitor.on('market.updated', ({ data }) => received.push(data));
    const text = { title: 'Help', body: 'Ask us.' };
    await save('help', text);
    await save('help', text);
    await save('about', text);
    await until(() => received.length === 2);
    expect(received.map(({ pages }) => pages)).toEqual([['help'], ['help', 'about']]);
    expect(received.map(({ version }) => version)).toEqual([
      (received[1]?.version ?? 0) - 1,
      theMarket().version,
    ]);
  });
});

/** Invites somebody to a farm. @returns the link's token */
async function invite(): Promise<string> {
  const farmer = await market.join('farmer');
  const { body } = await market.post('/farm/members', farmer, {
    email: account().email,
    role: 'packer',
  });
  return linkTo(market, body.data._id);
}

describe('consent', () => {
  it('is asked of new accounts once there are terms', async () => {
    expect((await register()).status).toBe(201);
    await save('terms', { title: 'Terms', body: 'Be kind.' });
    for (const acceptsTerms of [undefined, false]) {
      const { status, body } = await register({ acceptsTerms });
      expect([status, body.errors]).toEqual([
        400,
        [{ path: 'acceptsTerms', message: expect.stringContaining('agree to the terms') }],
      ]);
    }
    const { status, body } = await register({ acceptsTerms: true });
    expect(status).toBe(201);
    const row = await market.platform.db.user.findUniqueOrThrow({ where: { id: body.user._id } });
    expect(row.termsAcceptedAt).toBeInstanceOf(Date);
    await remove('terms');
    expect((await register()).status).toBe(201);
  });

  it('is asked of those who are invited to a farm too, but not of those who have an account', async () => {
    const token = await invite();
    await save('terms', { title: 'Terms', body: 'Be kind.' });
    const accept = (body: unknown, as?: Caller) =>
      market.post(`/invites/${token}/accept`, as, body);
    const { name, password } = account();
    const refused = await accept({ name, password });
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, 'acceptsTerms']);
    expect((await accept({ name, password, acceptsTerms: true })).status).toBe(200);

    await remove('terms');
    const known = await market.join('farmer');
    const other = await invite();
    await save('terms', { title: 'Terms', body: 'Be kind.' });
    const { status } = await market.post(`/invites/${other}/accept`, known, {});
    // The farmer has a farm of their own: that is what they read, not of terms.
    expect(status).toBe(409);
  });
});

describe('the announcement', () => {
  it('is published to everybody until it is taken away', async () => {
    const visitor = await market.connect();
    const received: Market['announcement'][] = [];
    visitor.on('market.updated', ({ data }) => received.push(data.announcement));
    const endsAt = new Date(Date.now() + 60_000).toISOString();
    const announcedAt = expect.any(String);
    expect((await announce({ text: ' Closed on Friday ', endsAt })).body.data.announcement).toEqual(
      {
        text: 'Closed on Friday',
        endsAt,
        announcedAt,
      },
    );
    await announce({ text: 'Closed on Friday', endsAt });
    await announce({ text: 'Open again' });
    await announce({ text: '' });
    await until(() => received.length === 3);
    expect(received).toEqual([
      { text: 'Closed on Friday', endsAt, announcedAt },
      { text: 'Open again', endsAt: null, announcedAt },
      null,
    ]);
    expect((await settings()).announcement).toBeNull();
  });

  it('is another one when the same text is announced again after it was taken away or has ended', async () => {
    const text = 'Closed on Friday';
    const announcedUntil = async (endsAt: string | null = null): Promise<string> =>
      (await announce({ text, endsAt })).body.data.announcement.announcedAt;
    const first = await announcedUntil();
    expect(await announcedUntil()).toBe(first);
    // It only lasts shorter.
    expect(await announcedUntil(new Date(Date.now() + 60_000).toISOString())).toBe(first);
    await announce({ text: '' });
    const second = await announcedUntil();
    expect(Date.parse(second)).toBeGreaterThan(Date.parse(first));
    await market.platform.db.marketSettings.update({
      where: { id: 1 },
      data: { announcementEndsAt: new Date(Date.now() - 1000) },
    });
    expect(Date.parse(await announcedUntil())).toBeGreaterThan(Date.parse(second));
  });

  it.each([
    ['an end that has passed', { text: 'Late', endsAt: '2020-01-01T00:00:00.000Z' }, 'endsAt'],
    ['an end that is none', { text: 'Late', endsAt: 'tomorrow' }, 'endsAt'],
    ['too many words', { text: 'x'.repeat(301) }, 'text'],
  ])('is refused with %s', async (_, body, path) => {
    const answer = await announce(body);
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, path]);
  });
});
