import autocannon from 'autocannon';
import { createProducts, createUsers } from '../e2e/fill.ts';
import { startStack } from '../e2e/stack.ts';
import { call } from './call.ts';
import { startFloor } from './floors/start.ts';
import { pidOn, residentKb } from './memory.ts';
import { median, ROUNDS, type Row, report, round } from './report.ts';

/**
 * Measures lists of 24 and 100 of 200 products, and one product, over 50 connections. The floors are Node sending a
 * prepared buffer of the same size, and Koa with one prepared statement. Each round starts new programs, because
 * a program that starts slow stays slow, by up to a quarter.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const WARM_UP_SECONDS = 1;

async function perSecond(url: string): Promise<number> {
  const load = (duration: number) => autocannon({ url, connections: 50, duration });
  await load(WARM_UP_SECONDS);
  const { requests, non2xx, errors } = await load(SECONDS);
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} responses of ${url} were not 2xx.`);
  return requests.average;
}

interface Measured {
  bytes: number;
  farmgate: number;
  ready: number;
  sql: number;
}

interface Round {
  reads: Record<string, Measured>;
  /** The server's resident memory after all reads, in megabytes. */
  serverMb: number;
}

/** Measures all reads of all three programs, started for this round only. */
async function measureRound(): Promise<Round> {
  const stack = await startStack({ seed: false, workers: 0 });
  const farmers = await createUsers(stack.databaseUrl, 'farmer', 20);
  const products = await createProducts(stack.databaseUrl, farmers, 10);
  const ready = await startFloor('ready-buffer');
  const sql = await startFloor('koa-sql', { DATABASE_URL: stack.databaseUrl });
  const id = products[0]?.id ?? '';
  const measured: Record<string, Measured> = {};
  for (const [name, path, floorPath] of [
    ['24 products', '/api/products?limit=24', '/list/24'],
    ['100 products', '/api/products?limit=100', '/list/100'],
    ['one product', `/api/products/${id}`, `/one/${id}`],
  ] as const) {
    const { body } = await call('GET', stack.url + path, undefined);
    await fetch(ready.url, { method: 'PUT', body });
    measured[name] = {
      bytes: body.length,
      farmgate: await perSecond(stack.url + path),
      ready: await perSecond(ready.url),
      sql: await perSecond(sql.url + floorPath),
    };
    process.stderr.write('.');
  }
  const serverMb = residentKb(pidOn(stack.url)) / 1024;
  await Promise.all([ready.close(), sql.close()]);
  await stack.close();
  return { reads: measured, serverMb };
}

const rounds: Round[] = [];
while (rounds.length < ROUNDS) rounds.push(await measureRound());
process.stderr.write('\n');

const rows: Row[] = [];
const goals: Record<string, boolean> = {};
for (const name of Object.keys(rounds[0]?.reads ?? {})) {
  const all = rounds.map(({ reads }) => reads[name]).filter((each) => each !== undefined);
  const middle = (value: (each: Measured) => number) => median(all.map(value));
  const ofReady = middle(({ farmgate, ready }) => farmgate / ready);
  const ofSql = middle(({ farmgate, sql }) => farmgate / sql);
  rows.push({
    read: name,
    bytes: middle(({ bytes }) => bytes),
    'farmgate/s': round(
      middle(({ farmgate }) => farmgate),
      0,
    ),
    'prepared buffer/s': round(
      middle(({ ready }) => ready),
      0,
    ),
    'koa + sql/s': round(
      middle(({ sql }) => sql),
      0,
    ),
    'of prepared buffer': round(ofReady),
    'of koa + sql': round(ofSql),
  });
  goals[`${name}: at least 0.8 of the prepared buffer`] = ofReady >= 0.8;
  goals[`${name}: at least 3 times Koa with one statement`] = ofSql >= 3;
}
const serverMb = round(median(rounds.map((each) => each.serverMb)), 0);
rows.push({ read: 'server memory, MB', farmgate: serverMb });
goals['server memory after all reads: at most 200 MB'] = serverMb <= 200;
report('catalogue', rows, goals);
process.exit(0);
