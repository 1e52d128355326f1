import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, SignJWT } from 'jose';
import { io } from 'socket.io-client';
import { type Envelope, type EventName, room } from '#contract/events';
import { createListener } from '../../app.ts';
import { type NewEvent, record } from '../../events/event-log.ts';
import { createPlatform } from '../../http/platform.ts';
import type { Env } from '../../process/env.ts';
import type { Caller, TestMarket, TestSocket } from '../../testing/market.ts';
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

/** Everything a socket hears from now on. */
export function listen(socket: TestSocket): Envelope[] {
  const heard: Envelope[] = [];
  socket.onAny((_, envelope) => heard.push(envelope));
  return heard;
}

export const dataIds = (events: readonly Envelope[]) =>
  events.flatMap(({ data }) => ('_id' in data ? [data._id] : []));
export const named = <Name extends EventName>(events: readonly Envelope[], name: Name) =>
  events.filter((event): event is Envelope<Name> => event.name === name);

/** Opens a line and gives what it hears up to and with `synced` or `resync`. */
export async function comeBack(url: string, auth: Record<string, unknown>): Promise<Envelope[]> {
  const socket = io(url, { auth, transports: ['websocket'], reconnection: false });
  const heard: Envelope[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.onAny((name: string, envelope: Envelope) => {
      heard.push(envelope);
      if (name === 'synced' || name === 'resync') resolve();
    });
    socket.once('connect_error', reject);
  });
  socket.disconnect();
  return heard;
}

const refusalOf = async (url: string, auth: Record<string, unknown>) => {
  const socket = io(url, { auth, transports: ['websocket'], reconnection: false });
  try {
    return await new Promise<{ message: string; data?: { code?: string } }>((resolve, reject) => {
      socket.once('connect_error', resolve);
      socket.once('connect', () => reject(new Error('It was let in.')));
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

/** A second process of the same market: stores shared, memory apart. */
export async function startSecondProcess(env: Env) {
  const platform = await createPlatform(env, 'second');
  const server = createServer(createListener(platform));
  const gateway = await createGateway(platform, server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      await gateway.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await platform.close();
    },
  };
}

/** These, for the market that a test file opens before its tests. */
export const linesOf = (market: () => TestMarket) => ({
  write: (...events: NewEvent[]) => write(market(), ...events),
  comeBack: (auth: Record<string, unknown>) => comeBack(market().url, auth),
  refusalOf: (auth: Record<string, unknown>, url = market().url) => refusalOf(url, auth),
  tokenEndingIn: (caller: Caller, seconds: number, secret = market().env.JWT_SECRET) =>
    tokenEndingIn(caller, seconds, secret),
  secondProcess: () => startSecondProcess(market().env),
});
