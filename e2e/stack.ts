import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase } from '../server/testing/database.ts';

/** A running program of the market. */
export interface Program {
  role: 'server' | 'workers';
  /** Where it listens; workers listen nowhere. */
  url: string;
  pid: number;
  /** What it printed so far. */
  output: () => string;
  isRunning: () => boolean;
  /** Sends a signal and waits until it has ended. @returns its exit code, or null after a signal */
  end: (signal?: NodeJS.Signals) => Promise<number | null>;
}

export type Stack = Awaited<ReturnType<typeof startStack>>;

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Waits until `condition` gives something true. @throws with `what` after `withinMs` */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  withinMs = 20_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + withinMs;
  for (;;) {
    const value = await condition();
    if (value) return value as NonNullable<T>;
    if (Date.now() > end) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

const programs = new Set<ChildProcess>();
// Whatever happens to the test, nothing of it goes on running.
process.once('exit', () => {
  for (const child of programs) child.kill('SIGKILL');
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));

/** Has a program end with this process, however that ends. */
export function endWithUs(child: ChildProcess): void {
  programs.add(child);
  child.once('exit', () => programs.delete(child));
}

function start(
  role: Program['role'],
  env: Record<string, string | undefined>,
  url: string,
): Program {
  const child = spawn(process.execPath, ['--enable-source-maps', `dist/server/${role}.js`], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithUs(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-200_000);
    });
  }
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    role,
    url,
    pid: child.pid ?? 0,
    output: () => output,
    isRunning,
    end: async (signal = 'SIGTERM') => {
      if (isRunning()) child.kill(signal);
      return (await exited)[0];
    },
  };
}

/** Runs one of the built programs that end by themselves. @throws with what it printed */
async function runToEnd(name: 'seed', env: Record<string, string | undefined>): Promise<void> {
  const child = spawn(process.execPath, [`dist/server/${name}.js`], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${output}`);
}

/** The demo market's pictures, once drawn: that takes longer than all else of a seed. */
const PICTURES = path.join(process.env.DATA_DIR ?? tmpdir(), 'demo-pictures');

/** Puts the demo market into the stores, with pictures that an earlier stack has drawn. */
async function seedInto(folder: string, env: Record<string, string | undefined>): Promise<void> {
  const uploads = path.join(folder, 'uploads');
  const areDrawn = existsSync(PICTURES);
  if (areDrawn) await cp(PICTURES, uploads, { recursive: true });
  await runToEnd('seed', env);
  if (areDrawn) return;
  const draft = `${PICTURES}.${randomBytes(3).toString('hex')}`;
  await cp(uploads, draft, { recursive: true });
  // Another stack may have been quicker.
  await rename(draft, PICTURES).catch(() => rm(draft, { recursive: true }));
}

/**
 * The built product as real processes on stores of their own: any number of servers and workers over
 * one migrated database, with the demo market in it unless `seed` is false.
 */
export async function startStack(
  options: {
    servers?: number;
    workers?: number;
    seed?: boolean;
    env?: Record<string, string>;
    /** Stores of the test's own, where it stops and restarts them. */
    databaseUrl?: string;
    redisUrl?: string;
  } = {},
) {
  const database = options.databaseUrl
    ? { url: options.databaseUrl, drop: async () => {} }
    : await createTestDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-e2e-'));
  const prefix = `e2e-${randomBytes(6).toString('hex')}`;
  const running: Program[] = [];
  // All servers show themselves under the first one's address, as they would behind a proxy.
  const firstPort = await freePort();
  const url = `http://localhost:${firstPort}`;

  const envWith = (port: number) => ({
    ...process.env,
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    DATABASE_URL: database.url,
    REDIS_URL: options.redisUrl ?? process.env.REDIS_URL,
    REDIS_PREFIX: prefix,
    DATA_DIR: folder,
    JWT_SECRET: 'a secret for tests alone, long enough to be one',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_SCALE: '10000',
    SMTP_URL: '',
    ...options.env,
  });

  /** Starts one more server and waits until it is ready to serve. */
  async function startServer(port?: number): Promise<Program> {
    const own = port ?? (await freePort());
    const program = start('server', envWith(own), `http://localhost:${own}`);
    running.push(program);
    await until(
      'the server to be ready',
      async () => {
        if (!program.isRunning()) throw new Error(`The server ended: ${program.output()}`);
        return fetch(`${program.url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      },
      60_000,
    );
    return program;
  }

  /** Starts one more worker process. */
  function startWorkers(): Program {
    const program = start('workers', envWith(0), '');
    running.push(program);
    return program;
  }

  /** Ends every program, drops the database and removes the files. */
  async function close(): Promise<void> {
    await Promise.all(
      running.map(async (program) => {
        if (!program.isRunning()) return;
        const forced = setTimeout(() => void program.end('SIGKILL'), 15_000);
        await program.end('SIGTERM');
        clearTimeout(forced);
      }),
    );
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }

  if (options.seed !== false) await seedInto(folder, envWith(0));
  const servers = [await startServer(firstPort)];
  while (servers.length < (options.servers ?? 1)) servers.push(await startServer());
  const workers = Array.from({ length: options.workers ?? 1 }, startWorkers);

  return {
    url,
    databaseUrl: database.url,
    folder,
    prefix,
    servers,
    workers,
    startServer,
    startWorkers,
    close,
  };
}
