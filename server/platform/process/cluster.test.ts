// @long It starts programs.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { io } from 'socket.io-client';
import { afterAll, afterEach, expect, it } from 'vitest';
import { freePort } from '../../../e2e/stack.ts';
import { scaled, until } from '../../../testing/until.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { killOnExit } from '../../testing/kill-on-exit.ts';

const started: ChildProcess[] = [];

const database = await createTestDatabase();
const folder: string = await mkdtemp(path.join(tmpdir(), 'farmgate-cluster-'));
const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const port: number = (probe.address() as AddressInfo).port;
probe.close();

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

// A failed test must not leave processes running.
afterEach(() => {
  for (const primary of started.splice(0)) primary.kill('SIGKILL');
});

function startServers(settings: Record<string, string> = {}) {
  const primary = spawn(process.execPath, ['dist/server/server.js'], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: database.url,
      // A busy machine may be slow to schedule Postgres.
      DATABASE_SILENCE_MAX_MS: String(Math.min(60_000, scaled(30_000))),
      REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      WEB_CONCURRENCY: '2',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  killOnExit(primary);
  started.push(primary);
  let stderr = '';
  primary.stderr?.on('data', (text) => {
    stderr += text;
  });
  return { primary, stderr: () => stderr };
}

/** How a program that cannot start ended, once all that it printed has come. */
const failed = (primary: ChildProcess) => once(primary, 'close');

const isReady = () =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Returns the process ids of a primary's servers. */
function serversOf({ pid }: ChildProcess): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').filter(Boolean).map(Number);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it('shares a port between processes, replaces one that was killed, and shuts all of them down', async () => {
  const { primary } = startServers();
  const exit = once(primary, 'exit');
  await until(isReady);
  const first = await until(() => {
    const servers = serversOf(primary);
    return servers.length === 2 ? servers : undefined;
  });

  process.kill(first[0] ?? 0, 'SIGKILL');
  const second = await until(() => {
    const servers = serversOf(primary);
    return servers.length === 2 && !servers.includes(first[0] ?? 0) ? servers : undefined;
  });
  await until(isReady);

  primary.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(second.filter(isRunning)).toEqual([]);
});

it('leaves no server process behind when the primary is killed', async () => {
  const { primary } = startServers();
  await until(isReady);
  const servers = serversOf(primary);
  primary.kill('SIGKILL');
  await until(() => !servers.some(isRunning));
});

/** Returns how many requests of unknown routes the metrics count, over all their processes. */
const countOf = (metrics: string): number =>
  [
    ...metrics.matchAll(
      /^farmgate_http_request_duration_seconds_count\{.*route="unknown".*\} (\d+)/gm,
    ),
  ]
    .map(([, count]) => Number(count))
    .reduce((sum, count) => sum + count, 0);

it('serves the metrics of all processes together, on METRICS_PORT and by token', async () => {
  const metricsPort = await freePort();
  const token = 'a token of the metrics';
  const { primary } = startServers({ METRICS_PORT: String(metricsPort), METRICS_TOKEN: token });
  await until(isReady);
  await until(() => serversOf(primary).length === 2);
  const metricsOf = async (at: number, authorization = '') => {
    const answer = await fetch(`http://127.0.0.1:${at}/metrics`, { headers: { authorization } });
    return { status: answer.status, text: await answer.text() };
  };
  /** Asks again where a process was too slow to send its metrics in time. */
  const scrape = (at: number, authorization?: string) =>
    until(async () => {
      const metrics = await metricsOf(at, authorization);
      return metrics.status === 503 ? undefined : metrics;
    });
  // One connection each, so that the processes take turns.
  const requestUnknown = () =>
    fetch(`http://127.0.0.1:${port}/api/nowhere`, { headers: { connection: 'close' } });
  await until(async () => {
    const { text } = await metricsOf(metricsPort);
    return /^process_cpu_seconds_total/m.test(text);
  });
  const before = countOf((await scrape(metricsPort)).text);
  for (let count = 0; count < 20; count++) expect((await requestUnknown()).status).toBe(404);
  expect(countOf((await scrape(metricsPort)).text)).toBe(before + 20);
  for (let times = 0; times < 4; times++) {
    const { status, text } = await scrape(port, `Bearer ${token}`);
    expect([status, countOf(text)]).toEqual([200, before + 20]);
  }
  expect((await metricsOf(port)).status).toBe(401);
  primary.kill('SIGTERM');
  expect(await once(primary, 'exit')).toEqual([0, null]);
});

it.each(['1', '2'])('reports that METRICS_PORT is taken (%s processes)', async (count) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const metricsPort = (taken.address() as AddressInfo).port;
  const { primary, stderr } = startServers({
    METRICS_PORT: String(metricsPort),
    WEB_CONCURRENCY: count,
  });
  expect(await failed(primary)).toEqual([1, null]);
  expect(stderr()).toBe(
    `Port ${metricsPort} is taken: stop what uses it, or set METRICS_PORT to another one.\n`,
  );
  taken.close();
});

it.each(['1', '2'])(
  'listens on the loopback addresses of both families with HOST=localhost (%s processes)',
  async (count) => {
    const { primary } = startServers({ HOST: 'localhost', WEB_CONCURRENCY: count });
    await until(isReady);
    const statusAt = (host: string) =>
      fetch(`http://${host}:${port}/readyz`).then(
        ({ status }) => status,
        (error) => error.cause?.code,
      );
    const hasIpv6 = Object.values(networkInterfaces())
      .flat()
      .some((each) => each?.address === '::1');
    expect(await statusAt('127.0.0.1')).toBe(200);
    expect(await statusAt('localhost')).toBe(200);
    if (hasIpv6) expect(await until(() => statusAt('[::1]'))).toBe(200);
    // Sockets connect on both too.
    for (const host of hasIpv6 ? ['127.0.0.1', '[::1]'] : ['127.0.0.1']) {
      const socket = io(`http://${host}:${port}`, { transports: ['websocket'] });
      await new Promise((resolve) => socket.once('connect', () => resolve(undefined)));
      socket.disconnect();
    }
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((each) => each?.family === 'IPv4' && !each.internal);
    if (outside) expect(await statusAt(outside.address)).toBe('ECONNREFUSED');
    primary.kill('SIGTERM');
    expect(await once(primary, 'exit')).toEqual([0, null]);
  },
);

it.each(['1', '2'])(
  'reports that the port is taken on only one of the two families (%s processes)',
  async (count) => {
    const taken = createServer();
    taken.listen({ port, host: '::1', ipv6Only: true });
    const listens = await once(taken, 'listening').then(
      () => true,
      () => false,
    );
    if (!listens) return;
    const { primary, stderr } = startServers({ HOST: 'localhost', WEB_CONCURRENCY: count });
    expect(await failed(primary)).toEqual([1, null]);
    expect(stderr()).toBe(
      `Port ${port} is taken: stop what uses it, or set PORT to another one.\n`,
    );
    taken.close();
  },
);

it('reports only once why it cannot start', async () => {
  const taken = createServer().listen(port, '127.0.0.1');
  await once(taken, 'listening');
  const { primary, stderr } = startServers();
  expect(await failed(primary)).toEqual([1, null]);
  expect(stderr()).toBe(`Port ${port} is taken: stop what uses it, or set PORT to another one.\n`);
  taken.close();
});
