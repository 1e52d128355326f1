import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket as Line } from 'socket.io-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePeople, makeProducts, type Someone } from '../../bench/fill.ts';
import { type Stack, startStack, until } from '../stack.ts';
import { ask, figure, keepBusy, order, percentile, seconds, sized } from './ground.ts';

const SLOW_LINES = 200;
const QUIET_MS = sized(3000, 10_000);
/** Generous: the attackers here run on the same machine, and take their share of it. */
const P95_MAX_MS = 5000;
const GROWTH_MAX_MB = 200;

let stack: Stack;
let farmer: Someone;
let buyers: Someone[];
let product: { id: string; farmer: string };
let quiet: number;

beforeAll(async () => {
  stack = await startStack({ seed: false, workers: 0 });
  [farmer] = (await makePeople(stack.databaseUrl, 'farmer', 1)) as [Someone];
  buyers = await makePeople(stack.databaseUrl, 'consumer', 10);
  [product] = (await makeProducts(stack.databaseUrl, [farmer], 1)) as [typeof product];
  await honestly(() => sleep(1000));
  quiet = (await honestly(() => sleep(QUIET_MS))).p95;
});
afterAll(() => stack?.close());

/** Resident memory of the server in MB; 0 where the system does not tell. */
function memory(): number {
  try {
    const status = readFileSync(`/proc/${stack.servers[0]?.pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  } catch {
    return 0;
  }
}

/** Four honest buyers read and order while something happens; all they ask must be answered well. */
async function honestly(meanwhile: () => Promise<unknown>) {
  const before = memory();
  const times: number[] = [];
  const work = keepBusy(4, 20, async (hand) => {
    const { token } = buyers[hand] as Someone;
    for (const answer of [
      await ask(stack.url, 'GET', '/orders/consumer?limit=5', { token }),
      await order(stack.url, { token, product }),
    ]) {
      expect([200, 201], answer.error).toContain(answer.status);
      times.push(answer.ms);
    }
  });
  await meanwhile();
  await work.stop();
  return { p95: percentile(times, 0.95), count: times.length, growth: memory() - before };
}

function report(name: string, said: string, seen: Awaited<ReturnType<typeof honestly>>): void {
  figure(
    name,
    `${said}; meanwhile ${seen.count} honest requests, all answered well, p95 ${seen.p95} ms (${quiet} ms in peace); memory ${seen.growth >= 0 ? '+' : ''}${seen.growth} MB`,
  );
  expect(seen.p95).toBeLessThan(P95_MAX_MS);
  expect(seen.growth).toBeLessThan(GROWTH_MAX_MB);
  expect(stack.servers[0]?.isRunning()).toBe(true);
}

/** Opens lines that say a little every second and never come to the end. */
async function dribble(begin: string, more: string) {
  const { hostname, port } = new URL(stack.url);
  const open = new Set<Socket>();
  const since = Date.now();
  const cutAfter: number[] = [];
  for (let index = 0; index < SLOW_LINES; index++) {
    const line = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname);
    open.add(line);
    line.on('error', () => {});
    // What the server says before it cuts has to be read for the end to be seen.
    line.resume();
    line.on('close', () => {
      open.delete(line);
      cutAfter.push(Date.now() - since);
    });
    line.write(begin);
  }
  const dripping = setInterval(() => {
    for (const line of open) line.write(more);
  }, 1000);
  try {
    await until('all slow lines to be cut', () => open.size === 0, 90_000);
  } finally {
    clearInterval(dripping);
    for (const line of open) line.destroy();
  }
  return Math.max(...cutAfter);
}

it('lines whose headers never end are cut, and nobody else notices', async () => {
  let last = 0;
  const seen = await honestly(async () => {
    last = await dribble('GET /api/products HTTP/1.1\r\nHost: farm\r\n', 'X-Slow: 1\r\n');
  });
  report('slow headers', `${SLOW_LINES} lines, the last cut after ${seconds(last)}`, seen);
}, 180_000);

it.runIf(sized(false, true))(
  'lines whose bodies never end are cut, and nobody else notices',
  async () => {
    let last = 0;
    const seen = await honestly(async () => {
      last = await dribble(
        'POST /api/auth/login HTTP/1.1\r\nHost: farm\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"email":"',
        'a',
      );
    });
    report('slow bodies', `${SLOW_LINES} lines, the last cut after ${seconds(last)}`, seen);
  },
  180_000,
);

const openLine = (token?: string): Line =>
  io(stack.url, {
    auth: token ? { token } : {},
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  });

it('sockets that flood are cut off', async () => {
  const ends: number[] = [];
  const seen = await honestly(async () => {
    const lines = Array.from({ length: 20 }, (_, index) =>
      openLine(index % 2 ? buyers[index % 10]?.token : undefined),
    );
    for (const line of lines) {
      line.once('synced', () => {
        const since = Date.now();
        // In bursts: an attacker shares neither thread nor time with those who are honest.
        const flooding = setInterval(() => {
          for (let packet = 0; packet < 20; packet++) {
            line.emit('typing', { to: farmer.id, isTyping: true, padding: 'x'.repeat(500) });
          }
        }, 10);
        line.once('disconnect', () => {
          clearInterval(flooding);
          ends.push(Date.now() - since);
        });
      });
    }
    await until('all to be cut off', () => ends.length === lines.length, 60_000);
  });
  report(
    'floods of packets',
    `20 sockets with 2,000 packets a second each, all cut off, the last ${seconds(Math.max(...ends))} after it began`,
    seen,
  );
}, 120_000);

it('of 200 sockets of one person ten stay', async () => {
  const token = buyers[9]?.token;
  let settled = 0;
  const lines: Line[] = [];
  const seen = await honestly(async () => {
    for (let index = 0; index < 200; index++) {
      const line = openLine(token);
      lines.push(line);
      let isSettled = false;
      const settle = () => {
        if (!isSettled) settled++;
        isSettled = true;
      };
      for (const end of ['synced', 'connect_error', 'disconnect']) line.once(end, settle);
    }
    await until('each to be let in or refused', () => settled === lines.length, 60_000);
    await until(
      'all but ten to be gone',
      () => lines.filter((line) => line.connected).length <= 10,
    );
  });
  const left = lines.filter((line) => line.connected).length;
  for (const line of lines) line.disconnect();
  expect(left).toBe(10);
  report('200 sockets of one person', `${left} stay, ${200 - left} are refused`, seen);
}, 120_000);

it('bodies that are huge, deep or poisoned are refused as what they are', async () => {
  const { token } = buyers[8] as Someone;
  const post = async (body: string) =>
    fetch(`${stack.url}/api/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    }).then(
      ({ status }) => status,
      // It stopped reading and hung up.
      () => 413,
    );
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const bodies: Record<string, [body: string, status: number]> = {
    'ten megabytes': [JSON.stringify({ notes: 'x'.repeat(10_000_000) }), 413],
    'a hundred thousand levels': [`{"notes":${deep(100_000)}}`, 400],
    'levels as items': [`{"farmer":"x","items":${deep(60_000)}}`, 400],
    __proto__: ['{"__proto__":{"role":"admin"},"constructor":{"prototype":{"x":1}}}', 400],
    'twenty thousand keys': [
      `{${Array.from({ length: 20_000 }, (_, key) => `"k${key}":1`).join(',')}}`,
      400,
    ],
    'no JSON': ['{"items":', 400],
  };
  const statuses: Record<string, number[]> = {};
  const seen = await honestly(async () => {
    for (const [name, [body]] of Object.entries(bodies)) {
      statuses[name] = await Promise.all(Array.from({ length: 5 }, () => post(body)));
    }
  });
  for (const [name, [, expected]] of Object.entries(bodies)) {
    expect([...new Set(statuses[name])], name).toEqual([expected]);
  }
  const own = await ask(stack.url, 'GET', '/auth/me', { token });
  expect(own.body.user.role).toBe('consumer');
  report('huge, deep and poisoned JSON', '30 bodies, each refused with 400 or 413', seen);
}, 120_000);
