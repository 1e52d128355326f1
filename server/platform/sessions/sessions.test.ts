import { afterAll, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { startTestMarket } from '../../testing/market.ts';
import { createPlatform } from '../http/platform.ts';

/** Creates the sessions of another process on the same stores, without a gateway. */
const market = await startTestMarket();
const other = await createPlatform(market.env, 'test');
afterAll(async () => {
  await other.close();
  await market.close();
});

it('invalidates a deleted account in a process without a gateway', async () => {
  const [admin, consumer] = [await market.join('admin'), await market.join('consumer')];
  expect((await other.sessions.verify(consumer.token))?.user.id).toBe(consumer.id);
  await market.delete(`/users/${consumer.id}`, admin);
  await until(async () => (await other.sessions.verify(consumer.token)) === null);
});

it('reads a new name in a process without a gateway', async () => {
  const consumer = await market.join('consumer', 'Old Name');
  expect((await other.sessions.verify(consumer.token))?.user.name).toBe('Old Name');
  await market.put('/users/profile', consumer, { name: 'New Name' });
  await until(async () => (await other.sessions.verify(consumer.token))?.user.name === 'New Name');
});

it('misses no change between following the log and the first query', async () => {
  const [admin, consumer] = [await market.join('admin'), await market.join('consumer')];
  const fresh = await createPlatform(market.env, 'test');
  try {
    const [first] = await Promise.all([
      fresh.sessions.verify(consumer.token),
      market.delete(`/users/${consumer.id}`, admin),
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
