import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase as openOurs } from '../../prisma/client.ts';
import { createTestDatabase } from '../../server/testing/database.ts';
import { killOnExit } from '../../server/testing/kill-on-exit.ts';
import { until } from '../../testing/until.ts';
import { freePort } from '../stack.ts';
import { callApi, openDatabase, printFigure } from './helpers.ts';
import { openMarket } from './market.ts';

// The market behind PgBouncer, which refuses unknown start-up parameters, and in one of its modes gives every
// transaction another session.

const program = process.env.PGBOUNCER_PATH;
const runProgram = promisify(execFile);
const cleanUps: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

/** Starts PgBouncer before a database. @returns its address */
async function startPooler(direct: string, mode: 'session' | 'transaction'): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-pooler-'));
  await chmod(folder, 0o755);
  const { hostname, port, username, password, pathname } = new URL(direct);
  const own = await freePort();
  const settings = path.join(folder, 'pgbouncer.ini');
  await writeFile(
    settings,
    `[databases]
market = host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
max_client_conn = 500
default_pool_size = ${mode === 'session' ? 100 : 4}
`,
  );
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(program ?? '', ['--quiet', settings], { ...account, stdio: 'ignore' });
  killOnExit(child);
  cleanUps.push(async () => {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true });
  });
  const url = `postgres://market:any@127.0.0.1:${own}/market`;
  const pool = openDatabase(url);
  await until('the pooler to answer', () =>
    pool.query('SELECT 1').then(
      () => true,
      () => false,
    ),
  );
  await pool.end();
  return url;
}

describe.skipIf(program === undefined)('behind PgBouncer', () => {
  it.each(['session', 'transaction'] as const)('runs the whole market in %s mode', async (mode) => {
    const made = await createTestDatabase('template1');
    cleanUps.push(made.drop);
    const pooled = await startPooler(made.url, mode);
    const settings =
      mode === 'session'
        ? { DATABASE_URL: pooled }
        : { DATABASE_URL: `${pooled}?pgbouncer=true`, DIRECT_URL: made.url };
    const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-pooled-'));
    cleanUps.push(() => rm(folder, { recursive: true }));
    const run = (name: string, ...args: string[]) =>
      runProgram(process.execPath, [`dist/server/${name}.js`, ...args], {
        env: { ...process.env, ...settings, DATA_DIR: folder, NODE_ENV: 'test' },
      });
    await run('migrate');

    const market = await openMarket({
      databaseUrl: settings.DATABASE_URL,
      env: { ...settings, UNREAD_EMAIL_AFTER_SECONDS: '0' },
    });
    cleanUps.push(market.close);
    const load = market.load();
    const accepted = () => market.acceptedIds(load.orders);
    await until('orders to be accepted', () => accepted().length > 60);
    // A dead worker's locks are free at once, in whichever session it had them.
    await market.stack.workers[0]?.end('SIGKILL');
    market.stack.startWorkers();
    const after = accepted().length;
    await until('more orders to be accepted', () => accepted().length > after + 60);
    await load.stop();
    for (const id of accepted().slice(0, 5)) {
      const answer = await callApi(market.urls[1], 'PUT', `/orders/${id}`, {
        token: market.farmer.token,
        body: { status: 'accepted' },
      });
      expect(answer.status).toBe(200);
    }
    const answers = [...load.reads, ...load.orders, ...load.messages];
    expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    await market.untilAllReceived('order.created', accepted());
    await market.untilAllReceived('message.created', market.acceptedIds(load.messages));
    const counts = await market.untilAllDelivered();
    expect(counts.failed ?? 0).toBe(0);
    for (const { duplicates, resyncs } of market.followers) {
      expect([duplicates, resyncs]).toEqual([0, 0]);
    }
    for (const each of [...market.stack.servers, ...market.stack.workers]) {
      expect(each.output()).not.toMatch(/prepared statement|unsupported startup/);
    }
    const { stdout } = await run('backup', '--to', folder);
    expect(stdout).toMatch(/read again and whole/);
    printFigure(
      `the market behind PgBouncer in ${mode} mode`,
      `${accepted().length} orders, each received once and every mail sent once, one worker killed; backed up`,
    );
  });

  it('gives no session to somebody else with its limits', async () => {
    const made = await createTestDatabase();
    cleanUps.push(made.drop);
    const pooled = await startPooler(made.url, 'transaction');
    const ours = openOurs({
      connectionString: `${pooled}?pgbouncer=true`,
      directUrl: made.url,
      poolSize: 2,
      statementMaxMs: 50,
    });
    await ours.pool.query({ name: 'named', text: 'SELECT $1::int', values: [1] });
    const others = openDatabase(pooled);
    await others.query('SELECT pg_sleep(0.2)');
    const { rows } = await others.query('SELECT count(*)::int AS kept FROM pg_prepared_statements');
    expect(rows).toEqual([{ kept: 0 }]);
    await others.end();
    await ours.close();
  });
});
