import { randomUUID } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../testing/until.ts';
import { startOwnRedis } from '../../workers/testing/redis.ts';
import { createUsers, type TestUser } from '../fill.ts';
import { PASSWORD } from '../people.ts';
import { type Stack, startStack } from '../stack.ts';
import { type Answer, callApi, maxMs, percentile, printFigure, sized } from './helpers.ts';

const PEOPLE = sized(8, 40);

/** Somebody with a session, which is to be ended, and another one of theirs. */
interface SignedIn {
  id: string;
  token: string;
  otherToken: string;
}

let redis: Awaited<ReturnType<typeof startOwnRedis>>;
let stack: Stack;
let admin: TestUser;

beforeAll(async () => {
  redis = await startOwnRedis();
  stack = await startStack({ seed: false, servers: 2, workers: 0, redisUrl: redis.url });
  [admin] = (await createUsers(stack.databaseUrl, 'admin', 1)) as [TestUser];
});
afterAll(async () => {
  redis?.thaw();
  await stack?.close();
  await redis?.remove();
});

/** Connects somebody, and notes when the server has closed the connection. */
async function connect(
  url: string,
  token: string,
): Promise<{ closedAt: () => number | undefined }> {
  const socket: Socket = io(url, {
    auth: { token },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  });
  let isSynced = false;
  let closedAt: number | undefined;
  socket.on('disconnect', () => {
    if (isSynced) closedAt = Date.now();
    // The server cut off a handshake that a busy machine was slow to finish.
    else socket.connect();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('synced', () => {
      isSynced = true;
      resolve();
    });
    socket.once('connect_error', reject);
  });
  return { closedAt: () => closedAt };
}

async function join(url: string): Promise<SignedIn> {
  const email = `${randomUUID()}@farmgate.test`;
  const account = { name: 'Somebody', email, password: PASSWORD, role: 'consumer' };
  const { body } = await callApi(url, 'POST', '/auth/register', { body: account });
  const again = await callApi(url, 'POST', '/auth/login', { body: { email, password: PASSWORD } });
  return { id: body.user._id, token: body.token, otherToken: again.body.token };
}

/** The ways in which somebody is put out, each as a call that ends their session. */
const WAYS: ((url: string, person: SignedIn) => Promise<Answer>)[] = [
  (url, { id }) =>
    callApi(url, 'PUT', `/users/${id}/suspension`, {
      token: admin.token,
      body: { suspended: true, reason: '' },
    }),
  (url, { id }) => callApi(url, 'DELETE', `/users/${id}`, { token: admin.token }),
  (url, { otherToken }) =>
    callApi(url, 'PUT', '/auth/password', {
      token: otherToken,
      body: { currentPassword: PASSWORD, newPassword: 'another password' },
    }),
  (url, { otherToken }) => callApi(url, 'DELETE', '/auth/sessions', { token: otherToken }),
];

/**
 * Puts people out who are connected to both servers, in each way in turn. Afterwards no server takes their token.
 * @returns the milliseconds until each connection was closed
 */
async function putOut(): Promise<number[]> {
  const urls = stack.servers.map(({ url }) => url);
  const urlOf = (index: number) => urls[index % urls.length] ?? '';
  const times: number[] = [];
  for (let index = 0; index < PEOPLE; index++) {
    const person = await join(urlOf(index));
    const connections = await Promise.all(urls.map((url) => connect(url, person.token)));
    const end = WAYS[index % WAYS.length];
    const startedAt = Date.now();
    // So that each way is tried at both servers.
    const answer = await end?.(urlOf(Math.floor(index / WAYS.length)), person);
    expect(answer?.status).toBe(200);
    await until('both connections to end', () =>
      connections.every(({ closedAt }) => closedAt() !== undefined),
    );
    times.push(...connections.map(({ closedAt }) => (closedAt() ?? 0) - startedAt));
    for (const url of urls) {
      expect((await callApi(url, 'GET', '/auth/me', { token: person.token })).status).toBe(401);
    }
  }
  return times;
}

async function isDegraded(): Promise<boolean> {
  const states = await Promise.all(
    stack.servers.map(async ({ url }) => {
      const answer = await fetch(`${url}/readyz`);
      return (await answer.json()) as { redis: string };
    }),
  );
  return states.every((state) => state.redis === 'degraded');
}

/** Puts people out and prints how long their connections lasted. */
async function measure(when: string): Promise<void> {
  const times = await putOut();
  printFigure(
    `Put out ${when}`,
    `${times.length} live connections at two servers ended ${percentile(times, 0.5)} ms after it was asked for in the median, ${Math.max(...times)} ms at most`,
  );
  expect(Math.max(...times)).toBeLessThan(maxMs(1000));
}

it('ends the sessions and live connections of anyone who is put out, at both servers', () =>
  measure('with Redis'));

it('ends them while Redis is frozen', async () => {
  redis.freeze();
  await measure('while Redis is frozen');
  redis.thaw();
});

it('ends them while Redis is away', async () => {
  await redis.stop();
  await until('Redis to be away', isDegraded);
  await measure('while Redis is away');
  await redis.start();
});
