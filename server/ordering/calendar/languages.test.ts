import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { addDays, dayIn } from '#contract/platform/time/constants';
import type { Caller } from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';
import { createOrderFixture } from '../testing/fixture.ts';

// What somebody takes along is in the language of their account: calendars and papers of three at once.

const fixture = await createOrderFixture();
afterAll(() => fixture.close());

const LANGUAGES = ['en', 'de', 'ur'] as const;
const DAY = addDays(dayIn('UTC'), 3);
let readers: Caller[];
let order: Order;

beforeAll(async () => {
  const admin = await fixture.join('admin');
  const { body } = await fixture.call('GET', '/market');
  const { version, announcement: _, pages: __, ...present } = body.data;
  const settings = { ...present, languages: LANGUAGES, expectedVersion: version };
  expect((await fixture.call('PUT', '/market', { as: admin, body: settings })).status).toBe(200);
  const { farmer } = fixture;
  readers = [
    farmer,
    await hire(fixture, farmer, 'manager'),
    await hire(fixture, farmer, 'manager'),
  ];
  await Promise.all(
    readers.map((as, nth) =>
      fixture.call('PUT', '/users/profile', { as, body: { language: LANGUAGES[nth] } }),
    ),
  );
  const product = await fixture.createProduct(9, { name: 'گاجر' });
  const placed = await fixture.order([{ product, quantity: 2 }], {
    over: { pickupDetails: { date: DAY, time: '10:00', location: 'Farm gate' } },
  });
  order = placed.body.data;
  await fixture.changeStatus(order._id, 'accepted', farmer);
});

/** Asks as each of them, at once, in a browser that prefers another language. */
const ofAll = <T>(ask: (as: Caller) => Promise<T>): Promise<T[]> => Promise.all(readers.map(ask));
const OTHER = { 'accept-language': 'fr, ur;q=0.5' };

const fieldIn = (file: string, name: string): string =>
  new RegExp(`^${name}:(.*)$`, 'm')
    .exec(file.replace(/\r\n[ \t]/g, ''))?.[1]
    ?.replace(/[\u2067-\u2069\r]/g, '') ?? '';

test('the calendar file of an order', async () => {
  const files = await ofAll(async (as) => {
    const path = `/orders/${order._id}/calendar`;
    return (await fixture.call('GET', path, { as, headers: OTHER })).body.data.content as string;
  });
  const [english = '', german = '', urdu = ''] = files.map((file) => fieldIn(file, 'SUMMARY'));
  expect(english).toMatch(/^Pick up at /);
  const farm = english.replace('Pick up at ', '');
  expect(german).toBe(`Abholung bei ${farm}`);
  expect(urdu).toBe(`${farm} سے خود وصولی`);
  expect(files.map((file) => fieldIn(file, 'DESCRIPTION').split(' ')[0])).toEqual([
    'Order',
    'Bestellung',
    'آرڈر',
  ]);
});

test('the calendar of a farm, whose program sends no language', async () => {
  const files = await ofAll(async (as) => {
    const { body } = await fixture.call('POST', '/farm/calendar', { as });
    const { pathname } = new URL(body.data.url);
    const ask = (headers: Record<string, string>) =>
      fetch(`${fixture.url}${pathname}`, { headers });
    const answer = await ask({});
    // It is another file once its reader has another language, and only then.
    const known = {
      'if-none-match': answer.headers.get('etag') ?? '',
      'cache-control': 'max-age=0',
    };
    expect((await ask(known)).status).toBe(304);
    return answer.text();
  });
  expect(files.map((file) => fieldIn(file, 'SUMMARY'))).toEqual([
    '1 pickup',
    '1 Abholung',
    '1 خود وصولی',
  ]);
});

test('papers', async () => {
  const pages = await ofAll(async ({ token }) => {
    const path = `/api/farm/picklist/sheets.pdf?date=${DAY}&sheet=loading_list`;
    const headers = { authorization: `Bearer ${token}`, ...OTHER };
    const response = await fetch(`${fixture.url}${path}`, { headers });
    expect(response.status).toBe(200);
    const pdf = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()));
    return (await extractText(pdf, { mergePages: true })).text.replace(/\s+/g, '');
  });
  const words = ['Loadinglist·', 'Ladeliste·', 'لوڈنگکیفہرست·'];
  for (const [nth, page] of pages.entries())
    expect(words.filter((each) => page.includes(each))).toEqual([words[nth]]);
});
