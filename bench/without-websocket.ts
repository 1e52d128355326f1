import { setTimeout as sleep } from 'node:timers/promises';
import { io } from 'socket.io-client';
import type { LogAnswer } from '#contract/platform/events/log';
import { createProducts, createUsers, type TestUser } from '../e2e/fill.ts';
import { startStack } from '../e2e/stack.ts';
import { call } from './call.ts';
import { pidOn, residentKb } from './memory.ts';
import { median, percentile, ROUNDS, report, round } from './report.ts';

/**
 * Measures stock changes sent to 1,000 clients that read the log over HTTP, beside 1,000 sockets that watch the same
 * product: when the first and the last of each have it, and the memory of the server.
 */
const CLIENTS = 1000;
const METRICS_TOKEN = 'a token for the metrics in this bench';
const stack = await startStack({
  seed: false,
  workers: 0,
  env: { LOG_LEVEL: 'error', METRICS_TOKEN },
});
const [farmer] = (await createUsers(stack.databaseUrl, 'farmer', 1)) as [TestUser];
const [product] = (await createProducts(stack.databaseUrl, [farmer], 1)) as [
  { id: string; farmer: string },
];
const url = `${stack.url}/api/products/${product.id}`;
const sample = JSON.parse((await call('GET', url, undefined)).body).data as {
  category: { _id: string };
};

/** By client, when it received each version, in milliseconds. */
type Received = Map<number, number>;
const overHttp: Received[] = [];
const overSockets: Received[] = [];

function note(received: Received, { name, data }: { name: string; data: unknown }): void {
  if (name !== 'product.updated') return;
  const { version } = data as { version: number };
  if (received.has(version)) throw new Error(`Version ${version} arrived twice.`);
  received.set(version, performance.now());
}

let isOver = false;

async function readLog(received: Received): Promise<void> {
  let after: number | undefined;
  while (!isOver) {
    const query = new URLSearchParams({ watch: product.id });
    if (after !== undefined) query.set('after', String(after));
    const response = await fetch(`${stack.url}/api/events?${query}`);
    const { data } = (await response.json()) as { data: LogAnswer };
    if (!data.synced) throw new Error('The log could not be replayed.');
    for (const event of data.events) note(received, event);
    after = data.synced.seq;
  }
}

for (let count = 0; count < CLIENTS; count++) {
  const received: Received = new Map();
  overSockets.push(received);
  const socket = io(stack.url, { transports: ['websocket'], forceNew: true });
  socket.on('product.updated', (envelope) => note(received, envelope));
  await new Promise<void>((resolve) =>
    socket.once('synced', () =>
      socket.emit('products.watch', { productIds: [product.id] }, () => resolve()),
    ),
  );
}
const readers = Array.from({ length: CLIENTS }, () => {
  const received: Received = new Map();
  overHttp.push(received);
  return readLog(received);
});
const waiting = async () => {
  const { body } = await call('GET', `${stack.url}/metrics`, undefined, METRICS_TOKEN);
  return Number(/^farmgate_log_reads_waiting\{role="visitor"\} (\d+)$/m.exec(body)?.[1] ?? 0);
};
while ((await waiting()) < CLIENTS) await sleep(100);

/** Returns how long after `since` each client had a version, once all have. */
async function delaysOf(clients: readonly Received[], version: number, since: number) {
  while (clients.some((received) => !received.has(version))) await sleep(20);
  return clients.map((received) => (received.get(version) ?? since) - since);
}

const lasts: Record<'http' | 'socket', number[]> = { http: [], socket: [] };
const halves: Record<'http' | 'socket', number[]> = { http: [], socket: [] };
for (let turn = 0; turn < ROUNDS * 2; turn++) {
  const body = { ...sample, category: sample.category._id, quantityAvailable: 1000 - turn };
  const since = performance.now();
  const answer = await call('PUT', url, body, farmer.token);
  const { version } = JSON.parse(answer.body).data as { version: number };
  const [http, socket] = await Promise.all([
    delaysOf(overHttp, version, since),
    delaysOf(overSockets, version, since),
  ]);
  for (const [name, delays] of [
    ['http', http],
    ['socket', socket],
  ] as const) {
    lasts[name].push(Math.max(...delays));
    halves[name].push(median(delays));
  }
  process.stderr.write('.');
}
const memoryMb = residentKb(pidOn(stack.url)) / 1000;
report(
  'without-websocket',
  (['http', 'socket'] as const).map((way) => ({
    'clients over': way,
    'p50 ms': round(median(halves[way])),
    'last ms': round(median(lasts[way])),
    'worst last ms': round(percentile(lasts[way], 1)),
  })),
  {
    'every event within 5 s at every client': Math.max(...lasts.http, ...lasts.socket) <= 5000,
    [`memory of the server below 300 MB (${Math.round(memoryMb)} MB)`]: memoryMb < 300,
  },
);
isOver = true;
void Promise.allSettled(readers);
await stack.close();
process.exit(0);
