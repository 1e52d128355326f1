import { io, type Socket } from 'socket.io-client';
import { createOrders, createProducts, createUsers, type TestUser } from '../e2e/fill.ts';
import { startStack } from '../e2e/stack.ts';
import { call } from './call.ts';
import { startFloor } from './floors/start.ts';
import { pidOn, residentKb } from './memory.ts';
import { measureInterleaved, median, type Row, report, round } from './report.ts';

/**
 * Measures one stock change sent to 1,000 and 5,000 sockets that watch the product, with one order event in
 * between, and the memory per connection. The floor is Socket.IO alone with the same payload.
 */
const stack = await startStack({ seed: false, workers: 0, env: { LOG_LEVEL: 'error' } });
const [farmer] = (await createUsers(stack.databaseUrl, 'farmer', 1)) as [TestUser];
const [consumer] = (await createUsers(stack.databaseUrl, 'consumer', 1)) as [TestUser];
const [product] = (await createProducts(stack.databaseUrl, [farmer], 1)) as [
  { id: string; farmer: string },
];
const sample = JSON.parse(
  (await call('GET', `${stack.url}/api/products/${product.id}`, undefined)).body,
).data as Record<string, unknown> & { category: { _id: string } };

async function connectMany(count: number, open: () => Promise<Socket>): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    sockets.push(...(await Promise.all(Array.from({ length: 100 }, open))));
  }
  return sockets;
}

const openFloor = (url: string) => (): Promise<Socket> => {
  const socket = io(url, { auth: { room: 'watchers' }, transports: ['websocket'], forceNew: true });
  return new Promise((resolve) => socket.once('synced', () => resolve(socket)));
};

const openMarket = (): Promise<Socket> => {
  const socket = io(stack.url, { transports: ['websocket'], forceNew: true });
  return new Promise((resolve) =>
    socket.once('synced', () =>
      socket.emit('products.watch', { productIds: [product.id] }, () => resolve(socket)),
    ),
  );
};

/** Returns milliseconds from the request until the last socket received the event. */
async function timeToAllSockets(
  sockets: readonly Socket[],
  event: string,
  send: () => Promise<{ status: number; body: string }>,
): Promise<number> {
  let left = sockets.length;
  let done: () => void = () => {};
  const allReceived = new Promise<void>((resolve) => {
    done = resolve;
  });
  const onEvent = () => {
    if (--left === 0) done();
  };
  for (const socket of sockets) socket.on(event, onEvent);
  const begin = performance.now();
  const answer = await send();
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
  await allReceived;
  const took = performance.now() - begin;
  for (const socket of sockets) socket.off(event, onEvent);
  return took;
}

const rows: Row[] = [];
const goals: Record<string, boolean> = {};
let stock = 900_000;
for (const count of [1000, 5000]) {
  const floor = await startFloor('socket-io', { DATABASE_URL: stack.databaseUrl });
  const [marketPid, floorPid] = [pidOn(stack.url), floor.child.pid ?? 0];
  const before = { market: residentKb(marketPid), floor: residentKb(floorPid) };
  const watchers = await connectMany(count, openMarket);
  const listeners = await connectMany(count, openFloor(floor.url));
  const perConnection = {
    market: (residentKb(marketPid) - before.market) / count,
    floor: (residentKb(floorPid) - before.floor) / count,
  };
  const toConsumer = io(stack.url, {
    auth: { token: consumer.token },
    transports: ['websocket'],
    forceNew: true,
  });
  await new Promise((resolve) => toConsumer.once('synced', resolve));

  const measured = await measureInterleaved({
    farmgate: async () => {
      const [order] = await createOrders(stack.databaseUrl, consumer, product, 1);
      const orderReceived = new Promise((resolve) => toConsumer.once('order.updated', resolve));
      const [took] = await Promise.all([
        timeToAllSockets(watchers, 'product.updated', () =>
          call(
            'PUT',
            `${stack.url}/api/products/${product.id}`,
            {
              ...sample,
              category: sample.category._id,
              quantityAvailable: --stock,
            },
            farmer.token,
          ),
        ),
        call('PUT', `${stack.url}/api/orders/${order}`, { status: 'accepted' }, farmer.token),
        orderReceived,
      ]);
      return took;
    },
    floor: () =>
      timeToAllSockets(listeners, 'product.updated', () =>
        call('POST', `${floor.url}/emit?room=watchers&event=product.updated`, {
          seq: 1,
          id: product.id,
          at: new Date().toISOString(),
          name: 'product.updated',
          data: sample,
        }),
      ),
  });
  const share = median(measured.farmgate.map((value, turn) => value / (measured.floor[turn] ?? 1)));
  const memory = perConnection.market / perConnection.floor;
  rows.push({
    sockets: count,
    'farmgate ms': round(median(measured.farmgate)),
    'socket.io ms': round(median(measured.floor)),
    'of floor': round(share),
    'kB each': round(perConnection.market),
    'socket.io kB each': round(perConnection.floor),
    'memory of floor': round(memory),
  });
  if (count === 5000) {
    goals['5,000 sockets: at most 1.3 times Socket.IO alone'] = share <= 1.3;
    goals['memory of a connection: at most 1.3 times Socket.IO alone'] = memory <= 1.3;
  }
  for (const socket of [...watchers, ...listeners, toConsumer]) socket.disconnect();
  await floor.close();
}
report('fan-out', rows, goals);
await stack.close();
process.exit(0);
