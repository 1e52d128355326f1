import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOwnRedis } from '../../workers/testing/redis.ts';
import { createUsers, type TestUser } from '../fill.ts';
import { type Stack, startStack, until } from '../stack.ts';
import { callApi, maxMs, percentile, printFigure, sized } from './helpers.ts';

const PEOPLE = sized(8, 40);

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
  let closedAt: number | undefined;
  socket.on('disconnect', () => {
    closedAt = Date.now();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('synced', () => resolve());
    socket.once('connect_error', reject);
  });
  return { closedAt: () => closedAt };
}

/** Suspends people who are connected to both servers. @returns the milliseconds until each connection was closed */
async function suspendAll(): Promise<number[]> {
  const people = await createUsers(stack.databaseUrl, 'consumer', PEOPLE);
  const times: number[] = [];
  for (const [index, { id, token }] of people.entries()) {
    const urls = stack.servers.map(({ url }) => url);
    const connections = await Promise.all(urls.map((url) => connect(url, token)));
    const startedAt = Date.now();
    const { status } = await callApi(
      urls[index % urls.length] ?? '',
      'PUT',
      `/users/${id}/suspension`,
      { token: admin.token, body: { suspended: true, reason: '' } },
    );
    expect(status).toBe(200);
    await until('both connections to end', () =>
      connections.every(({ closedAt }) => closedAt() !== undefined),
    );
    times.push(...connections.map(({ closedAt }) => (closedAt() ?? 0) - startedAt));
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

/** Suspends people and prints how long their connections lasted. */
async function measure(when: string): Promise<void> {
  const times = await suspendAll();
  printFigure(
    `Suspended ${when}`,
    `${times.length} live connections at two servers ended ${percentile(times, 0.5)} ms after the admin asked for it in the median, ${Math.max(...times)} ms at most`,
  );
  expect(Math.max(...times)).toBeLessThan(maxMs(1000));
}

it(
  'ends the live connections of suspended people at both servers',
  () => measure('with Redis'),
  300_000,
);

it('ends them while Redis is frozen', async () => {
  redis.freeze();
  await measure('while Redis is frozen');
  redis.thaw();
}, 300_000);

it('ends them while Redis is away', async () => {
  await redis.stop();
  await until('Redis to be away', isDegraded);
  await measure('while Redis is away');
  await redis.start();
}, 300_000);
