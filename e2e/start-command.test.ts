import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../server/testing/database.ts';
import { killOnExit } from '../server/testing/kill-on-exit.ts';
import { scaled, until } from '../testing/until.ts';
import { freePort } from './stack.ts';

// The commands that a new operator types, on stores of the test.

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let folder: string;
let env: Record<string, string | undefined>;
let url: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'farmgate-start-'));
  const port = await freePort();
  url = `http://localhost:${port}`;
  env = {
    ...process.env,
    SEED: 'none',
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: url,
    DATABASE_URL: database.url,
    REDIS_PREFIX: path.basename(folder),
    DATA_DIR: folder,
    NODE_ENV: '',
  };
});
afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs one of the npm commands as its script. */
function run(script: string, ...args: string[]) {
  const child: ChildProcess = spawn(process.execPath, [`scripts/${script}.mjs`, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killOnExit(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  // Not `exit`, after which the last of its output may still come.
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return { child, output: () => output, exited };
}

const call = async (method: string, address: string, body?: unknown) => {
  const response = await fetch(`${url}/api${address}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
};
const isSetupNeeded = async () =>
  ((await call('GET', '/setup')).body as { data: { isNeeded: boolean } }).data.isNeeded;

it('starts an empty market with a link to set it up, and an admin made by the command rules it', async () => {
  const start = run('start');
  await until(
    'the market to be open',
    () => {
      if (start.child.exitCode !== null) throw new Error(`It exited: ${start.output()}`);
      return start.output().includes('Ctrl-C stops it.');
    },
    scaled(240_000),
  );
  expect(start.output()).toContain(`Farmgate is open: ${url}`);
  expect(start.output()).not.toContain('password123');
  await until('the link', () => start.output().includes(`${url}/setup#token=`));
  expect(await isSetupNeeded()).toBe(true);
  expect((await call('GET', '/categories')).body).toMatchObject({ count: 0 });

  const refused = run('database', 'create-admin', '--email', 'nonsense');
  expect(await refused.exited).toBe(1);
  expect(refused.output()).toMatch(/--email: .+\n.*npm run create-admin -- --email/);

  const email = 'ada@farm.example';
  const made = run(
    'database',
    'create-admin',
    '--email',
    email,
    '--name',
    'Ada',
    '--password',
    'secret words',
  );
  expect(await made.exited).toBe(0);
  expect(made.output()).toContain(`${email} is an admin of this market now.`);
  expect(await isSetupNeeded()).toBe(false);
  expect(await call('POST', '/auth/login', { email, password: 'secret words' })).toMatchObject({
    status: 200,
    body: { user: { name: 'Ada', role: 'admin' } },
  });

  const linked = run('database', 'create-admin', '--email', 'bea@farm.example');
  expect(await linked.exited).toBe(0);
  expect(linked.output()).toContain(`${url}/reset-password?token=`);

  start.child.kill('SIGTERM');
  expect(await start.exited).toBe(0);
});
