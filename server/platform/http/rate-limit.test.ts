// @long It starts programs.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { tooManyTries } from '#contract/platform/text/constants/shared-texts';
import { writeMessage } from '#contract/platform/text/constants/texts';
import { until } from '../../../testing/until.ts';
import { allRoutes } from '../../app.ts';
import { startLimitedMarket } from '../../testing/limited-market.ts';
import { type CallOptions, startTestMarket, type TestMarket } from '../../testing/market.ts';
import { accountKey, addressKey, userKey } from './rate-limit.ts';

describe('the key of a rate limit', () => {
  it.each([
    ['203.0.113.9', 'address:203.0.113.9'],
    ['::ffff:203.0.113.9', 'address:203.0.113.9'],
    ['::FFFF:cb00:7109', 'address:203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', 'address:2001:db8:1:2::/64'],
    ['2001:db8::1', 'address:2001:db8:0:0::/64'],
    ['2001:db8:1:2:ffff::', 'address:2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'address:fe80:0:0:0::/64'],
    ['::1', 'address:0:0:0:0::/64'],
    ['::', 'address:0:0:0:0::/64'],
  ])('an address, IPv6 by its network: %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it('is one per account, whatever the case of its email, and does not hold the email', () => {
    const key = accountKey('somebody@farmgate.test');
    expect(accountKey('  SomeBody@Farmgate.TEST ')).toBe(key);
    expect(key).not.toContain('somebody');
    expect(accountKey('x'.repeat(200_000)).length).toBeLessThan(60);
  });

  it('is never the same for a user, an account and an address', () => {
    const same = '203.0.113.9';
    expect(new Set([userKey(same), accountKey(same), addressKey(same)]).size).toBe(3);
  });
});

describe('rate limits', () => {
  const markets: TestMarket[] = [];
  afterEach(async () => {
    for (const market of markets.splice(0)) await market.close();
  });

  async function open(
    settings: Record<string, string> & { RATE_LIMIT_SCALE: string },
  ): Promise<TestMarket> {
    const market = await startLimitedMarket({ TRUSTED_PROXIES: '1', ...settings });
    markets.push(market);
    return market;
  }

  const from = (address: string) => ({ 'x-forwarded-for': address });

  async function statusesOf(
    market: TestMarket,
    count: number,
    [method, path]: readonly [string, string],
    options: (index: number) => CallOptions,
  ): Promise<number[]> {
    const statuses: number[] = [];
    for (let index = 0; index < count; index++) {
      statuses.push((await market.call(method, path, options(index))).status);
    }
    return statuses;
  }

  /** Returns how many tries succeed before the first refusal. */
  const passed = (statuses: readonly number[]) => statuses.indexOf(429);

  // Limits are a tenth here: two logins, one reset, three registrations, and so on.
  const tenth = { RATE_LIMIT_SCALE: '0.1' };
  const login = ['POST', '/auth/login'] as const;

  it('answer 429 with Retry-After, in the form of every refusal', async () => {
    const market = await open(tenth);
    const body = { email: 'somebody@farmgate.test', password: 'wrong' };
    await statusesOf(market, 2, login, () => ({ body }));
    const { status, headers, body: answer } = await market.call(...login, { body });
    expect(status).toBe(429);
    const seconds = Number(headers.get('retry-after'));
    expect(answer).toEqual({
      success: false,
      code: 'TOO_MANY_REQUESTS',
      message: writeMessage(tooManyTries(seconds)),
      params: { count: expect.any(Number) },
    });
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(300);
  });

  it('count logins by address: many accounts from one address', async () => {
    const market = await open(tenth);
    const statuses = await statusesOf(market, 4, login, (index) => ({
      headers: from('203.0.113.1'),
      body: { email: `${index}@farmgate.test`, password: 'wrong' },
    }));
    expect(statuses).toEqual([401, 401, 429, 429]);
  });

  it('count logins by account: one account from many addresses', async () => {
    const market = await open(tenth);
    const statuses = await statusesOf(market, 4, login, (index) => ({
      headers: from(`203.0.113.${index}`),
      body: { email: index % 2 ? 'some@farmgate.test' : ' SOME@Farmgate.test', password: 'wrong' },
    }));
    expect(statuses).toEqual([401, 401, 429, 429]);
    const other = await market.call(...login, {
      headers: from('203.0.113.77'),
      body: { email: 'else@farmgate.test', password: 'wrong' },
    });
    expect(other.status).toBe(401);
  });

  it('do not confuse an email with an address', async () => {
    const market = await open(tenth);
    await statusesOf(market, 3, login, (index) => ({
      headers: from(`203.0.113.${index}`),
      body: { email: '198.51.100.7', password: 'wrong' },
    }));
    const body = { email: 'else@farmgate.test', password: 'wrong' };
    const victim = await market.call(...login, { headers: from('198.51.100.7'), body });
    expect(victim.status).toBe(401);
  });

  it('count one IPv6 network as one address', async () => {
    const market = await open(tenth);
    const statuses = await statusesOf(market, 3, login, (index) => ({
      headers: from(`2001:db8:1:2::${index + 1}`),
      body: { email: `${index}@farmgate.test`, password: 'wrong' },
    }));
    expect(statuses).toEqual([401, 401, 429]);
  });

  it('count tries before they are validated', async () => {
    const market = await open(tenth);
    const statuses = await statusesOf(market, 3, login, () => ({ body: {} }));
    expect(statuses).toEqual([400, 400, 429]);
  });

  it('ignore X-Forwarded-For without a trusted proxy', async () => {
    const market = await open({ ...tenth, TRUSTED_PROXIES: '0' });
    const statuses = await statusesOf(market, 3, login, (index) => ({
      headers: from(`203.0.113.${index}`),
      body: { email: `${index}@farmgate.test`, password: 'wrong' },
    }));
    expect(statuses).toEqual([401, 401, 429]);
  });

  it('use only the address that the trusted proxy added', async () => {
    const market = await open(tenth);
    const statuses = await statusesOf(market, 3, login, (index) => ({
      headers: from(`198.51.100.${index}, 203.0.113.1`),
      body: { email: `${index}@farmgate.test`, password: 'wrong' },
    }));
    expect(statuses).toEqual([401, 401, 429]);
  });

  it('apply to resets, registration, orders, messages, uploads, searches and writes', async () => {
    const market = await open(tenth);
    const people = {
      consumer: await market.join('consumer'),
      farmer: await market.join('farmer'),
    };
    const limited: [string, string, number, CallOptions][] = [
      ['POST', '/auth/forgot-password', 1, { body: { email: 'a@farmgate.test' } }],
      ['POST', '/auth/reset-password', 1, { body: {}, headers: from('203.0.113.2') }],
      ['POST', '/auth/register', 3, { body: {}, headers: from('203.0.113.3') }],
      ['POST', '/orders', 3, { as: people.consumer, body: {} }],
      ['POST', '/messages', 6, { as: people.consumer, body: {} }],
      ['POST', '/uploads', 6, { as: people.farmer, body: {} }],
      ['PUT', '/users/profile', 24, { as: people.consumer, body: {} }],
    ];
    for (const [method, path, points, options] of limited) {
      const statuses = await statusesOf(market, points + 1, [method, path], () => options);
      expect({ path, passed: passed(statuses) }).toEqual({ path, passed: points });
    }
    // Other users and other limits are counted separately.
    const other = await market.put('/users/profile', people.farmer, {});
    expect(other.status).toBe(200);
    const again = { headers: from('203.0.113.4') };
    const searches = await statusesOf(market, 61, ['GET', '/products'], () => again);
    // A cached search costs nothing.
    expect(passed(searches)).toBe(-1);
    const others: number[] = [];
    for (let index = 0; index < 61; index++) {
      const { status } = await market.call('GET', `/products?search=${index}`, {
        headers: from('203.0.113.5'),
      });
      others.push(status);
    }
    expect(passed(others)).toBe(60);
  });

  it('apply to every signed-in read, by account', async () => {
    const market = await open({ RATE_LIMIT_SCALE: '0.02' });
    const routes = allRoutes(market.platform).map(({ endpoint }) => endpoint);
    const unlimited = routes.filter(({ rate }) => rate === undefined);
    expect(unlimited.map(({ method, path }) => `${method} ${path}`)).toEqual([]);

    const { id } = await market.platform.db.user.create({
      data: { name: 'A', email: 'a@farmgate.test', passwordHash: '', role: 'consumer' },
    });
    const token = await market.platform.sessions.issue({ userId: id, tokenVersion: 1 });
    const as = { id, token, role: 'consumer' as const, email: '', name: '' };
    const paths = ['/orders/consumer', '/messages', '/notifications', '/auth/me'];
    // The limit is per account, over all reads.
    const statuses = await statusesOf(market, 13, ['GET', '/orders/consumer'], (index) => ({
      as,
      headers: from(`203.0.113.${index}`),
    }));
    expect(passed(statuses)).toBe(12);
    for (const path of paths) expect((await market.get(path, as)).status).toBe(429);
  });

  it('grow with RATE_LIMIT_SCALE', async () => {
    const market = await open({ RATE_LIMIT_SCALE: '0.25' });
    const statuses = await statusesOf(market, 7, login, () => ({ body: {} }));
    expect(passed(statuses)).toBe(5);
  });
});

describe('while Redis is away', () => {
  let redis: ChildProcess;
  let port: number;
  let market: TestMarket;

  beforeAll(async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    port = (probe.address() as { port: number }).port;
    await new Promise((resolve) => probe.close(resolve));
    redis = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], {
      stdio: 'ignore',
    });
    market = await until(() =>
      startTestMarket({
        REDIS_URL: `redis://127.0.0.1:${port}`,
        RATE_LIMIT_SCALE: '0.1',
      }).catch(() => undefined),
    );
  });
  afterAll(async () => {
    redis.kill('SIGKILL');
    await market.close();
  });

  it('counts per process and still refuses', async () => {
    redis.kill('SIGKILL');
    await until(() => !market.platform.redis.isReady);
    const statuses: number[] = [];
    for (let index = 0; index < 4; index++) {
      const body = { email: 'somebody@farmgate.test', password: 'wrong' };
      statuses.push((await market.call('POST', '/auth/login', { body })).status);
    }
    expect(statuses).toEqual([401, 401, 429, 429]);
  });
});
