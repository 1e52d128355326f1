import { randomUUID } from 'node:crypto';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SOCKET_LIMITS } from '#contract/platform/events/constants';
import { tooMany } from '../../platform/http/errors.ts';
import { clientAddress } from '../../platform/http/rate-limit.ts';
import { startLimitedMarket } from '../../testing/limited-market.ts';
import type { TestMarket, TestSocket } from '../../testing/market.ts';
import { VisitorLimits } from './handshake.ts';

/** 60 handshakes a minute, scaled. */
const SCALE = '0.1';
const HANDSHAKES = 6;

interface Outcome {
  /** Absent when the socket was accepted. */
  code?: string;
  retryAfterSeconds?: number;
}

const sockets: TestSocket[] = [];

function attempt(
  market: TestMarket,
  auth: Record<string, unknown> = {},
  headers: Record<string, string> = {},
  transports: ('websocket' | 'polling')[] = ['websocket'],
): Promise<Outcome> {
  const socket: TestSocket = io(market.url, {
    auth,
    transports,
    reconnection: false,
    forceNew: true,
    extraHeaders: headers,
  });
  sockets.push(socket);
  return new Promise((resolve, reject) => {
    socket.once('synced', () => resolve({}));
    socket.once('resync', () => resolve({}));
    socket.once('connect_error', (error: Error & { data?: Outcome }) =>
      error.data ? resolve(error.data) : reject(error),
    );
  });
}

async function attempts(count: number, one: (index: number) => Promise<Outcome>) {
  const outcomes: Outcome[] = [];
  for (let index = 0; index < count; index++) outcomes.push(await one(index));
  return outcomes;
}

const admitted = (outcomes: readonly Outcome[]) => outcomes.filter(({ code }) => !code).length;

describe('handshakes of visitors from one address', () => {
  let market: TestMarket;
  beforeAll(async () => {
    market = await startLimitedMarket({ RATE_LIMIT_SCALE: SCALE });
  });
  afterAll(async () => {
    for (const socket of sockets.splice(0)) socket.disconnect();
    await market.close();
  });

  it('are limited whatever address they claim, with the time to retry', async () => {
    const outcomes = await attempts(HANDSHAKES + 4, (index) =>
      attempt(
        market,
        index % 2 ? { after: 0 } : {},
        { 'x-forwarded-for': `203.0.113.${index}` },
        index % 3 ? ['websocket'] : ['polling'],
      ),
    );
    expect(admitted(outcomes)).toBe(HANDSHAKES);
    const refused = outcomes.filter(({ code }) => code);
    for (const { code, retryAfterSeconds } of refused) {
      expect(code).toBe('TOO_MANY_REQUESTS');
      expect(retryAfterSeconds).toBeGreaterThan(0);
      expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    }
  });

  it('do not limit signed-in users, nor change the refusal of a bad token', async () => {
    const someone = await market.join('consumer');
    expect(await attempt(market, { token: someone.token })).toEqual({});
    expect(await attempt(market, { token: 'nonsense' })).toEqual({ code: 'UNAUTHORIZED' });
  });

  it('are counted over all processes', async () => {
    const key = `address:${randomUUID()}`;
    const { rateLimits } = market.platform;
    for (let count = 0; count < HANDSHAKES; count++) await rateLimits('handshakes', [key]);
    await expect(rateLimits('handshakes', [key])).rejects.toMatchObject({ status: 429 });
  });
});

describe('behind a trusted proxy', () => {
  let market: TestMarket;
  beforeAll(async () => {
    market = await startLimitedMarket({ RATE_LIMIT_SCALE: SCALE, TRUSTED_PROXIES: '1' });
  });
  afterAll(async () => {
    for (const socket of sockets.splice(0)) socket.disconnect();
    await market.close();
  });

  it('each address has its own limit, and a forged one has no effect', async () => {
    const from = (address: string) => (index: number) =>
      attempt(market, {}, { 'x-forwarded-for': `198.51.100.${index}, ${address}` });
    expect(admitted(await attempts(HANDSHAKES + 2, from('203.0.113.7')))).toBe(HANDSHAKES);
    // The forged address is not counted.
    expect(await attempt(market, {}, { 'x-forwarded-for': '198.51.100.0' })).toEqual({});
    // An IPv6 /64 network counts as one address.
    const ipv6 = (index: number) => from(`2001:db8:1:2::${index + 1}`)(index);
    expect(admitted(await attempts(HANDSHAKES + 2, ipv6))).toBe(HANDSHAKES);
    expect(await from('2001:db8:1:3::1')(0)).toEqual({});
  });
});

describe('the address of a client', () => {
  const request = (forwarded?: string) =>
    ({
      socket: { remoteAddress: '192.0.2.1' },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    }) as unknown as Parameters<typeof clientAddress>[0];

  it.each([
    [0, undefined, '192.0.2.1'],
    [0, '203.0.113.7', '192.0.2.1'],
    [1, undefined, '192.0.2.1'],
    [1, '', '192.0.2.1'],
    [1, '203.0.113.7', '203.0.113.7'],
    [1, '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    [2, '198.51.100.1 ,203.0.113.7', '198.51.100.1'],
    [2, '6.6.6.6, 198.51.100.1, 203.0.113.7', '198.51.100.1'],
    [3, '203.0.113.7', '203.0.113.7'],
    [1, 'x,', '192.0.2.1'],
  ])('with %i trusted proxies and %s forwarded is %s', (proxies, forwarded, address) => {
    expect(clientAddress(request(forwarded), proxies)).toBe(address);
  });
});

describe('open sockets of visitors from one address', () => {
  const limits = (rateLimits = async () => {}) => new VisitorLimits({ rateLimits, scale: 0.05 });
  const most = SOCKET_LIMITS.visitorSocketsPerAddress * 0.05;
  const isOpen = (release: (() => void) | number) => typeof release === 'function';

  it('are limited, also when opened concurrently, and released when closed', async () => {
    const visitors = limits();
    const all = await Promise.all(Array.from({ length: 20 }, () => visitors.acquire('address:a')));
    const open = all.filter((release) => typeof release === 'function');
    expect(open).toHaveLength(most);
    expect(all.find((release) => typeof release === 'number')).toBeGreaterThan(0);
    expect(isOpen(await visitors.acquire('address:b'))).toBe(true);
    open[0]?.();
    expect(isOpen(await visitors.acquire('address:a'))).toBe(true);
    expect(isOpen(await visitors.acquire('address:a'))).toBe(false);
  });

  it('use up no handshake while the limit is reached', async () => {
    let handshakes = 0;
    const visitors = limits(async () => {
      handshakes++;
    });
    for (let count = 0; count < most + 10; count++) await visitors.acquire('address:a');
    expect(handshakes).toBe(most);
  });

  it('are not counted when the handshake is refused', async () => {
    let isRefusing = true;
    const visitors = limits(async () => {
      if (isRefusing) throw tooMany(7);
    });
    for (let count = 0; count < 20; count++) {
      await expect(visitors.acquire('address:a')).rejects.toMatchObject({ retryAfter: 7 });
    }
    isRefusing = false;
    expect(isOpen(await visitors.acquire('address:a'))).toBe(true);
  });
});
