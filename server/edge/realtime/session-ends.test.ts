import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { startOwnRedis } from '../../../workers/testing/redis.ts';
import { type Caller, startTestMarket, type TestSocket } from '../../testing/market.ts';
import { startSecondProcess } from './testing/connections.ts';

// Anyone who is put out is out everywhere: in both processes, over REST and the socket, also while Redis is away or
// hangs.

const redis: Awaited<ReturnType<typeof startOwnRedis>> = await startOwnRedis();
const market = await startTestMarket({ REDIS_URL: redis.url });
const second: Awaited<ReturnType<typeof startSecondProcess>> = await startSecondProcess(market.env);
const admin = await market.join('admin');
afterAll(async () => {
  await second?.close();
  await market?.close();
  await redis?.remove();
});

const urls = () => [market.url, second.url];

const askAt = (url: string, token: string) =>
  fetch(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } });
const meAt = async (url: string, token: string): Promise<number> =>
  (await askAt(url, token)).status;

async function connectTo(url: string, token: string): Promise<TestSocket> {
  const socket: TestSocket = io(url, {
    auth: { token },
    transports: ['websocket'],
    reconnection: false,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('synced', () => resolve());
    socket.once('resync', () => resolve());
    socket.once('connect_error', reject);
  });
  return socket;
}

/** Signs in once more. */
async function otherSession(caller: Caller): Promise<Caller> {
  const { body } = await market.call('POST', '/auth/login', {
    body: { email: caller.email, password: 'password123' },
  });
  return { ...caller, token: body.token };
}

const CAUSES: Record<string, (caller: Caller, other: Caller) => Promise<{ status: number }>> = {
  'somebody who logs out': (caller) => market.call('POST', '/auth/logout', { as: caller }),
  'a suspended person': ({ id }) =>
    market.put(`/users/${id}/suspension`, admin, { suspended: true }),
  'a deleted person': ({ id }) => market.delete(`/users/${id}`, admin),
  'a changed password': (_, other) =>
    market.put('/auth/password', other, {
      currentPassword: 'password123',
      newPassword: 'password456',
    }),
  'an ended session': async (_, other) => {
    const { body } = await market.get('/auth/sessions', other);
    const { _id } = body.data.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
    return market.delete(`/auth/sessions/${_id}`, other);
  },
};

/** By these the account is gone too: no sign-in would bring the page back. */
const ENDS_ACCOUNT = /suspended|deleted/;

async function isOutEverywhere(name: string, cause: (typeof CAUSES)[string]): Promise<void> {
  const caller = await market.join('consumer');
  const other = await otherSession(caller);
  const sockets = await Promise.all(urls().map((url) => connectTo(url, caller.token)));
  // Both processes have read the session.
  for (const url of urls()) expect(await meAt(url, caller.token)).toBe(200);

  expect((await cause(caller, other)).status).toBe(200);
  await until(() => sockets.every(({ disconnected }) => disconnected));
  for (const url of urls()) {
    await until(async () => (await meAt(url, caller.token)) === 401);
    const code = ENDS_ACCOUNT.test(name) ? 'ACCOUNT_GONE' : 'UNAUTHORIZED';
    expect(await (await askAt(url, caller.token)).json()).toMatchObject({ code });
    const refusal = await connectTo(url, caller.token).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ message: 'Unauthorized', data: { code: 'UNAUTHORIZED' } });
    const { reason } = (refusal as { data: { reason?: string } }).data;
    expect(reason).toBe(code === 'UNAUTHORIZED' ? undefined : code);
  }
}

describe('with Redis', () => {
  it.each(Object.entries(CAUSES))('%s is out in every process', async (name, cause) => {
    await isOutEverywhere(name, cause);
  });
});

describe('while Redis is away', () => {
  beforeAll(async () => {
    await redis.stop();
    await until(() => !market.platform.redis.isReady);
  });
  afterAll(() => redis.start());
  it.each(Object.entries(CAUSES))('%s is out in every process', async (name, cause) => {
    await isOutEverywhere(name, cause);
  });
});

describe('while Redis is frozen', () => {
  beforeAll(async () => {
    await until(() => market.platform.redis.isAnswering());
    redis.freeze();
  });
  afterAll(() => redis.thaw());
  it.each(Object.entries(CAUSES))('%s is out in every process', async (name, cause) => {
    await isOutEverywhere(name, cause);
  });
});
