import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, prepareFilled } from '../server/testing/database.ts';

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

/** What tokens are signed with. */
export const SECRET = 'a secret for tests alone, long enough to be one';

const SEED = 'dist/server/seed.js';

/** Puts the demo market into the stores. @throws with what the program printed */
async function seed(env: Record<string, string | undefined>): Promise<void> {
  const child = spawn(process.execPath, [SEED], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`Seeding ended with ${code}: ${output}`);
}

/**
 * The demo market, made once a day for all stacks, which copy it.
 * @returns its database's name and where its pictures lie
 */
async function demoMarket(): Promise<{ database: string; pictures: string }> {
  const home = process.env.DATA_DIR ?? tmpdir();
  const made = createHash('sha1').update(await readFile(SEED));
  made.update(`${home} ${new Date().toDateString()}`);
  const contents = `demo_${made.digest('hex').slice(0, 8)}`;
  const folder = path.join(home, contents);
  const database = await prepareFilled(contents, async (url) => {
    await rm(folder, { recursive: true, force: true });
    await seed({
      ...process.env,
      NODE_ENV: 'test',
      DATABASE_URL: url,
      REDIS_PREFIX: contents,
      DATA_DIR: folder,
      JWT_SECRET: SECRET,
      LOG_LEVEL: 'warn',
    });
  });
  return { database, pictures: path.join(folder, 'uploads') };
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
  const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-e2e-'));
  const demo = options.seed === false ? undefined : await demoMarket();
  const database = options.databaseUrl
    ? { url: options.databaseUrl, drop: async () => {} }
    : await createTestDatabase(demo?.database);
  if (demo) await cp(demo.pictures, path.join(folder, 'uploads'), { recursive: true });
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
    JWT_SECRET: SECRET,
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
