import { beforeEach, expect, test } from 'vitest';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  sellProduct,
  startTestMarket,
} from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';
import { tablesWith } from '../../testing/whole/tables-with.ts';

// A farm with several owners, one of whom goes: it goes on under the others, unless it is closed on purpose.

let founder: Caller;
let orderId: string;
const market = closeAfter(await startTestMarket());
const [admin, consumer] = [await market.join('admin'), await market.join('consumer')];
const category = await makeCategory(market.platform);
beforeEach(async () => {
  founder = await market.join('farmer', 'Faye Founder');
  const profile = { farmName: 'Green Valley', description: 'Good soil.' };
  await call('PUT', '/users/farmers/profile', founder, profile);
  const product = await sellProduct(market, founder, category);
  const body = orderInput(founder.id, [{ product, quantity: 1 }]);
  orderId = (await call('POST', '/orders', consumer, body)).body.data._id;
});

const call = (method: string, path: string, as?: Caller, body?: unknown) =>
  market.call(method, path, { as, body });

test('it goes on under its other owners, without a question', async () => {
  const other = await hire(market, founder, 'owner');
  const person = await call('GET', `/admin/users/${founder.id}`, admin);
  expect(person.body.data).toMatchObject({
    closingFarm: null,
    sharedFarm: { _id: founder.id, farmName: 'Green Valley' },
    openOrders: { farmOrders: { pending: { count: 1, ids: [orderId] } } },
  });
  expect((await call('DELETE', `/users/${founder.id}`, admin)).status).toBe(200);
  expect((await call('GET', `/users/farmers/${founder.id}`)).body.data.farmer).toMatchObject({
    name: 'Green Valley',
    email: '',
  });
  const answered = await call('PUT', `/orders/${orderId}`, other, { status: 'accepted' });
  expect(answered.status).toBe(200);
  expect((await call('GET', '/farm', other)).body.data.role).toBe('owner');
  expect(await tablesWith(market, [founder.name, founder.email])).toEqual([]);
});

test('it closes where an owner or an admin says so, and nobody else does', async () => {
  const [other, packer] = [
    await hire(market, founder, 'owner'),
    await hire(market, founder, 'packer'),
  ];
  const closes = (id: string, more = '') =>
    call('DELETE', `/users/${id}?closes=true${more}`, admin);
  for (const refused of [
    await closes(packer.id),
    await closes(consumer.id),
    await closes(founder.id, `&successor=${other.memberId}`),
  ]) {
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, 'closes']);
  }
  expect((await call('DELETE', `/users/${founder.id}?closes=perhaps`, admin)).status).toBe(400);
  const own = { password: 'password123', closeFarm: true };
  const byPacker = await call('DELETE', '/users/me', packer, own);
  expect([byPacker.status, byPacker.body.errors?.[0]?.path]).toEqual([400, 'closeFarm']);
  expect((await call('DELETE', '/users/me', other, own)).status).toBe(200);
  expect((await call('GET', `/users/farmers/${founder.id}`)).status).toBe(404);
  expect((await call('GET', `/orders/${orderId}`, consumer)).body.data).toMatchObject({
    status: 'cancelled',
    timeline: [{}, { cause: 'farm_left' }],
  });
});
