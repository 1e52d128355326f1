import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccountExport } from '#contract/account-export';
import { startLimitedMarket } from '../testing/limited-market.ts';
import {
  type Caller,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
  type TestMarket,
} from '../testing/market.ts';
import { hire } from '../testing/staff.ts';

let market: TestMarket;
let consumer: Caller;
let farmer: Caller;
beforeAll(async () => {
  market = await startTestMarket();
  [consumer, farmer] = [await market.join('consumer'), await market.join('farmer')];
  const category = await makeCategory(market.platform);
  const made = await market.call('POST', '/products', {
    as: farmer,
    body: productInput(category, { quantityAvailable: 1000 }),
  });
  const body = orderInput(farmer.id, [{ product: made.body.data._id, quantity: 1 }]);
  for (let number = 0; number < 3; number++) {
    await market.call('POST', '/orders', { as: consumer, body });
  }
  const write = (as: Caller, receiver: Caller, content: string) =>
    market.call('POST', '/messages', { as, body: { receiver: receiver.id, content } });
  await write(consumer, farmer, 'Are the carrots sweet?');
  await write(farmer, consumer, 'Very.');
});
afterAll(() => market.close());

const fetchExport = (as: Caller) => market.call('GET', '/users/me/export', { as });
const read = async (as: Caller) => AccountExport.parse((await fetchExport(as)).body);

it('is a file with everything about a buyer, and nothing about anybody else', async () => {
  const other = await market.join('consumer');
  const { status, headers, body } = await fetchExport(consumer);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="farmgate-my-data-\d{4}-\d{2}-\d{2}\.json"$/,
  );
  expect(headers.get('cache-control')).toBe('no-store');
  const whole = AccountExport.parse(body);
  expect(whole.account).toMatchObject({ _id: consumer.id, email: consumer.email });
  expect(whole.addresses).toHaveLength(1);
  expect(whole.sessions).toHaveLength(1);
  expect(whole.orders).toHaveLength(3);
  expect(whole.orders[0]?.timeline).toMatchObject([{ status: 'pending' }]);
  expect(whole.orders[0]?.items).toHaveLength(1);
  expect(whole.messages.map(({ content }) => content)).toEqual(['Very.', 'Are the carrots sweet?']);
  expect(whole.preferences['order.statusChanged']).toEqual({ email: true, push: true });
  expect(whole.farm).toBeNull();
  expect(JSON.stringify(body)).not.toContain(other.email);
  expect(JSON.stringify(body)).not.toMatch(/argon2|passwordHash|tokenVersion|p256dh/);
});

it('has the farm for its owners alone', async () => {
  const whole = await read(farmer);
  expect(whole.orders).toEqual([]);
  expect(whole.farm).toMatchObject({
    _id: farmer.id,
    schedule: { cutoff: null },
    payment: { details: '' },
  });
  expect(whole.farm?.products).toHaveLength(1);
  expect(whole.farm?.orders).toHaveLength(3);
  const packer = await hire(market, farmer, 'packer');
  expect((await read(packer)).farm).toBeNull();
  const owner = await hire(market, farmer, 'owner');
  expect((await read(owner)).farm?._id).toBe(farmer.id);
});

it('has what an admin did', async () => {
  const admin = await market.join('admin');
  await market.call('POST', '/categories', { as: admin, body: { name: 'Flowers' } });
  const [order] = (await read(consumer)).orders;
  const note = { as: admin, body: { content: 'They called.' } };
  await market.call('POST', `/admin/orders/${order?._id}/notes`, note);
  const whole = await read(admin);
  expect(whole.adminActions.length).toBeGreaterThan(0);
  expect(whole.orderNotes).toMatchObject([{ order: order?._id, content: 'They called.' }]);
});

it('has every page of long lists once', async () => {
  const { db } = market.platform;
  const reader = await market.join('consumer');
  const count = 257;
  await db.notification.createMany({
    data: Array.from({ length: count }, (_, number) => ({
      userId: reader.id,
      kind: 'order.statusChanged',
      key: `${number}`,
      title: `Title ${number}`,
      body: '',
      link: '/orders',
      // Many at the same time.
      createdAt: new Date(1_790_000_000_000 + Math.floor(number / 50)),
    })),
  });
  const { notifications } = await read(reader);
  expect(notifications).toHaveLength(count);
  expect(new Set(notifications.map(({ title }) => title)).size).toBe(count);
});

it('is limited', async () => {
  const strict = await startLimitedMarket({ RATE_LIMIT_SCALE: '0.1' });
  try {
    const as = await strict.join('consumer');
    expect((await strict.call('GET', '/users/me/export', { as })).status).toBe(200);
    expect((await strict.call('GET', '/users/me/export', { as })).status).toBe(429);
  } finally {
    await strict.close();
  }
});
