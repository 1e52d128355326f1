import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { startTestMarket, type TestMarket } from '../../testing/market.ts';
import { createPlatform, type Platform } from '../http/platform.ts';

let market: TestMarket;
/** Creates the sessions of another process on the same stores, without a gateway. */
let other: Platform;
beforeAll(async () => {
  market = await startTestMarket();
  other = await createPlatform(market.env, 'test');
});
afterAll(async () => {
  await other.close();
  await market.close();
});

it('invalidates a deleted account in a process without a gateway', async () => {
  const [admin, consumer] = [await market.join('admin'), await market.join('consumer')];
  expect((await other.sessions.verify(consumer.token))?.user.id).toBe(consumer.id);
  await market.call('DELETE', `/users/${consumer.id}`, { as: admin });
  await until(async () => (await other.sessions.verify(consumer.token)) === null);
});

it('reads a new name in a process without a gateway', async () => {
  const consumer = await market.join('consumer', 'Old Name');
  expect((await other.sessions.verify(consumer.token))?.user.name).toBe('Old Name');
  await market.call('PUT', '/users/profile', { as: consumer, body: { name: 'New Name' } });
  await until(async () => (await other.sessions.verify(consumer.token))?.user.name === 'New Name');
});

it('misses no change between following the log and the first query', async () => {
  const [admin, consumer] = [await market.join('admin'), await market.join('consumer')];
  const fresh = await createPlatform(market.env, 'test');
  try {
    const [first] = await Promise.all([
      fresh.sessions.verify(consumer.token),
      market.call('DELETE', `/users/${consumer.id}`, { as: admin }),
    ]);
    expect([consumer.id, undefined]).toContain(first?.user.id);
    await until(async () => (await fresh.sessions.verify(consumer.token)) === null);
  } finally {
    await fresh.close();
  }
});

it('closes when no token was ever verified', async () => {
  const idle = await createPlatform(market.env, 'test');
  await idle.close();
});
