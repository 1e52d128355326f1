import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, SignJWT } from 'jose';
import { io } from 'socket.io-client';
import { room } from '#contract/platform/events/constants';
import type { EventName } from '#contract/platform/events/event';
import type { Envelope } from '#contract/platform/events/socket';
import { createListener, KEEP_ALIVE_MS } from '../../../app.ts';
import { type NewEvent, record } from '../../../platform/events/event-log.ts';
import { createPlatform } from '../../../platform/http/platform.ts';
import type { Env } from '../../../platform/process/env.ts';
import { createDrain } from '../../../platform/process/listen.ts';
import type { Caller, TestMarket, TestSocket } from '../../../testing/market.ts';
import { createGateway } from '../gateway.ts';

export const publicEvent = (): NewEvent => ({
  name: 'category.changed',
  data: { _id: randomUUID() },
  rooms: [room.everyone],
});
export const eventFor = (caller: Caller): NewEvent => ({
  name: 'category.changed',
  data: { _id: randomUUID() },
  // In the product this event goes to everyone.
  rooms: [room.user(caller.id) as never],
});

async function write(market: TestMarket, ...events: NewEvent[]): Promise<void> {
  await market.platform.db.$transaction((tx) => record(tx, ...events));
  await market.platform.eventLog.sequence();
}

/** Collects everything that a socket receives from now on. */
export function listen(socket: TestSocket): Envelope[] {
  const received: Envelope[] = [];
  socket.onAny((_, envelope) => received.push(envelope));
  return received;
}

export const dataIds = (events: readonly Envelope[]) =>
  events.flatMap(({ data }) => ('_id' in data ? [data._id] : []));
export const named = <Name extends EventName>(events: readonly Envelope[], name: Name) =>
  events.filter((event): event is Envelope<Name> => event.name === name);

/** Opens a connection. @returns what it receives, up to and with `synced` or `resync` */
export async function reconnect(url: string, auth: Record<string, unknown>): Promise<Envelope[]> {
  const socket = io(url, { auth, transports: ['websocket'], reconnection: false });
  const received: Envelope[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.onAny((name: string, envelope: Envelope) => {
      received.push(envelope);
      if (name === 'synced' || name === 'resync') resolve();
    });
    socket.once('connect_error', reject);
  });
  socket.disconnect();
  return received;
}

const refusalOf = async (url: string, auth: Record<string, unknown>) => {
  const socket = io(url, { auth, transports: ['websocket'], reconnection: false });
  try {
    return await new Promise<{ message: string; data?: { code?: string } }>((resolve, reject) => {
      socket.once('connect_error', resolve);
      socket.once('connect', () => reject(new Error('The connection was accepted.')));
    });
  } finally {
    socket.disconnect();
  }
};

const tokenEndingIn = (caller: Caller, seconds: number, secret: string) =>
  new SignJWT({ v: 1, sid: decodeJwt(caller.token).sid })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(caller.id)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
    .sign(new TextEncoder().encode(secret));

export const closedBecause = (socket: TestSocket) =>
  new Promise<string>((resolve) => socket.once('disconnect', resolve));

/** How long requests may take to end when a process stops. */
const DRAIN_MS = 5000;

/** A second process of the same market: stores shared, memory apart. */
export async function startSecondProcess(env: Env) {
  const platform = await createPlatform(env, 'second');
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, createListener(platform));
  const drain = createDrain(server);
  const gateway = await createGateway(platform, server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    platform,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const drained = drain(DRAIN_MS);
      await gateway.close();
      await drained;
      await platform.close();
    },
  };
}

/** Returns these functions, bound to the market that a test file opens before its tests. */
export const connectionsOf = (market: () => TestMarket) => ({
  write: (...events: NewEvent[]) => write(market(), ...events),
  reconnect: (auth: Record<string, unknown>) => reconnect(market().url, auth),
  refusalOf: (auth: Record<string, unknown>, url = market().url) => refusalOf(url, auth),
  tokenEndingIn: (caller: Caller, seconds: number, secret = market().env.JWT_SECRET) =>
    tokenEndingIn(caller, seconds, secret),
  secondProcess: () => startSecondProcess(market().env),
});
