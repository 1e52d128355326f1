import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, describe, expect, test } from 'vitest';
import { LABELS_MAX } from '#contract/ordering/picklist/constants';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { shortId } from '#contract/platform/http/constants';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { farmKey, PAPER_POINTS } from '../../platform/http/rate-limit.ts';
import type { Caller } from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';
import { createOrderFixture } from '../testing/fixture.ts';
import { initialsOf, labelsOf, labelsToPdf } from './label-pdf.ts';

// Prints and labels as PDF, read by a reader of PDFs.

const DAY = addDays(dayIn('UTC'), 3);

const fixture = await createOrderFixture();
const ann = await fixture.join('consumer', 'Ann Łąkowska');
const carrots = await fixture.createProduct(50, { name: 'Carrots at ₨5' });
const eggs = await fixture.createProduct(50, { name: 'Œufs', unit: 'dozen' });
const place = async () => {
  const { body } = await fixture.order(
    [
      { product: carrots, quantity: 2 },
      { product: eggs, quantity: 1 },
    ],
    {
      as: ann,
      over: { pickupDetails: { date: DAY, time: '10:00', location: 'Kővágó út 5' } },
    },
  );
  return (await fixture.changeStatus(body.data._id, 'accepted', fixture.farmer)).body.data;
};
const print = () =>
  fixture.call('POST', '/farm/picklist/prints', { as: fixture.farmer, body: { date: DAY } });
const order = await place();
await print();
await place();
const printId = (await print()).body.data._id;
afterAll(() => fixture.close());

const get = (path: string, as: Caller | null = fixture.farmer) =>
  fetch(`${fixture.url}/api/farm/picklist/${path}`, {
    headers: as ? { authorization: `Bearer ${as.token}` } : {},
  });

/** The text of each page of a PDF, with single spaces. */
async function read(file: Uint8Array): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(file));
  return text.map((page) => page.replace(/\s+/g, ' '));
}

async function pagesOf(path: string): Promise<string[]> {
  const response = await get(path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  expect(response.headers.get('cache-control')).toBe('no-store');
  return read(new Uint8Array(await response.arrayBuffer()));
}

describe('a print', () => {
  test('has number, day, goods and what changed, in letters of many languages', async () => {
    const [page = '', ...more] = await pagesOf(`prints/${printId}.pdf`);
    expect(more).toEqual([]);
    for (const words of [
      'Pick list',
      'Print 2',
      'Carrots at ₨5',
      '4 lb',
      '+2 lb',
      'Œufs',
      '2 dozen',
    ]) {
      expect(page).toContain(words);
    }
  });

  test('can contain the changes alone', async () => {
    const [page = ''] = await pagesOf(`prints/${printId}.pdf?changes=true`);
    expect(page).toContain('Changes since print 1');
    expect(page).toContain('+1 dozen');
  });
});

describe('labels', () => {
  const query = (over: Record<string, string> = {}) =>
    `labels.pdf?${new URLSearchParams({ date: DAY, format: 'avery_l7160', ...over })}`;

  test('of orders name the customer, the order and the place', async () => {
    const [page = ''] = await pagesOf(query());
    for (const words of [
      'Ann Łąkowska',
      `#${shortId(order._id)}`,
      '2 products',
      'Kővágó út 5',
      '10:00 AM',
    ]) {
      expect(page).toContain(words);
    }
  });

  test('of lines count them, on a roll one a page, with initials where wished', async () => {
    const pages = await pagesOf(query({ format: 'roll_62', per: 'line', names: 'initials' }));
    expect(pages).toHaveLength(4);
    const own = pages.filter((page) => page.includes(`#${shortId(order._id)}`));
    expect(own[0]).toContain('A. Ł.');
    expect(own[0]).toContain('1 of 2');
    expect(own[0]).toContain('2 lb Carrots');
    expect(own[1]).toContain('2 of 2');
    expect(own.join(' ')).not.toContain('Ann');
  });

  test.each([
    ['no paper', { format: '' }, 'Choose the paper of the labels.'],
    ['an unknown paper', { format: 'a5' }, 'Choose the paper of the labels.'],
    ['no day', { date: 'today' }, 'Enter a date as YYYY-MM-DD.'],
    ['a day without orders', { date: '2030-01-01' }, 'There are no accepted orders'],
  ] as [string, Record<string, string>, string][])(
    'with %s are refused',
    async (_, over, message) => {
      const response = await get(query(over));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ message: expect.stringContaining(message) });
    },
  );
});

describe('sheets of a day', () => {
  const sheet = (kind: string, over: Record<string, string> = {}) =>
    `sheets.pdf?${new URLSearchParams({ date: DAY, sheet: kind, ...over })}`;

  test.each(['packing_slips', 'loading_list'])('have the accepted orders: %s', async (kind) => {
    const pages = await pagesOf(sheet(kind));
    expect(pages.join(' ')).toContain('Ann Łąkowska');
    expect(pages.join(' ')).toContain('Kővágó út 5');
    expect(pages).toHaveLength(kind === 'packing_slips' ? 2 : 1);
  });

  test('of the driver have the deliveries, with address and telephone', async () => {
    expect((await get(sheet('run_sheet'))).status).toBe(400);
    await fixture.platform.db.user.update({ where: { id: ann.id }, data: { phone: '555 0199' } });
    await fixture.call('PUT', '/users/farmers/profile', {
      as: fixture.farmer,
      body: { farmName: 'Green Valley', description: 'Good soil.', acceptsDelivery: true },
    });
    const address = { street: '12 گلی نمبر 5', city: 'Lahore', state: 'Punjab', zipCode: '54000' };
    const { body, status } = await fixture.order([{ product: eggs, quantity: 1 }], {
      as: ann,
      over: {
        pickupDetails: undefined,
        deliveryDetails: { address, date: DAY, time: '12:00' },
        notes: 'Ring twice.',
      },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    await fixture.changeStatus(body.data._id, 'accepted', fixture.farmer);
    const [page = ''] = await pagesOf(sheet('run_sheet'));
    for (const words of [
      '1 delivery',
      '12:00 PM',
      'Ann Łąkowska',
      'Lahore, Punjab 54000',
      '555 0199',
      'Ring twice.',
    ]) {
      expect(page).toContain(words);
    }
    await fixture.changeStatus(body.data._id, 'cancelled', fixture.farmer, 'Sold out.');
  });

  test.each([
    ['nothing to print', { sheet: '' }, 'Choose what to print.'],
    ['no day', { date: 'today' }, 'Enter a date as YYYY-MM-DD.'],
    ['a day without orders', { date: '2030-01-01' }, 'There are no accepted orders on that day.'],
  ] as [string, Record<string, string>, string][])(
    'with %s are refused',
    async (_, over, words) => {
      const response = await get(sheet('loading_list', over));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ message: expect.stringContaining(words) });
    },
  );
});

test('files are for the farm alone', async () => {
  const packer = await hire(fixture, fixture.farmer, 'packer');
  const stranger = await fixture.join('farmer');
  const statusOf = async (path: string, as: Caller | null) => (await get(path, as)).status;
  const labels = `labels.pdf?date=${DAY}&format=roll_62`;
  const print = `prints/${printId}.pdf`;
  const sheets = `sheets.pdf?date=${DAY}&sheet=loading_list`;
  expect(await statusOf(print, packer)).toBe(200);
  expect(await statusOf(sheets, packer)).toBe(200);
  expect(await statusOf(sheets, stranger)).toBe(400);
  expect(await statusOf(labels, packer)).toBe(200);
  expect(await statusOf(print, stranger)).toBe(404);
  expect(await statusOf(labels, stranger)).toBe(400);
  for (const path of [print, labels, sheets]) {
    expect(await statusOf(path, null)).toBe(401);
    expect(await statusOf(path, fixture.consumer)).toBe(403);
    expect(await statusOf(path, fixture.admin)).toBe(403);
  }
  expect(await statusOf('prints/nothing.pdf', fixture.farmer)).toBe(404);
});

test('labels and rows of prints are counted, for everyone of a farm together', async () => {
  const packer = await hire(fixture, fixture.farmer, 'packer');
  const other = await fixture.join('farmer');
  const labels = (per: string) => `labels.pdf?date=${DAY}&format=roll_62&per=${per}`;
  const statusOf = async (path: string, as: Caller) => (await get(path, as)).status;
  const { redis, rateLimits, env } = fixture.platform;
  const key = farmKey(fixture.farmer.id);
  // Two are left, whatever the tests above have drawn.
  await redis.del(`${env.REDIS_PREFIX}:rate:paper:${key}`);
  await rateLimits('paper', [key], PAPER_POINTS * env.RATE_LIMIT_SCALE - 2);
  expect(await statusOf(labels('order'), packer)).toBe(200);
  expect(await statusOf(labels('line'), packer)).toBe(429);
  expect(await statusOf(`prints/${printId}.pdf`, fixture.farmer)).toBe(429);
  expect(await statusOf(labels('order'), other)).toBe(400);
});

test('names become initials', () => {
  expect(['Ann Lee', 'ann', '  Łucja  van Dam ', '王 伟'].map(initialsOf)).toEqual([
    'A. L.',
    'A.',
    'Ł. V. D.',
    '王. 伟.',
  ]);
});

test(`${LABELS_MAX} labels are made in pieces, between which others are answered`, async () => {
  const line = (lineId: string): PickOrder['lines'][number] => ({
    lineId,
    product: {
      _id: null,
      name: 'Carrots, orange and purple, of the upper field',
      unit: 'lb',
      image: null,
    },
    quantity: 2,
    orderedQuantity: 2,
    price: 1,
    estimate: 2,
    isFinal: true,
    total: 2,
    printed: 0,
  });
  const orders = Array.from(
    { length: LABELS_MAX / 4 },
    (_, index): PickOrder => ({
      _id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      status: 'accepted',
      version: 1,
      customer: { _id: '', name: `Customer of a long name ${index}` },
      notes: '',
      place: 'Gate',
      placeId: null,
      address: null,
      date: DAY,
      time: '10:00',
      packing: 'none',
      askedLineIds: [],
      changed: { sequence: 1, at: '2026-11-01T10:00:00.000Z', kind: 'status' },
      lines: ['a', 'b', 'c', 'd'].map(line),
    }),
  );
  const labels = labelsOf(orders, { per: 'line', names: 'full' }, 'https://farmgate.test');
  let turns = 0;
  const ticking = setInterval(() => turns++, 1);
  const chunks: Buffer[] = [];
  for await (const chunk of labelsToPdf(labels, 'roll_62', 'Labels')) chunks.push(chunk);
  clearInterval(ticking);
  // Each piece is a small part of the whole.
  expect(turns).toBeGreaterThan(20);
  const document = await getDocumentProxy(new Uint8Array(Buffer.concat(chunks)));
  expect(document.numPages).toBe(LABELS_MAX);
});
