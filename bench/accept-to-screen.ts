import { createOrders, createProducts, createUsers, type TestUser } from '../e2e/fill.ts';
import { startStack } from '../e2e/stack.ts';
import { connect, emitOf, figuresOf, SECONDS, timesAtRate } from './at-rate.ts';
import { call } from './call.ts';
import { startFloor } from './floors/start.ts';
import { measureInterleaved, type Row, report } from './report.ts';

/**
 * Measures the time from the `PUT` that accepts an order to the consumer's socket, at 1, 100 and 300 a second. The
 * floor is Socket.IO alone, which emits the same from the same kind of handler after the same statement.
 */

const stack = await startStack({ seed: false, workers: 1 });
const [farmer] = (await createUsers(stack.databaseUrl, 'farmer', 1)) as [TestUser];
const [consumer] = (await createUsers(stack.databaseUrl, 'consumer', 1)) as [TestUser];
const [product] = (await createProducts(stack.databaseUrl, [farmer], 1)) as [
  { id: string; farmer: string },
];
const floor = await startFloor('socket-io', { DATABASE_URL: stack.databaseUrl });

/** The payload that the market sends, for the floor to send the same. */
const sample = await (async () => {
  const [id] = await createOrders(stack.databaseUrl, consumer, product, 1);
  const { body } = await call('GET', `${stack.url}/api/orders/${id}`, undefined, farmer.token);
  return JSON.parse(body).data as Record<string, unknown>;
})();

const toConsumer = await connect(stack.url, { token: consumer.token });
const toFloor = await connect(floor.url, { room: 'consumer' });

const accept = (id: string) =>
  call('PUT', `${stack.url}/api/orders/${id}`, { status: 'accepted' }, farmer.token);

const rows: Row[] = [];
const goals: Record<string, boolean> = {};
for (const rate of [1, 100, 300]) {
  const newOrders = () =>
    createOrders(stack.databaseUrl, consumer, product, Math.max(5, rate * SECONDS));
  const measured = await measureInterleaved({
    farmgate: async () => timesAtRate(rate, toConsumer, await newOrders(), accept),
    floor: async () => timesAtRate(rate, toFloor, await newOrders(), emitOf(floor.url, sample)),
  });
  const { row, p50, p99, floor50 } = figuresOf(rate, measured);
  rows.push(row);
  if (rate !== 100) continue;
  goals['p50 under 20 ms'] = p50 < 20;
  goals['p99 under 100 ms'] = p99 < 100;
  goals['p50 at most the floor plus 3 ms'] = p50 <= floor50 + 3;
  goals['p99 at most 5 times p50'] = p99 <= 5 * p50;
}
report('accept-to-screen', rows, goals);
toConsumer.disconnect();
toFloor.disconnect();
await floor.close();
await stack.close();
process.exit(0);
