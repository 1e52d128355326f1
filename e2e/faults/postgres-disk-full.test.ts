import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../testing/until.ts';
import { formatSeconds, maxMs, printFigure } from './helpers.ts';
import { type Market, openMarket } from './market.ts';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts';

// The disk of the database's files fills up and is emptied again. Only root can make a small disk.

const DISK_BYTES = 64 * 1024 * 1024;
const isRoot = process.getuid?.() === 0;

let postgres: OwnPostgres;
let market: Market;
let disk: string;

beforeAll(async () => {
  if (!isRoot) return;
  disk = await mkdtemp(path.join(tmpdir(), 'farmgate-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', disk]);
  postgres = await startOwnPostgres();
  const files = path.join(disk, 'files');
  await mkdir(files, { mode: 0o700 });
  execFileSync('chown', [`--reference=${postgres.data}`, files]);
  await chmod(disk, 0o755);
  // A database is moved while nobody is connected to it.
  await postgres.stop('fast');
  await postgres.start();
  const url = new URL(postgres.url);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  await client.query(`CREATE TABLESPACE small LOCATION '${files}'`);
  await client.query('ALTER DATABASE farmgate SET TABLESPACE small');
  await client.end();
  market = await openMarket({ databaseUrl: postgres.url });
});
afterAll(async () => {
  await market?.close();
  await postgres?.remove();
  if (!disk) return;
  execFileSync('umount', [disk]);
  await rm(disk, { recursive: true });
});

it.skipIf(!isRoot)('loses nothing while the disk is full, and goes on when it is not', async () => {
  const load = market.load();
  const accepted = () => market.acceptedIds(load.orders);
  await until('orders to be accepted', () => accepted().length > 20);

  const filler = path.join(disk, 'filler');
  const fill = async () => {
    const { bavail, bsize } = await statfs(disk);
    await writeFile(filler, Buffer.alloc(bavail * bsize), { flag: 'a' }).catch(() => {});
  };
  await until('writes to be refused', async () => {
    await fill();
    return load.orders.filter(({ status }) => status === 503).length > 3;
  });
  let slowest = 0;
  await until('both servers to say why', async () => {
    const answers = await Promise.all(
      market.urls.map(async (url) => {
        const since = performance.now();
        const answer = await fetch(`${url}/readyz`);
        slowest = Math.max(slowest, performance.now() - since);
        return { status: answer.status, body: (await answer.json()) as Record<string, string> };
      }),
    );
    return answers.every(
      ({ status, body }) =>
        status === 503 && body.postgres === 'no writes' && /No space left/.test(body.reason ?? ''),
    );
  });

  await rm(filler);
  const recovered = await market.untilRecovered();
  await load.stop();

  const answers = [...load.reads, ...load.orders, ...load.messages];
  const others = answers.filter(({ status }) => ![200, 201, 503].includes(status));
  expect(others.map(({ status, error, body }) => ({ status, error, body }))).toEqual([]);
  const stored = await market.database.query('SELECT FROM orders WHERE id = ANY ($1)', [
    accepted(),
  ]);
  expect(stored.rowCount).toBe(accepted().length);
  await market.untilAllReceived('order.created', accepted());
  await market.untilAllReceived('message.created', market.acceptedIds(load.messages));
  for (const { duplicates, resyncs } of market.followers) {
    expect([duplicates, resyncs]).toEqual([0, 0]);
  }
  expect(market.exitedPrograms()).toEqual([]);
  const refused = answers.filter(({ status }) => status === 503).length;
  printFigure(
    'the disk of Postgres full under load, then emptied',
    `${accepted().length} orders accepted, all stored; meanwhile ${refused} × 503, 0 × 500; readiness said why within ${formatSeconds(slowest)}; ready again after ${formatSeconds(recovered)}, without a restart`,
  );
  expect(slowest).toBeLessThan(maxMs(2000));
});
