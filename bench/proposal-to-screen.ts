import { io, type Socket } from 'socket.io-client';
import {
  createOrders,
  createProducts,
  createUsers,
  type TestUser,
  withDatabase,
} from '../e2e/fill.ts';
import { startStack } from '../e2e/stack.ts';
import { call } from './call.ts';
import { startFloor } from './floors/start.ts';
import { measureInterleaved, median, percentile, type Row, report, round } from './report.ts';

/**
 * Measures the time from the `POST` of a proposal to the consumer's socket, at 1 and 100 a second, beside Socket.IO
 * alone; and the time of one shortage that proposes to 500 orders.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
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

function connect(url: string, auth: Record<string, string>): Promise<Socket> {
  const socket = io(url, { auth, transports: ['websocket'] });
  return new Promise((resolve) => socket.once('synced', () => resolve(socket)));
}

const toConsumer = await connect(stack.url, { token: consumer.token });
const toFloor = await connect(floor.url, { room: 'consumer' });

/** Returns milliseconds from request to event for orders changed at a steady rate. */
async function measure(
  rate: number,
  socket: Socket,
  send: (id: string, lineId: string) => Promise<{ status: number; body: string }>,
): Promise<number[]> {
  const orders = [...(await newOrders(Math.max(5, rate * SECONDS)))];
  const startedAt = new Map<string, number>();
  const times: number[] = [];
  const onUpdate = (envelope: { data?: { _id: string }; _id?: string }) => {
    const started = startedAt.get(envelope.data?._id ?? envelope._id ?? '');
    if (started !== undefined) times.push(performance.now() - started);
  };
  socket.on('order.updated', onUpdate);
  const begin = performance.now();
  await Promise.all(
    orders.map(async ([id, lineId], index) => {
      const due = begin + (index * 1000) / rate;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      startedAt.set(id, performance.now());
      const { status, body } = await send(id, lineId);
      if (status >= 300) throw new Error(`${status}: ${body}`);
    }),
  );
  while (times.length < orders.length) await new Promise((resolve) => setTimeout(resolve, 5));
  socket.off('order.updated', onUpdate);
  return times;
}

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
  const measured = await measureInterleaved({
    farmgate: () => measure(rate, toConsumer, propose),
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
  const [p50, floor50] = [p(measured.farmgate, 0.5), p(measured.floor, 0.5)];
  rows.push({
    'a second': rate,
    'p50 ms': round(p50),
    'p99 ms': round(p(measured.farmgate, 0.99)),
    'floor p50 ms': round(floor50),
    'floor p99 ms': round(p(measured.floor, 0.99)),
  });
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
