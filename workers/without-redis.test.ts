import { createClient } from 'redis';
import { afterAll, expect, it } from 'vitest';
import { record } from '../server/platform/events/event-log.ts';
import {
  makeCategory,
  orderInput,
  sellProduct,
  startTestMarket,
} from '../server/testing/market.ts';
import { until } from '../testing/until.ts';
import { startWithMailbox } from './testing/mailbox.ts';
import { startOwnRedis } from './testing/redis.ts';
import { openSmsGateway } from './testing/sms-gateway.ts';

// Mails go out while Redis refuses writes or is away, and each once when it is back in the middle.

const redis = await startOwnRedis();
const gateway = await openSmsGateway();
const { mailbox, market } = await startWithMailbox(
  startTestMarket,
  {
    REDIS_URL: redis.url,
    SMS_URL: gateway.url,
    JOB_BACKOFF_MS: '20',
    UNREAD_EMAIL_AFTER_SECONDS: '0',
  },
  2,
);
const [farmer, admin] = [await market.join('farmer'), await market.join('admin')];
const product = await sellProduct(market, farmer, await makeCategory(market.platform), {
  quantityAvailable: 1000,
});
const client = createClient({ url: redis.url });
client.on('error', () => {});
await client.connect();
afterAll(async () => {
  client.destroy();
  await redis.remove();
  await gateway.close();
});

/** Places an order and cancels it, of which the farm gets a mail. @returns its customer's name, which stands in the mail */
async function order(): Promise<string> {
  const name = `Buyer${Math.random().toString(36).slice(2, 8)}`;
  const consumer = await market.join('consumer', name);
  const body = orderInput(farmer.id, [{ product, quantity: 1 }]);
  const placed = await market.call('POST', '/orders', { as: consumer, body });
  expect(placed.status).toBe(201);
  const status = { status: 'cancelled' };
  await market.call('PUT', `/orders/${placed.body.data._id}`, { as: consumer, body: status });
  return name;
}

const mailsAbout = (name: string) =>
  mailbox.mails.filter(({ to, text }) => to === farmer.email && text.includes(name));
const untilMailed = (name: string) => until(() => mailsAbout(name).length > 0);

const outages = async () =>
  (await market.call('GET', '/notifications?limit=200', { as: admin })).body.data.filter(
    ({ kind }: { kind: string }) => kind === 'store.outage',
  ) as { params: object; isRead: boolean }[];

it('sends mails while Redis takes no writes, says so, and sends each once when it does again', async () => {
  const names = [await order()];
  await untilMailed(names[0] ?? '');
  await client.configSet('maxmemory', '1');
  await until(() => market.platform.redis.refusal() === 'OOM');
  names.push(await order(), await order());
  for (const name of names) await untilMailed(name);
  const health = await market.call('GET', '/admin/health', { as: admin });
  expect(health.body.data.checks.find(({ key }: { key: string }) => key === 'redis')).toMatchObject(
    { state: 'bad', value: 'Takes no writes: OOM.' },
  );
  await until(async () => (await outages()).length === 1);
  expect((await outages())[0]).toMatchObject({
    params: { store: 'redis', reason: 'OOM' },
    isRead: false,
  });

  // It is back while mails are being sent.
  names.push(...(await Promise.all(Array.from({ length: 10 }, order))));
  await client.configSet('maxmemory', '0');
  for (const name of names) await untilMailed(name);
  await until(() => market.platform.redis.isAnswering());
  await until(async () => (await outages())[0]?.isRead);
  const last = await order();
  await untilMailed(last);
  for (const name of [...names, last]) expect(mailsAbout(name)).toHaveLength(1);
});

it('sends mails and texts while Redis is away', async () => {
  const phone = '+923001234567';
  const verified = { phone, phoneVerifiedAt: new Date() };
  await market.platform.db.user.update({ where: { id: admin.id }, data: verified });
  const choice = { 'account.security': { email: true, push: false, sms: true } };
  await market.put('/notifications/preferences', admin, choice);
  await redis.stop();
  const name = await order();
  const data = { _id: admin.id, change: 'passkeyAdded' as const, device: 'Here', isAdmin: true };
  await record(market.platform.db, { name: 'account.securityChanged', data, rooms: [] });
  await market.platform.eventLog.sequence();
  await untilMailed(name);
  await until(() => gateway.textsTo(phone).length > 0);
  await redis.start();
  const later = await order();
  await untilMailed(later);
  expect(mailsAbout(name)).toHaveLength(1);
  expect(gateway.textsTo(phone)).toHaveLength(1);
});
