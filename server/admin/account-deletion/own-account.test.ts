import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { until } from '../../../testing/until.ts';
import { startLimitedMarket } from '../../testing/limited-market.ts';
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

const market = closeAfter(await startTestMarket());
const category = await makeCategory(market.platform);

const goneWith = (as: Caller, body: Record<string, unknown> = {}) =>
  market.call('DELETE', '/users/me', { as, body: { password: 'password123', ...body } });
const me = (as: Caller) => market.get('/auth/me', as);
const signIn = ({ email }: Caller) =>
  market.call('POST', '/auth/login', { body: { email, password: 'password123' } });

const sell = (farmer: Caller) => sellProduct(market, farmer, category);
async function order(as: Caller, farmer: Caller, product: string): Promise<string> {
  const body = orderInput(farmer.id, [{ product, quantity: 1 }]);
  return (await market.post('/orders', as, body)).body.data._id;
}

it('ends the account everywhere, cancels what is pending, and leaves the other side its history', async () => {
  const [consumer, farmer] = [await market.join('consumer'), await market.join('farmer')];
  const product = await sell(farmer);
  const [pending, accepted] = [
    await order(consumer, farmer, product),
    await order(consumer, farmer, product),
  ];
  const put = { as: farmer, body: { status: 'accepted' } };
  await market.call('PUT', `/orders/${accepted}`, put);
  const elsewhere = (await signIn(consumer)).body.token;
  const socket = await market.connect({ token: elsewhere });
  const ended = new Promise((resolve) => socket.once('disconnect', resolve));

  const outlook = await market.get('/users/me/deletion', consumer);
  expect(outlook.body.data).toEqual({
    orders: { pending: { count: 1, ids: [pending] }, accepted: { count: 1, ids: [accepted] } },
    farmOrders: null,
  });
  await market.platform.eventLog.sequence();
  const head = await market.platform.eventLog.head();
  expect(await goneWith(consumer)).toMatchObject({ status: 200, body: { success: true } });
  await ended;
  expect((await me(consumer)).status).toBe(401);
  expect((await me({ ...consumer, token: elsewhere })).status).toBe(401);
  expect((await signIn(consumer)).status).toBe(401);

  const read = async (id: string) => (await market.get(`/orders/${id}`, farmer)).body.data;
  expect(await read(pending)).toMatchObject({
    status: 'cancelled',
    consumer: { name: 'Deleted user', email: '' },
  });
  expect((await read(accepted)).status).toBe('accepted');
  // Its farm is told that its customer has left.
  await market.platform.eventLog.sequence();
  const told = (await market.platform.eventLog.read(head, 1000)).filter(
    ({ name, data }) => name === 'order.updated' && (data as Order)._id === accepted,
  );
  expect(told).toMatchObject([
    {
      data: {
        change: { kind: 'party', what: 'customer_left' },
        consumer: { name: 'Deleted user' },
      },
    },
  ]);
  // Only where the mail about it goes is known until it was sent.
  const traces = [consumer.email, consumer.name];
  expect(await tablesWith(market, traces, 'account_deletion_mails')).toEqual([]);
  const deletionMail = await market.platform.db.accountDeletionMail.findUnique({
    where: { userId: consumer.id },
  });
  expect(deletionMail).toMatchObject({ email: consumer.email, name: consumer.name });
  const again = { name: 'Again', email: consumer.email, password: 'password123' };
  expect((await market.call('POST', '/auth/register', { body: again })).status).toBe(201);
});

it('asks for the password, and deletes once however often it is sent', async () => {
  const consumer = await market.join('consumer');
  for (const password of ['Password123', 'x', `password123 `]) {
    expect(await goneWith(consumer, { password })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'password', message: 'That is not your password.' }] },
    });
  }
  expect((await goneWith(consumer, { password: '' })).status).toBe(400);
  expect((await me(consumer)).status).toBe(200);
  const answers = await Promise.all([1, 2, 3].map(() => goneWith(consumer)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  const where = { userId: consumer.id, kind: 'account.deleted' };
  expect(await market.platform.db.notificationDelivery.count({ where })).toBe(1);
});

it('limits guessing as signing in does', async () => {
  const strict = await startLimitedMarket({ RATE_LIMIT_SCALE: '1' });
  try {
    const as = await strict.join('consumer');
    const guess = () => strict.call('DELETE', '/users/me', { as, body: { password: 'wrong' } });
    const answers = [];
    for (let tries = 0; tries < 21; tries++) answers.push((await guess()).status);
    expect(answers.slice(0, 20)).toEqual(answers.slice(0, 20).map(() => 400));
    expect(answers[20]).toBe(429);
  } finally {
    await strict.close();
  }
});

it('closes the farm of a founder, or hands it over to one of its people', async () => {
  const [closing, founder, consumer] = [
    await market.join('farmer'),
    await market.join('farmer'),
    await market.join('consumer'),
  ];
  const product = await sell(closing);
  const waiting = await order(consumer, closing, product);
  expect((await goneWith(closing)).status).toBe(200);
  expect((await market.get(`/products/${product}`)).status).toBe(404);
  const cancelled = await market.get(`/orders/${waiting}`, consumer);
  expect(cancelled.body.data.status).toBe('cancelled');

  const kept = await sell(founder);
  const manager = await hire(market, founder, 'manager');
  expect((await goneWith(founder, { successor: randomUUID() })).body.errors).toMatchObject([
    { path: 'successor' },
  ]);
  expect((await goneWith(founder, { successor: manager.memberId })).status).toBe(200);
  expect((await market.get(`/products/${kept}`)).status).toBe(200);
  const now = await me(manager);
  expect(now.body.user.membership).toEqual({ farmId: founder.id, role: 'owner' });
  expect((await signIn(founder)).status).toBe(401);
});

it('lets admins go, but never the last one, also when all go at once', async () => {
  const { db } = market.platform;
  const [one, two] = [await market.join('admin'), await market.join('admin')];
  await db.user.updateMany({
    where: { role: 'admin', id: { notIn: [one.id, two.id] } },
    data: { role: 'consumer' },
  });
  const answers = await Promise.all([goneWith(one), goneWith(two)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('LAST_ADMIN');
  expect(await db.user.count({ where: { role: 'admin', deletedAt: null } })).toBe(1);
  const gone = answers[0]?.status === 200 ? one : two;
  const entries = { adminId: gone.id, action: 'user.deleted', targetId: gone.id };
  await until(() => db.auditEntry.count({ where: entries }));
});

it('leaves no address, link or session behind', async () => {
  const consumer = await market.join('consumer');
  const { db } = market.platform;
  await goneWith(consumer);
  const where = { userId: consumer.id };
  expect(await db.userAddress.count({ where })).toBe(0);
  expect(await db.session.count({ where })).toBe(0);
  expect(await db.emailVerification.count({ where })).toBe(0);
});
