import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { makeResetLink, makeVerificationLink } from '../../testing/mailed-links.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { changeMarket } from '../../testing/market-settings.ts';
import { linkTo } from '../../testing/staff.ts';

const market = closeAfter(await startTestMarket());
const category = await makeCategory(market.platform);
afterEach(() => changeMarket(market, { requiresVerifiedEmail: false }));

const mailedLink = ({ id }: Caller, lifeMs?: number) => makeVerificationLink(market, id, lifeMs);

const verify = (token: string) => market.call('POST', '/auth/verify-email', { body: { token } });
const isVerified = async (as: Caller): Promise<boolean> =>
  (await market.get('/auth/me', as)).body.user.isEmailVerified;

/** How often a link was asked for. */
async function countRequests({ id }: Caller): Promise<number> {
  await market.platform.eventLog.sequence();
  const events = await market.platform.db.eventLog.findMany({
    where: { name: 'email.verificationRequested' },
  });
  return events.filter(({ data }) => (data as { _id: string })._id === id).length;
}

const sell = (as: Caller) => market.post('/products', as, productInput(category));

it('mails a link at registration, and another one when asked, until the email is verified', async () => {
  const consumer = await market.join('consumer');
  expect(await countRequests(consumer)).toBe(1);
  const again = () => market.call('POST', '/auth/verification', { as: consumer });
  expect((await again()).status).toBe(200);
  expect(await countRequests(consumer)).toBe(2);
  await verify(await mailedLink(consumer));
  expect((await again()).status).toBe(200);
  expect(await countRequests(consumer)).toBe(2);
});

it('verifies an email by its link, notifies the person everywhere, and answers a repeat the same', async () => {
  const consumer = await market.join('consumer');
  const socket = await market.connect({ token: consumer.token });
  const received: unknown[] = [];
  socket.on('account.changed', ({ data }) => received.push(data));
  expect(await isVerified(consumer)).toBe(false);

  const [one, other] = [await mailedLink(consumer), await mailedLink(consumer)];
  const answers = await Promise.all([verify(one), verify(one), verify(` ${one} `), verify(other)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await isVerified(consumer)).toBe(true);
  await until(() => received.length > 0);
  const { body } = await market.get('/market');
  expect(body.data.requiresVerifiedEmail).toBe(false);
  expect(received).toEqual([{ _id: consumer.id }]);
  const unused = { userId: consumer.id, usedAt: null };
  expect(await market.platform.db.emailVerification.count({ where: unused })).toBe(0);
  expect((await verify(one)).status).toBe(200);
});

it('refuses links that are unknown, cut off, too old, or of a deleted account', async () => {
  const consumer = await market.join('consumer');
  const token = await mailedLink(consumer);
  for (const bad of [randomUUID(), token.slice(0, -1), await mailedLink(consumer, -1000)]) {
    expect(await verify(bad)).toMatchObject({ status: 400, body: { errors: [{ path: 'token' }] } });
  }
  expect((await verify('')).status).toBe(400);
  expect(await isVerified(consumer)).toBe(false);
  const body = { password: 'password123' };
  await market.call('DELETE', '/users/me', { as: consumer, body });
  expect((await verify(token)).status).toBe(400);
});

it('changes nothing for a look at the link: only a POST verifies', async () => {
  const consumer = await market.join('consumer');
  const token = await mailedLink(consumer);
  for (const method of ['GET', 'HEAD']) {
    await fetch(`${market.url}/verify-email?token=${token}`, { method });
    await fetch(`${market.url}/api/auth/verify-email?token=${token}`, { method });
  }
  expect(await isVerified(consumer)).toBe(false);
});

it('takes a reset link and an invitation to the same address as a proof', async () => {
  const { db } = market.platform;
  const consumer = await market.join('consumer');
  const body = { token: await makeResetLink(market, consumer.id), password: 'password123' };
  expect((await market.call('POST', '/auth/reset-password', { body })).status).toBe(200);
  const row = await db.user.findUniqueOrThrow({ where: { id: consumer.id } });
  expect(row.emailVerifiedAt).not.toBeNull();

  const founder = await market.join('farmer');
  const invite = async (email: string) => {
    const input = { email, role: 'packer' };
    const { body: made } = await market.post('/farm/members', founder, input);
    return linkTo(market, made.data._id);
  };
  const accept = async (email: string, as?: Caller) =>
    market.post(`/invites/${await invite(email)}/accept`, as, {
      name: 'New Hand',
      password: 'password123',
    });
  const joined = await accept(`${randomUUID()}@farmgate.test`);
  expect(joined.body.user.isEmailVerified).toBe(true);
  const worker = async () => {
    const as = await market.join('farmer');
    await db.farmMember.deleteMany({ where: { userId: as.id } });
    market.platform.sessions.invalidate(as.id);
    return as;
  };
  const [own, others] = [await worker(), await worker()];
  expect((await accept(own.email, own)).body.user.isEmailVerified).toBe(true);
  // A link that was mailed to another address says nothing about theirs.
  expect((await accept(`${randomUUID()}@farmgate.test`, others)).body.user.isEmailVerified).toBe(
    false,
  );
});

it('takes orders of verified customers only where the market asks for it, and a repeat in any case', async () => {
  const [consumer, farmer] = [await market.join('consumer'), await market.join('farmer')];
  const product: string = (await sell(farmer)).body.data._id;
  const body = orderInput(farmer.id, [{ product, quantity: 1 }]);
  const key = { 'idempotency-key': randomUUID() };
  const place = (headers = {}) => market.call('POST', '/orders', { as: consumer, body, headers });
  const placed = await place(key);
  expect(placed.status).toBe(201);

  await changeMarket(market, { requiresVerifiedEmail: true });
  expect(await place()).toMatchObject({ status: 403, body: { code: 'EMAIL_NOT_VERIFIED' } });
  expect((await place(key)).body).toEqual(placed.body);
  await verify(await mailedLink(consumer));
  expect((await place()).status).toBe(201);
});

it('lets a farm offer products once one of its owners is verified, where the market asks for it', async () => {
  const farmer = await market.join('farmer');
  await changeMarket(market, { requiresVerifiedEmail: true });
  expect(await sell(farmer)).toMatchObject({ status: 403, body: { code: 'EMAIL_NOT_VERIFIED' } });
  await verify(await mailedLink(farmer));
  expect((await sell(farmer)).status).toBe(201);
});

it('lets an unverified farm put no product of before back on the market, alone or with others', async () => {
  const farmer = await market.join('farmer');
  await changeMarket(market, { requiresVerifiedEmail: false });
  const product: string = (await sell(farmer)).body.data._id;
  const other: string = (await sell(farmer)).body.data._id;
  const change = (body: object) => market.put(`/products/${product}`, farmer, body);
  const changeBoth = (change: object) =>
    market.put('/products/stock', farmer, {
      changes: [product, other].map((id) => ({ product: id, ...change })),
    });
  expect((await change({ isActive: false })).status).toBe(200);

  await changeMarket(market, { requiresVerifiedEmail: true });
  const refusal = { code: 'EMAIL_NOT_VERIFIED' };
  expect(await change({ isActive: true })).toMatchObject({ status: 403, body: refusal });
  // What is on the market already stays there, and may be restocked.
  expect((await changeBoth({ isActive: true, price: 3 })).body.data).toMatchObject([
    refusal,
    { product: { isActive: true, price: 3 } },
  ]);
  expect((await change({ price: 4, isActive: false })).body.data.price).toBe(4);
  await verify(await mailedLink(farmer));
  expect((await changeBoth({ isActive: true })).body.data).toMatchObject([
    { product: { isActive: true } },
    { product: { isActive: true } },
  ]);
  expect((await change({ isActive: false })).status).toBe(200);
  expect((await change({ isActive: true })).body.data.isActive).toBe(true);
});
