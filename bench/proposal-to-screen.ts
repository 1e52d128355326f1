import {
  createOrders,
  createProducts,
  createUsers,
  type TestUser,
  withDatabase,
} from '../e2e/fill.ts';
import { startStack } from '../e2e/stack.ts';
import { connect, emitOf, figuresOf, SECONDS, timesAtRate } from './at-rate.ts';
import { call } from './call.ts';
import { startFloor } from './floors/start.ts';
import { measureInterleaved, median, type Row, report, round } from './report.ts';

/**
 * Measures the time from the `POST` of a proposal to the consumer's socket, at 1 and 100 a second, beside Socket.IO
 * alone; and the time of one shortage that proposes to 500 orders.
 */
const SHORTAGE_ORDERS = 500;

const stack = await startStack({ seed: false, workers: 1 });
const [farmer] = (await createUsers(stack.databaseUrl, 'farmer', 1)) as [TestUser];
const [consumer] = (await createUsers(stack.databaseUrl, 'consumer', 1)) as [TestUser];
const floor = await startFloor('socket-io', { DATABASE_URL: stack.databaseUrl });

const newProduct = async () =>
  ((await createProducts(stack.databaseUrl, [farmer], 1)) as [{ id: string; farmer: string }])[0];
const product = await newProduct();

/** Makes orders of one line each. @returns the ids of their lines, by that of the order */
async function newOrders(count: number, of = product): Promise<Map<string, string>> {
  const ids = await createOrders(stack.databaseUrl, consumer, of, count);
  const rows = await withDatabase(stack.databaseUrl, async (client) => {
    const found = await client.query<{ id: string; orderId: string }>(
      'SELECT id, order_id AS "orderId" FROM order_lines WHERE order_id = ANY ($1::uuid[])',
      [ids],
    );
    return found.rows;
  });
  return new Map(rows.map(({ id, orderId }) => [orderId, id]));
}

/** The payload that the market sends, for the floor to send the same. */
const sample = await (async () => {
  const [[id, lineId] = ['', '']] = await newOrders(1);
  const { body } = await propose(id, lineId);
  return JSON.parse(body).data as Record<string, unknown>;
})();

function propose(id: string, lineId: string) {
  const item = { lineId, action: 'reduce', newQuantity: 1, reason: 'not_harvested' };
  const body = { items: [item], expectedVersion: 1 };
  return call('POST', `${stack.url}/api/orders/${id}/changes`, body, farmer.token);
}

const toConsumer = await connect(stack.url, { token: consumer.token });
const toFloor = await connect(floor.url, { room: 'consumer' });

/** Returns the milliseconds of a shortage that proposes to all orders of a new product. */
async function measureShortage(): Promise<number> {
  const short = await newProduct();
  await newOrders(SHORTAGE_ORDERS, short);
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const body = {
    productId: short.id,
    from: day,
    to: day,
    available: SHORTAGE_ORDERS,
    rule: 'fair',
  };
  const startedAt = performance.now();
  const answer = await call('POST', `${stack.url}/api/farm/shortages`, body, farmer.token);
  const ms = performance.now() - startedAt;
  const { outcomes } = JSON.parse(answer.body).data as { outcomes: { outcome: string }[] };
  const proposed = outcomes.filter(({ outcome }) => outcome === 'proposed').length;
  if (proposed !== SHORTAGE_ORDERS) throw new Error(`Only ${proposed} orders got a proposal`);
  return ms;
}

const rows: Row[] = [];
const goals: Record<string, boolean> = {};
for (const rate of [1, 100]) {
  const count = Math.max(5, rate * SECONDS);
  const measured = await measureInterleaved({
    farmgate: async () => {
      const lines = await newOrders(count);
      const send = (id: string) => propose(id, lines.get(id) ?? '');
      return timesAtRate(rate, toConsumer, [...lines.keys()], send);
    },
    floor: async () =>
      timesAtRate(rate, toFloor, [...(await newOrders(count)).keys()], emitOf(floor.url, sample)),
  });
  const { row, p50, floor50 } = figuresOf(rate, measured);
  rows.push(row);
  if (rate === 1) goals['p50 at most the floor plus 3 ms'] = p50 <= floor50 + 3;
}
const { shortage } = await measureInterleaved({ shortage: measureShortage });
rows.push({ 'a second': `one shortage of ${SHORTAGE_ORDERS}`, 'p50 ms': round(median(shortage)) });
goals[`${SHORTAGE_ORDERS} proposals of one shortage within 2 s`] = median(shortage) < 2000;
report('proposal-to-screen', rows, goals);
toConsumer.disconnect();
toFloor.disconnect();
await floor.close();
await stack.close();
process.exit(0);
