import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from './testing/database.ts';
import { eventually } from './testing/market.ts';

/** Three processes start from their sources, perhaps on a busy machine. */
const START_MS = 90_000;
const TEST_MS = 240_000;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let folder: string;
let port: number;
const started: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'farmgate-cluster-'));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  port = (probe.address() as AddressInfo).port;
  probe.close();
});

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

// A failed test must leave nothing behind either.
afterEach(() => {
  for (const primary of started.splice(0)) primary.kill('SIGKILL');
});

function startServers(settings: Record<string, string> = {}) {
  const primary = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts'], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: database.url,
      REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      WEB_CONCURRENCY: '2',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  started.push(primary);
  let said = '';
  primary.stderr?.on('data', (text) => {
    said += text;
  });
  return { primary, said: () => said };
}

const isReady = () =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** The ids of the server processes below a primary. */
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

it(
  'shares a port between processes, replaces one that died, and ends them all',
  async () => {
    const { primary } = startServers();
    const exit = once(primary, 'exit');
    await eventually(isReady, START_MS);
    const first = await eventually(() => {
      const servers = serversOf(primary);
      return servers.length === 2 ? servers : undefined;
    }, START_MS);

    process.kill(first[0] ?? 0, 'SIGKILL');
    const second = await eventually(() => {
      const servers = serversOf(primary);
      return servers.length === 2 && !servers.includes(first[0] ?? 0) ? servers : undefined;
    }, START_MS);
    await eventually(isReady, START_MS);

    primary.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(second.filter(isRunning)).toEqual([]);
  },
  TEST_MS,
);

it(
  'leaves no server behind when it is killed',
  async () => {
    const { primary } = startServers();
    await eventually(isReady, START_MS);
    const servers = serversOf(primary);
    primary.kill('SIGKILL');
    await eventually(() => !servers.some(isRunning), 10_000);
  },
  TEST_MS,
);

it(
  'says once why it cannot serve',
  async () => {
    const taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
    const { primary, said } = startServers();
    expect(await once(primary, 'exit')).toEqual([1, null]);
    expect(said()).toBe(`Port ${port} is taken: stop what uses it, or set PORT to another one.\n`);
    taken.close();
  },
  TEST_MS,
);
