import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { io, type Socket } from 'socket.io-client';
import { ACCOUNTS, signIn } from '../e2e/people.ts';
import { startStack } from '../e2e/stack.ts';
import { call } from './call.ts';
import { pidOn, residentKb } from './memory.ts';
import { type Row, report, round } from './report.ts';

/**
 * Measures the memory of a server and a worker under ten minutes of everything at once: pages in three languages,
 * lists and searches, orders and their status, chat, sockets that come and go, photos and papers.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 600);
const READERS = 12;
const SOCKETS = 100;
const METRICS_TOKEN = 'a token for the metrics in this bench';
const stack = await startStack({ env: { LOG_LEVEL: 'error', METRICS_TOKEN } });
const api = `${stack.url}/api`;
const asFarmer = await signIn(stack.url, ACCOUNTS.farmer);
const asConsumer = await signIn(stack.url, ACCOUNTS.consumer);
const dataOf = async <T>(path: string, token?: string): Promise<T> => {
  const { status, body } = await call('GET', api + path, undefined, token);
  if (status !== 200) throw new Error(`${path}: ${status} ${body.slice(0, 300)}`);
  return JSON.parse(body).data as T;
};
type Entity = { _id: string };
const products = await dataOf<Entity[]>('/products?limit=50');
const farms = await dataOf<Entity[]>('/users/farmers');
const farmId = asFarmer.user._id;
const [own] = await dataOf<Entity[]>(`/products?farmer=${farmId}&limit=50`);
const [day] = await dataOf<{ date: string; close: string }[]>(`/users/farmers/${farmId}/days`);
if (!day) throw new Error('The farm of the demo market is never open.');
const { date, close } = day;
const photo = await sharp({
  create: {
    width: 4000,
    height: 3000,
    channels: 3,
    background: '#7a5',
    noise: { type: 'gaussian', mean: 120, sigma: 40 },
  },
})
  .jpeg({ quality: 70 })
  .toBuffer();

const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
const counts: Record<string, number> = {};
const refused: Record<string, number> = {};
async function send(
  kind: string,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
  headers = {},
) {
  const answer = await call(method, stack.url + path, body, token, headers);
  counts[kind] = (counts[kind] ?? 0) + 1;
  if (answer.status >= 400) {
    const why = `${kind} ${answer.status} ${answer.body.slice(0, 120)}`;
    refused[why] = (refused[why] ?? 0) + 1;
  }
  return answer;
}
const words = ['tomato', 'honey', 'salad', 'egg', 'apple', 'bread', 'x', 'berry'];
const READS: (() => Promise<unknown>)[] = [
  () =>
    send(
      'page',
      'GET',
      `${any(['', '/ur', '/de'])}${any(['/', '/products', '/farmers', '/about'])}?q=${Math.random()}`,
    ),
  () => send('page', 'GET', `${any(['', '/ur', '/de'])}/products/${any(products)._id}`),
  () => send('page', 'GET', `${any(['', '/ur', '/de'])}/farmers/${any(farms)._id}`),
  () =>
    send(
      'list',
      'GET',
      `/api/products?search=${any(words)}${Math.random() < 0.5 ? Math.floor(Math.random() * 99) : ''}&limit=50`,
    ),
  () => send('list', 'GET', '/api/orders/farmer?limit=50', undefined, asFarmer.token),
  () => send('list', 'GET', '/api/orders/consumer?limit=50', undefined, asConsumer.token),
  () => send('list', 'GET', `/api/farm/picklist/orders?date=${date}`, undefined, asFarmer.token),
  () => send('list', 'GET', '/api/notifications', undefined, asFarmer.token),
];
const endAt = performance.now() + SECONDS * 1000;
const isOver = () => performance.now() >= endAt;
const pause = (ms: number) => sleep(Math.min(ms, Math.max(0, endAt - performance.now())));

async function read() {
  while (!isOver()) {
    await any(READS)();
    await pause(20);
  }
}
async function trade() {
  while (!isOver()) {
    const body = {
      farmer: farmId,
      consumer: asConsumer.user._id,
      items: [{ product: own?._id, quantity: 1 }],
      pickupDetails: { date, time: close, location: 'Farm gate' },
    };
    const key = { 'idempotency-key': randomUUID() };
    const placed = await send('order', 'POST', '/api/orders', body, asConsumer.token, key);
    if (placed.status === 201) {
      const path = `/api/orders/${JSON.parse(placed.body).data._id}`;
      await send('status', 'PUT', path, { status: 'cancelled' }, asConsumer.token);
    }
    const message = { receiver: farmId, content: `Hello ${Math.random()}` };
    await send('message', 'POST', '/api/messages', message, asConsumer.token);
    await pause(100);
  }
}
async function upload() {
  while (!isOver()) {
    const form = new FormData();
    form.append('images', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'photo.jpg');
    const answer = await fetch(`${api}/uploads`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${asFarmer.token}` },
    });
    counts.photo = (counts.photo ?? 0) + 1;
    if (!answer.ok)
      refused[`photo ${answer.status}`] = (refused[`photo ${answer.status}`] ?? 0) + 1;
    await answer.text();
    await pause(4000);
  }
}
async function print() {
  while (!isOver()) {
    for (const paper of [
      'labels.pdf?format=avery_l7160&',
      'sheets.pdf?sheet=packing_slips&',
      'sheets.pdf?sheet=loading_list&',
    ]) {
      await send(
        'paper',
        'GET',
        `/api/farm/picklist/${paper}date=${date}`,
        undefined,
        asFarmer.token,
      );
    }
    await pause(5000);
  }
}
const sockets: Socket[] = [];
async function come() {
  while (!isOver()) {
    const socket = io(stack.url, {
      transports: ['websocket'],
      forceNew: true,
      auth: Math.random() < 0.3 ? { token: asConsumer.token } : {},
    });
    sockets.push(socket);
    if (sockets.length > SOCKETS) sockets.shift()?.disconnect();
    await pause(100);
  }
}

const server = pidOn(stack.url);
const worker = stack.workers[0]?.pid ?? 0;
const gauges = async () => {
  const { body } = await call('GET', `${stack.url}/metrics`, undefined, METRICS_TOKEN);
  const mb = (name: string) =>
    round(Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1] ?? 0) / 1e6, 0);
  return {
    heap: mb('nodejs_heap_size_used_bytes'),
    committed: mb('nodejs_heap_size_total_bytes'),
    external: mb('nodejs_external_memory_bytes'),
  };
};
const rows: Row[] = [];
async function watch() {
  for (let second = 0; ; second += SECONDS / 20) {
    rows.push({
      second: Math.round(second),
      'server MB': round(residentKb(server) / 1000, 0),
      'worker MB': round(residentKb(worker) / 1000, 0),
      ...(await gauges()),
    });
    process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`);
    if (isOver()) return;
    await pause((SECONDS * 1000) / 20);
  }
}
await Promise.all([
  watch(),
  ...Array.from({ length: READERS }, read),
  trade(),
  trade(),
  upload(),
  print(),
  come(),
]);
for (const socket of sockets) socket.disconnect();
const most = Math.max(...rows.map((row) => Number(row['server MB'])));
console.log(counts, refused);
report('mixed', rows, { [`memory of the server below 300 MB (${most} MB)`]: most < 300 });
await stack.close();
process.exit(0);
