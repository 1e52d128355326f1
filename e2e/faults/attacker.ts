import { randomUUID } from 'node:crypto';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { until } from '../../testing/until.ts';

/**
 * Runs attacks in a separate process, so that the honest clients measure only the server's part:
 * `attacker.ts <attack> <url> <milliseconds> <token> …`. Attacks in waves for that time and prints their results
 * as JSON.
 */
const [, , attack = '', url = '', time = '0', ...tokens] = process.argv;

// A real attacker would not use the server's CPU.
setPriority(19);

const openSocket = (token?: string): Socket =>
  io(url, {
    auth: token ? { token } : {},
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  });

/** 20 sockets that send 2,000 packets a second each. @returns milliseconds until each was disconnected */
async function flood(): Promise<number[]> {
  const ends: number[] = [];
  const sockets = Array.from({ length: 20 }, (_, index) =>
    openSocket(index % 2 ? tokens[index % tokens.length] : undefined),
  );
  for (const socket of sockets) {
    let since: number | undefined;
    let flooding: NodeJS.Timeout | undefined;
    socket.once('synced', () => {
      since = Date.now();
      flooding = setInterval(() => {
        for (let packet = 0; packet < 20; packet++) {
          socket.emit('typing', { to: randomUUID(), isTyping: true, padding: 'x'.repeat(500) });
        }
      }, 10);
    });
    socket.on('disconnect', () => {
      clearInterval(flooding);
      if (since !== undefined) ends.push(Date.now() - since);
      // With so low a priority a handshake may take longer than the server waits.
      else socket.connect();
    });
  }
  await until('all sockets to be disconnected', () => ends.length === sockets.length);
  return ends;
}

/** 200 sockets of one person. @returns how many of them stayed connected */
async function manySockets(): Promise<number[]> {
  let settled = 0;
  const sockets = Array.from({ length: 200 }, () => openSocket(tokens[0]));
  for (const socket of sockets) {
    let isSettled = false;
    const settle = () => {
      if (!isSettled) settled++;
      isSettled = true;
    };
    for (const end of ['synced', 'connect_error', 'disconnect']) socket.once(end, settle);
  }
  await until('each socket to be accepted or refused', () => settled === sockets.length);
  const connectedCount = () => sockets.filter((socket) => socket.connected).length;
  await until('all but ten to be disconnected', () => connectedCount() <= 10);
  const stayed = connectedCount();
  for (const socket of sockets) socket.disconnect();
  return [stayed];
}

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Invalid order bodies with the expected status. */
const bodies: [body: string, status: number][] = [
  // 10 MB.
  [JSON.stringify({ notes: 'x'.repeat(10_000_000) }), 413],
  [`{"notes":${deep(30_000)}}`, 400],
  [`{"farmer":"x","items":${deep(25_000)}}`, 400],
  ['{"__proto__":{"role":"admin"},"constructor":{"prototype":{"x":1}}}', 400],
  [`{${Array.from({ length: 5000 }, (_, key) => `"k${key}":1`).join(',')}}`, 400],
  ['{"items":', 400],
];

/** 30 invalid bodies. @returns the statuses that were not expected */
async function invalidBodies(): Promise<number[]> {
  const post = (body: string) =>
    fetch(`${url}/api/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens[0]}`, 'content-type': 'application/json' },
      body,
    }).then(
      ({ status }) => status,
      // The server stopped reading and closed the connection.
      () => 413,
    );
  const wrong: number[] = [];
  for (const [body, expected] of bodies) {
    const statuses = await Promise.all(Array.from({ length: 5 }, () => post(body)));
    wrong.push(...statuses.filter((status) => status !== expected));
  }
  return wrong;
}

const wave = { flood, manySockets, invalidBodies }[attack];
if (!wave) throw new Error(`There is no attack ${attack}.`);
const waves: number[][] = [];
const end = Date.now() + Number(time);
do {
  waves.push(await wave());
  // A pause between two waves.
  await sleep(500);
} while (Date.now() < end);
console.log(JSON.stringify(waves));
process.exit(0);
