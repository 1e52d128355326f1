import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { MEMORY_ENV, NODE_FLAGS } from '../scripts/lib/node-flags.mjs';
import { keepingAwake, MONTH_LATER } from '../server/testing/awake.ts';
import { createTestDatabase, prepareFilled } from '../server/testing/database.ts';
import { killOnExit } from '../server/testing/kill-on-exit.ts';
import { scaled, until } from '../testing/until.ts';

/** A running program of the market. */
export interface Program {
  role: 'server' | 'workers';
  /** Its address; empty for workers. */
  url: string;
  pid: number;
  /** Returns its output so far. */
  output: () => string;
  isRunning: () => boolean;
  /** Sends a signal and waits for the exit. @returns the exit code, or null after a signal */
  end: (signal?: NodeJS.Signals) => Promise<number | null>;
}

export type Stack = Awaited<ReturnType<typeof startStack>>;

/** Returns a free port. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function start(
  role: Program['role'],
  env: Record<string, string | undefined>,
  url: string,
  programs: string,
): Program {
  const child = spawn(process.execPath, [...NODE_FLAGS, `${programs}/${role}.js`], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killOnExit(child);
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

/** Prints the end of what the programs wrote, after a test that failed. */
export function printOutput({ servers, workers }: Stack): void {
  for (const program of [...servers, ...workers]) {
    const state = program.isRunning() ? 'running' : 'exited';
    console.log(`${program.role} ${program.pid} ${state}: ${program.output().slice(-4000)}`);
  }
}

/** The secret that signs tokens. */
export const SECRET = 'a secret for tests alone, long enough to be one';

const SEED_PROGRAM = 'dist/server/seed.js';

/** Seeds the demo market. @throws with the program's output */
async function seed(env: Record<string, string | undefined>): Promise<void> {
  const child = spawn(process.execPath, [SEED_PROGRAM], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`Seeding exited with ${code}: ${output}`);
}

/** Has new orders alert the demo farms, and those that a test opens, at any hour, or nobody. */
async function setAlerts(databaseUrl: string, isOn: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const statement of keepingAwake(isOn ? {} : MONTH_LATER)) await client.query(statement);
  await client.end();
}

/**
 * Creates the demo market once a day; all stacks copy it. @returns the name of its database and the folder of its
 * pictures
 */
async function prepareDemoMarket(): Promise<{ database: string; pictures: string }> {
  const home = process.env.DATA_DIR ?? tmpdir();
  const fingerprint = createHash('sha1').update(await readFile(SEED_PROGRAM));
  fingerprint.update(`${home} ${new Date().toDateString()}`);
  const contents = `demo_${fingerprint.digest('hex').slice(0, 8)}`;
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
      // Days are those of the tests' own clock.
      MARKET_TIME_ZONE: 'UTC',
    });
  });
  return { database, pictures: path.join(folder, 'uploads') };
}

/**
 * Starts the built product as real processes: any number of servers and workers on one migrated database, with
 * the demo market unless `seed` is false.
 */
export async function startStack(
  options: {
    servers?: number;
    workers?: number;
    seed?: boolean;
    env?: Record<string, string>;
    /** Stores that the test started itself, to stop and restart them. */
    databaseUrl?: string;
    redisUrl?: string;
    /** The folder of the built programs, whose release the servers serve. */
    programs?: string;
    /**
     * New orders alert the demo farms, at whatever time of the day; without it they alert nobody before a month is over,
     * so that no test depends on the hour.
     */
    rings?: boolean;
  } = {},
) {
  const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-e2e-'));
  const demo = options.seed === false ? undefined : await prepareDemoMarket();
  const database = options.databaseUrl
    ? { url: options.databaseUrl, drop: async () => {} }
    : await createTestDatabase(demo?.database);
  if (demo && !options.databaseUrl) await setAlerts(database.url, options.rings ?? false);
  if (demo) await cp(demo.pictures, path.join(folder, 'uploads'), { recursive: true });
  const prefix = `e2e-${randomBytes(6).toString('hex')}`;
  const running: Program[] = [];
  // All servers use the first one's address as their public address, as behind a proxy.
  const firstPort = await freePort();
  const url = `http://localhost:${firstPort}`;

  const envWith = (port: number) => ({
    ...process.env,
    ...MEMORY_ENV,
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
    MARKET_TIME_ZONE: 'UTC',
    RATE_LIMIT_SCALE: '10000',
    SMTP_URL: '',
    // Only a Postgres of the test's own is made to hang. The shared one may be slow on a busy machine.
    ...(!options.databaseUrl && { DATABASE_SILENCE_MAX_MS: '30000' }),
    ...options.env,
  });

  // A server of the test's own cannot copy the demo market; with the pictures there, seeding is quick.
  if (demo && options.databaseUrl) await seed(envWith(0));

  const { programs = 'dist/server' } = options;

  /** Starts one more server and waits until it is ready to serve. */
  async function startServer(port?: number, folder = programs): Promise<Program> {
    const own = port ?? (await freePort());
    const program = start('server', envWith(own), `http://localhost:${own}`, folder);
    running.push(program);
    await until('the server to be ready', async () => {
      if (!program.isRunning()) throw new Error(`The server exited: ${program.output()}`);
      return fetch(`${program.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    return program;
  }

  /** Starts one more worker process. */
  function startWorkers(): Program {
    const program = start('workers', envWith(0), '', programs);
    running.push(program);
    return program;
  }

  /** Stops every program, drops the database and removes the files. */
  async function close(): Promise<void> {
    await Promise.all(
      running.map(async (program) => {
        if (!program.isRunning()) return;
        const forced = setTimeout(() => void program.end('SIGKILL'), scaled(15_000));
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
