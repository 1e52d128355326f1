import autocannon from 'autocannon';
import { startStack } from '../e2e/stack.ts';
import { call } from './call.ts';
import { makePeople, makeProducts } from './fill.ts';
import { startFloor } from './floors/start.ts';
import { inTurns, median, type Row, report, round } from './report.ts';

/**
 * The catalogue: a list of 24 and of 100 of 200 products, and one product, read over 50 connections;
 * beside it Node answering a ready buffer of the same size, and Koa with one prepared statement.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);

async function perSecond(url: string): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({
    url,
    connections: 50,
    duration: SECONDS,
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} answers of ${url} were not 2xx.`);
  return requests.average;
}

const stack = await startStack({ seed: false, workers: 0 });
const farmers = await makePeople(stack.databaseUrl, 'farmer', 20);
const products = await makeProducts(stack.databaseUrl, farmers, 10);
const ready = await startFloor('ready-buffer');
const sql = await startFloor('koa-sql', { DATABASE_URL: stack.databaseUrl });
const id = products[0]?.id ?? '';

const rows: Row[] = [];
const goals: Record<string, boolean> = {};
for (const [name, path, floorPath] of [
  ['24 products', '/api/products?limit=24', '/list/24'],
  ['100 products', '/api/products?limit=100', '/list/100'],
  ['one product', `/api/products/${id}`, `/one/${id}`],
] as const) {
  const { body } = await call('GET', stack.url + path, undefined);
  await fetch(ready.url, { method: 'PUT', body });
  const measured = await inTurns({
    farmgate: () => perSecond(stack.url + path),
    ready: () => perSecond(ready.url),
    sql: () => perSecond(sql.url + floorPath),
  });
  const ofReady = median(
    measured.farmgate.map((value, turn) => value / (measured.ready[turn] ?? 1)),
  );
  const ofSql = median(measured.farmgate.map((value, turn) => value / (measured.sql[turn] ?? 1)));
  rows.push({
    read: name,
    bytes: body.length,
    'farmgate/s': round(median(measured.farmgate), 0),
    'ready buffer/s': round(median(measured.ready), 0),
    'koa + sql/s': round(median(measured.sql), 0),
    'of ready buffer': round(ofReady),
    'of koa + sql': round(ofSql),
  });
  goals[`${name}: at least 0.8 of the ready buffer`] = ofReady >= 0.8;
  goals[`${name}: at least 3 times Koa with one statement`] = ofSql >= 3;
}
report('catalogue', rows, goals);
await Promise.all([ready.close(), sql.close()]);
await stack.close();
process.exit(0);
