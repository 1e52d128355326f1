import {
  createOrders,
  createProducts,
  createUsers,
  type TestUser,
  withDatabase,
} from '../e2e/fill.ts';
import { startStack } from '../e2e/stack.ts';
import { call } from './call.ts';
import { median, percentile, ROUNDS, report, round } from './report.ts';

/** Measures the first answer of a day's pick list with many orders, of one caller after the other. */
const ORDERS = 2000;
const LINES = 6;
const ANSWERS = 20;

const stack = await startStack({ seed: false });
const [farmer] = (await createUsers(stack.databaseUrl, 'farmer', 1)) as [TestUser];
const [consumer] = (await createUsers(stack.databaseUrl, 'consumer', 1)) as [TestUser];
const products = await createProducts(stack.databaseUrl, [farmer], LINES);
const [product, ...others] = products as [{ id: string; farmer: string }];
const ids = await createOrders(stack.databaseUrl, consumer, product, ORDERS);
await withDatabase(stack.databaseUrl, async (client) => {
  await client.query(
    `INSERT INTO order_lines (order_id, position, product_id, name, unit, price_minor, quantity_milli)
     SELECT o.id, 1 + other.position, p.id, p.name, p.unit, p.price_minor, 1000 * other.position
     FROM unnest($1::uuid[]) AS o (id),
       unnest($2::uuid[]) WITH ORDINALITY AS other (id, position) JOIN products p ON p.id = other.id`,
    [ids, others.map(({ id }) => id)],
  );
  await client.query(`UPDATE orders SET status = 'accepted' WHERE id = ANY ($1::uuid[])`, [ids]);
  await client.query('VACUUM ANALYZE');
});
const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

async function measure(): Promise<number[]> {
  const times: number[] = [];
  for (let answer = 0; answer < ANSWERS; answer++) {
    const startedAt = performance.now();
    const url = `${stack.url}/api/farm/picklist?date=${day}`;
    const { status, body } = await call('GET', url, undefined, farmer.token);
    times.push(performance.now() - startedAt);
    if (status !== 200) throw new Error(`${status}: ${body}`);
    const { products: totals } = JSON.parse(body).data as { products: unknown[] };
    if (totals.length !== LINES) throw new Error(`${totals.length} products instead of ${LINES}`);
  }
  return times;
}

await measure();
const rounds: number[][] = [];
for (let count = 0; count < ROUNDS; count++) rounds.push(await measure());
const p50 = median(rounds.map((times) => median(times)));
const p95 = median(rounds.map((times) => percentile(times, 0.95)));
report('picklist', [{ orders: ORDERS, lines: LINES, 'p50 ms': round(p50), 'p95 ms': round(p95) }], {
  [`a pick list of ${ORDERS} orders of ${LINES} lines under 60 ms (p50)`]: p50 < 60,
});
await stack.close();
