import { afterAll, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import type { Caller } from '../../testing/market.ts';
import { createOrderFixture } from '../testing/fixture.ts';

// How a farmer finds an order among those received: by words, by day, by time.

const orders: Record<string, Order> = {};

const dayFromNow = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const fixture = await createOrderFixture();
const ada = await fixture.join('consumer');
await fixture.platform.db.user.update({
  where: { id: ada.id },
  data: { name: 'Adá 100% Byron', phone: '+92 300 1234567' },
});
const [kale, plums] = [
  await fixture.createProduct(50, { name: 'Red Kale' }),
  await fixture.createProduct(50, { name: 'Plums' }),
];
const place = async (as: Caller, product: string, days: number, time: string) => {
  const pickupDetails = { date: dayFromNow(days), time, location: 'Gate' };
  const { body } = await fixture.order([{ product, quantity: 1 }], {
    as,
    over: { pickupDetails },
  });
  return body.data as Order;
};
orders.late = await place(fixture.consumer, kale, 3, '13:00');
orders.early = await place(ada, plums, 3, '08:00');
orders.noon = await place(fixture.consumer, plums, 3, '12:30');
orders.soon = await place(ada, kale, 2, '17:00');
afterAll(() => fixture.close());

async function found(query: string, as: Caller = fixture.farmer): Promise<string[]> {
  const { status, body } = await fixture.call('GET', `/orders/farmer?${query}`, { as });
  expect(status, JSON.stringify(body)).toBe(200);
  const names = new Map(Object.entries(orders).map(([name, { _id }]) => [_id, name]));
  return body.data.map(({ _id }: Order) => names.get(_id) ?? _id);
}

test.each([
  ['a customer', 'search=ada', ['soon', 'early']],
  ['a product, in any case', 'search=RED+kale', ['soon', 'late']],
  ['words in any order, without accents', 'search=byron+ada', ['soon', 'early']],
  ['words of one name alone', 'search=byron+kale', []],
  ['a phone number as it is dialled within the country', 'search=0300-1234', ['soon', 'early']],
  ['a phone number in other digits', 'search=۰۳۰۰۱۲۳۴', ['soon', 'early']],
  ['what looks like a pattern, as it is written', 'search=100%25+b', ['soon', 'early']],
  ['nothing by a pattern', 'search=k_le', []],
  ['words and a day', 'search=plums&date=DAY3', ['noon', 'early']],
  ['words and a status', 'search=plums&status=accepted', []],
  ['a day', 'date=DAY2', ['soon']],
  ['a day without orders', 'date=1999-01-01', []],
])('finds by %s', async (_, query, names) => {
  expect(await found(query.replace(/DAY(\d)/, (_match, days) => dayFromNow(Number(days))))).toEqual(
    names,
  );
});

test('finds an order by the start of its id, in any case', async () => {
  const start = (orders.noon?._id ?? '').slice(0, 8);
  expect(await found(`search=${start.toUpperCase()}`)).toContain('noon');
  expect(await found(`search=%23${start}`)).toContain('noon');
});

test('finds no orders of another farm, however they are called', async () => {
  const neighbour = await fixture.join('farmer');
  expect(await found('search=ada', neighbour)).toEqual([]);
  expect(await found('search=03001234567', neighbour)).toEqual([]);
  expect(await found(`search=${orders.noon?._id}`, neighbour)).toEqual([]);
});

test('sorts by day and time, page by page', async () => {
  expect(await found('sort=slot')).toEqual(['soon', 'early', 'noon', 'late']);
  const names: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = `sort=slot&limit=1&cursor=${cursor}`;
    const { body } = await fixture.call('GET', `/orders/farmer?${query}`, { as: fixture.farmer });
    names.push(...body.data.map(({ _id }: Order) => _id));
    cursor = body.nextCursor;
  }
  expect(names).toEqual(['soon', 'early', 'noon', 'late'].map((name) => orders[name]?._id));
});

test('sorts by day and time from a day on, page by page, with the days before at the end', async () => {
  const query = `sort=slot&firstDay=${dayFromNow(3)}`;
  expect(await found(query)).toEqual(['early', 'noon', 'late', 'soon']);
  const beyond = `sort=slot&firstDay=${dayFromNow(400)}`;
  expect(await found(beyond)).toEqual(['early', 'noon', 'late', 'soon']);
  for (const each of [query, beyond]) {
    const names: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const path: string = `/orders/farmer?${each}&limit=1&cursor=${cursor}`;
      const { body } = await fixture.call('GET', path, { as: fixture.farmer });
      names.push(...body.data.map(({ _id }: Order) => _id));
      cursor = body.nextCursor;
    }
    expect(names).toEqual((await found(each)).map((name) => orders[name]?._id));
  }
});

test('refuses days and cursors that are none, and a cursor of the other sort', async () => {
  const get = (query: string) =>
    fixture.call('GET', `/orders/farmer?${query}`, { as: fixture.farmer });
  const { body } = await get('limit=1');
  for (const query of [
    'date=tomorrow',
    'date=0000-01-01',
    'date=2026-02-30',
    'sort=price',
    'sort=slot&firstDay=someday',
    'sort=slot&firstDay=2026-02-30',
    `sort=slot&cursor=${body.nextCursor}`,
    `sort=slot&cursor=${Buffer.from('["slot","0000-01-01","08:00","x"]').toString('base64url')}`,
  ]) {
    expect((await get(query)).status, query).toBe(400);
  }
});
