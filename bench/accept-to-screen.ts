import { io, type Socket } from 'socket.io-client';
import { createOrders, createProducts, createUsers, type TestUser } from '../e2e/fill.ts';
import { startStack } from '../e2e/stack.ts';
import { call } from './call.ts';
import { startFloor } from './floors/start.ts';
import { measureInterleaved, median, percentile, type Row, report, round } from './report.ts';

/**
 * Measures the time from the `PUT` that accepts an order to the consumer's socket, at 1, 100 and 300 a second. The
 * floor is Socket.IO alone, which emits the same from the same kind of handler after the same statement.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);

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

function connect(url: string, auth: Record<string, string>): Promise<Socket> {
  const socket = io(url, { auth, transports: ['websocket'] });
  return new Promise((resolve) => socket.once('synced', () => resolve(socket)));
}

const toConsumer = await connect(stack.url, { token: consumer.token });
const toFloor = await connect(floor.url, { room: 'consumer' });

/** Returns milliseconds from request to event for orders accepted at a steady rate. */
async function measure(
  rate: number,
  socket: Socket,
  accept: (id: string) => Promise<{ status: number; body: string }>,
): Promise<number[]> {
  const ids = await createOrders(stack.databaseUrl, consumer, product, Math.max(5, rate * SECONDS));
  const startedAt = new Map<string, number>();
  const times: number[] = [];
  const onUpdate = (envelope: { data?: { _id: string }; _id?: string }) => {
    const id = envelope.data?._id ?? envelope._id ?? '';
    const started = startedAt.get(id);
    if (started !== undefined) times.push(performance.now() - started);
  };
  socket.on('order.updated', onUpdate);
  const begin = performance.now();
  await Promise.all(
    ids.map(async (id, index) => {
      const due = begin + (index * 1000) / rate;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      startedAt.set(id, performance.now());
      const { status, body } = await accept(id);
      if (status !== 200) throw new Error(`${status}: ${body}`);
    }),
  );
  while (times.length < ids.length) await new Promise((resolve) => setTimeout(resolve, 5));
  socket.off('order.updated', onUpdate);
  return times;
}

const rows: Row[] = [];
const goals: Record<string, boolean> = {};
for (const rate of [1, 100, 300]) {
  const measured = await measureInterleaved({
    farmgate: () =>
      measure(rate, toConsumer, (id) =>
        call('PUT', `${stack.url}/api/orders/${id}`, { status: 'accepted' }, farmer.token),
      ),
    floor: () =>
      measure(rate, toFloor, (id) =>
        call('POST', `${floor.url}/emit?room=consumer&event=order.updated&order=${id}`, {
          ...sample,
          _id: id,
        }),
      ),
  });
  const p = (values: number[][], part: number) =>
    median(values.map((times) => percentile(times, part)));
  const [p50, p99] = [p(measured.farmgate, 0.5), p(measured.farmgate, 0.99)];
  const floor50 = p(measured.floor, 0.5);
  rows.push({
    'a second': rate,
    'p50 ms': round(p50),
    'p99 ms': round(p99),
    'floor p50 ms': round(floor50),
    'floor p99 ms': round(p(measured.floor, 0.99)),
  });
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
