import { randomUUID } from 'node:crypto';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { until } from '../stack.ts';

/**
 * An attacker as a program of its own, so that what it does costs the honest only what it costs the
 * server: `attacker.ts <attack> <url> <milliseconds> <token> …`. Attacks in waves until its time is
 * over and prints what became of them as JSON.
 */
const [, , attack = '', url = '', time = '0', ...tokens] = process.argv;

// Elsewhere it would not use the server's processor.
setPriority(19);

const openLine = (token?: string): Socket =>
  io(url, {
    auth: token ? { token } : {},
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  });

/** 20 sockets that say 2,000 things a second each. @returns after how many milliseconds each was cut */
async function flood(): Promise<number[]> {
  const ends: number[] = [];
  const lines = Array.from({ length: 20 }, (_, index) =>
    openLine(index % 2 ? tokens[index % tokens.length] : undefined),
  );
  for (const line of lines) {
    line.once('synced', () => {
      const since = Date.now();
      const flooding = setInterval(() => {
        for (let packet = 0; packet < 20; packet++) {
          line.emit('typing', { to: randomUUID(), isTyping: true, padding: 'x'.repeat(500) });
        }
      }, 10);
      line.once('disconnect', () => {
        clearInterval(flooding);
        ends.push(Date.now() - since);
      });
    });
  }
  await until('all to be cut off', () => ends.length === lines.length, 60_000);
  return ends;
}

/** 200 sockets of one person. @returns how many of them stayed */
async function crowd(): Promise<number[]> {
  let settled = 0;
  const lines = Array.from({ length: 200 }, () => openLine(tokens[0]));
  for (const line of lines) {
    let isSettled = false;
    const settle = () => {
      if (!isSettled) settled++;
      isSettled = true;
    };
    for (const end of ['synced', 'connect_error', 'disconnect']) line.once(end, settle);
  }
  await until('each to be let in or refused', () => settled === lines.length, 60_000);
  const left = () => lines.filter((line) => line.connected).length;
  await until('all but ten to be gone', () => left() <= 10);
  const stayed = left();
  for (const line of lines) line.disconnect();
  return [stayed];
}

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** What no order looks like, and how it is answered. */
const bodies: [body: string, status: number][] = [
  // Ten megabytes.
  [JSON.stringify({ notes: 'x'.repeat(10_000_000) }), 413],
  [`{"notes":${deep(30_000)}}`, 400],
  [`{"farmer":"x","items":${deep(25_000)}}`, 400],
  ['{"__proto__":{"role":"admin"},"constructor":{"prototype":{"x":1}}}', 400],
  [`{${Array.from({ length: 5000 }, (_, key) => `"k${key}":1`).join(',')}}`, 400],
  ['{"items":', 400],
];

/** 30 bodies of the worst kinds. @returns the statuses that were not those they should be */
async function poison(): Promise<number[]> {
  const post = (body: string) =>
    fetch(`${url}/api/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens[0]}`, 'content-type': 'application/json' },
      body,
    }).then(
      ({ status }) => status,
      // It stopped reading and hung up.
      () => 413,
    );
  const wrong: number[] = [];
  for (const [body, expected] of bodies) {
    const statuses = await Promise.all(Array.from({ length: 5 }, () => post(body)));
    wrong.push(...statuses.filter((status) => status !== expected));
  }
  return wrong;
}

const wave = { flood, crowd, poison }[attack];
if (!wave) throw new Error(`There is no attack ${attack}.`);
const waves: number[][] = [];
const end = Date.now() + Number(time);
do {
  waves.push(await wave());
  await sleep(500);
} while (Date.now() < end);
console.log(JSON.stringify(waves));
process.exit(0);
