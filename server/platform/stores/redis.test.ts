import { afterAll, expect, it } from 'vitest';
import { startFreezableProxy } from '../../../prisma/testing/freezable-proxy.ts';
import { scaled, until } from '../../../testing/until.ts';
import { startOwnRedis } from '../../../workers/testing/redis.ts';
import { SettingError } from '../process/env.ts';
import { createLog } from '../process/log.ts';
import { connectRedis, type Redis, RedisAwayError, subscribe } from './redis.ts';

const log = createLog({ LOG_LEVEL: 'silent' } as never, 'test');
const url = process.env.REDIS_URL ?? '';

const proxy: Awaited<ReturnType<typeof startFreezableProxy>> = await startFreezableProxy(url);
const redis: Redis = await connectRedis(proxy.url, log);
afterAll(async () => {
  redis.destroy();
  await proxy.close();
});

const ping = () => redis.withDeadline(() => redis.ping());
/** Waits until Redis answers in time, for which a busy machine may be too slow. */
const untilAnswered = () => until(async () => (await ping().catch(() => '')) === 'PONG');

it('fails a command after its deadline and the next ones at once, and recovers', async () => {
  await untilAnswered();
  proxy.freeze();
  await expect(ping()).rejects.toBeInstanceOf(RedisAwayError);
  expect(redis.isAnswering()).toBe(false);
  const startedAt = performance.now();
  for (let count = 0; count < 1000; count++) {
    await expect(ping()).rejects.toBeInstanceOf(RedisAwayError);
  }
  // By their deadlines they would take 200 s.
  expect(performance.now() - startedAt).toBeLessThan(scaled(20_000));
  proxy.thaw();
  await until(() => redis.isAnswering());
  await untilAnswered();
});

it('replaces a silent connection and restores its subscription', async () => {
  const channel = `test-${process.pid}`;
  const received: string[] = [];
  const subscription = await subscribe(redis, channel, (message) => received.push(message));
  await until(() => subscription.isReady());
  proxy.freeze();
  await expect(ping()).rejects.toBeInstanceOf(RedisAwayError);
  expect(subscription.isReady()).toBe(false);
  await until(() => !redis.isReady);
  proxy.thaw();
  await until(() => subscription.isReady());
  await until(async () => {
    await redis.withDeadline(() => redis.publish(channel, 'again')).catch(() => {});
    return received.length > 0;
  });
  subscription.close();
});

it('starts while Redis is frozen or away, and connects later', async () => {
  proxy.freeze();
  const startedAt = performance.now();
  const late = await connectRedis(proxy.url, log);
  const received: string[] = [];
  const subscription = await subscribe(late, 'test-late', (message) => received.push(message));
  expect(performance.now() - startedAt).toBeLessThan(scaled(30_000));
  expect(late.isAnswering()).toBe(false);
  proxy.thaw();
  await until(() => late.isAnswering());
  await until(async () => {
    await late.withDeadline(() => late.publish('test-late', 'word')).catch(() => {});
    return received.length > 0;
  });
  subscription.close();
  late.destroy();

  const nobody = new URL(url);
  nobody.port = '1';
  const without = await connectRedis(nobody.toString(), log);
  expect(without.isAnswering()).toBe(false);
  without.destroy();
});

it('reports refused credentials without the password', async () => {
  const wrong = new URL(url);
  wrong.username = 'nobody';
  wrong.password = 'wrong-password';
  // A start goes on without a Redis that takes a second to refuse it.
  const refusal = await until(() =>
    connectRedis(wrong.toString(), log).then(
      (late) => {
        if (late.isOpen) late.destroy();
        return undefined;
      },
      (error: unknown) => error,
    ),
  );
  expect(refusal).toBeInstanceOf(SettingError);
  expect(String(refusal)).toMatch(/refuses the connection .*check REDIS_URL/);
  expect(String(refusal)).not.toMatch(/wrong-password/);
});

it('does not open the breaker when its own event loop was blocked', async () => {
  const direct = await connectRedis(url, log);
  await until(() => direct.isAnswering());
  const answer = direct.withDeadline(() => direct.ping(), 1000);
  const end = performance.now() + 1500;
  while (performance.now() < end);
  expect(await answer).toBe('PONG');
  expect(direct.isAnswering()).toBe(true);
  direct.destroy();
});

it('counts a Redis that refuses writes as away, and says why', async () => {
  const admin = await connectRedis(url, log);
  await until(() => admin.isAnswering());
  const name = `reader-${process.pid}`;
  await admin.sendCommand([
    'ACL',
    'SETUSER',
    name,
    'on',
    '>secret',
    '~*',
    '&*',
    '+@all',
    '-@write',
  ]);
  const readers = new URL(url);
  readers.username = name;
  readers.password = 'secret';
  const reader = await connectRedis(readers.toString(), log);
  await until(() => reader.refusal() === 'NOPERM');
  expect(reader.isReady).toBe(true);
  expect(reader.isAnswering()).toBe(false);
  await expect(reader.withDeadline(() => reader.get('any'))).rejects.toBeInstanceOf(RedisAwayError);
  await admin.sendCommand(['ACL', 'SETUSER', name, '+@all']);
  await until(() => reader.isAnswering());
  expect(reader.refusal()).toBeUndefined();
  reader.destroy();
  await admin.sendCommand(['ACL', 'DELUSER', name]);
  admin.destroy();
});

it('refuses a Redis Cluster, and says what works', async () => {
  const cluster = await startOwnRedis(['--cluster-enabled', 'yes']);
  const refusal = await until(() =>
    connectRedis(cluster.url, log).then(
      (late) => {
        if (late.isOpen) late.destroy();
        return undefined;
      },
      (error: unknown) => error,
    ),
  );
  expect(refusal).toBeInstanceOf(SettingError);
  expect(String(refusal)).toMatch(/Redis Cluster.*one primary.*Sentinel/);
  await cluster.remove();
});
