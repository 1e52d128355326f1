// @vitest-environment happy-dom
import { randomUUID } from 'node:crypto';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryObserver } from '@tanstack/react-query';
import { Server, type Socket } from 'socket.io';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Notification } from '#contract/notifications';
import type { HandshakeAuth } from '#contract/realtime';
import { connectionAtom } from '../lib/connection.ts';
import { itemsOf } from '../lib/pages.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { onSessionEnded, tokenAtom } from '../lib/session.ts';
import { store } from '../lib/store.ts';
import { aToken } from '../lib/testing/people.ts';
import { NOTIFICATIONS_KEY, type NotificationPages } from '../notifications/merge.ts';
import { isUp } from './line.ts';
import { goLive } from './live.ts';

/** What a client said of itself when it came. */
let handshakes: HandshakeAuth[];
let line: Socket | undefined;
/** What the server does with each client that comes; by default it has nothing to replay. */
let greet: (socket: Socket) => void;
/** Refuses clients with this code. */
let refusal: string | undefined;
let http: HttpServer;
let server: Server;
let address: string;
let leave: () => void = () => {};

/** Each test is about another user, since what was seen is remembered as long as the page lives. */
let userId: string;

async function open(port = 0): Promise<void> {
  http = createServer();
  server = new Server(http);
  server.use((socket, next) => {
    handshakes.push(socket.handshake.auth);
    next(
      refusal === undefined
        ? undefined
        : Object.assign(new Error('Unauthorized'), { data: { code: refusal } }),
    );
  });
  server.on('connection', (socket) => {
    line = socket;
    greet(socket);
  });
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

const passing = (socket: Socket | undefined, name: string, data: unknown) =>
  socket?.emit(name, { id: randomUUID(), at: new Date().toISOString(), name, data });

const told = (seq: number): Notification => ({
  _id: `22222222-0000-4000-8000-${String(seq).padStart(12, '0')}`,
  kind: 'stock.low',
  title: `News ${seq}`,
  body: '',
  link: '/',
  isRead: false,
  createdAt: new Date(Date.UTC(2026, 10, 1) + seq * 1000).toISOString(),
});

const tell = (socket: Socket | undefined, seq: number, data: unknown = told(seq)) =>
  socket?.emit('notification.created', {
    seq,
    id: `33333333-0000-4000-8000-${String(seq).padStart(12, '0')}`,
    at: new Date().toISOString(),
    name: 'notification.created',
    data,
  });

function aCache() {
  const cache = createQueryClient();
  cache.setQueryData<NotificationPages>(NOTIFICATIONS_KEY, {
    pages: [{ success: true, data: [], count: 0, nextCursor: null, unreadCount: 0 }],
    pageParams: [null],
  });
  return cache;
}

const titles = (cache: ReturnType<typeof aCache>) =>
  itemsOf(cache.getQueryData<NotificationPages>(NOTIFICATIONS_KEY)).map((item) => item.title);
const unread = (cache: ReturnType<typeof aCache>) =>
  cache.getQueryData<NotificationPages>(NOTIFICATIONS_KEY)?.pages[0]?.unreadCount;
const state = () => store.get(connectionAtom).state;
const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000 });
const untilLive = () => until(() => expect(state()).toBe('live'));

beforeEach(async () => {
  handshakes = [];
  refusal = undefined;
  userId = randomUUID();
  greet = (socket) => passing(socket, 'synced', { seq: 10 });
  store.set(connectionAtom, { state: 'connecting', since: 0 });
  await open();
});
afterEach(async () => {
  leave();
  await server.close();
});

it('lets a visitor in without a token, and works in what comes', async () => {
  const cache = aCache();
  leave = goLive(cache, { userId: null, token: null }, address);
  await untilLive();
  expect(handshakes).toEqual([{}]);
  expect(isUp()).toBe(true);
  tell(line, 11);
  await until(() => expect(titles(cache)).toEqual(['News 11']));
});

it('comes back with the last number it knows, and takes each event once and in its order', async () => {
  const cache = aCache();
  leave = goLive(cache, { userId, token: aToken }, address);
  await untilLive();
  expect(handshakes).toEqual([{ token: aToken }]);
  tell(line, 12);
  await until(() => expect(titles(cache)).toEqual(['News 12']));

  greet = (socket) => {
    // A re-delivery, and news that mixes into the replay.
    tell(socket, 15);
    tell(socket, 12);
    tell(socket, 14);
    tell(socket, 13);
    tell(socket, 15);
    passing(socket, 'synced', { seq: 15 });
    tell(socket, 15);
    tell(socket, 16);
  };
  line?.conn.close();
  await until(() => expect(state()).toBe('reconnecting'));
  expect(isUp()).toBe(false);
  await until(() => expect(titles(cache)[0]).toBe('News 16'));
  expect(handshakes[1]).toEqual({ token: aToken, after: 12 });
  expect(titles(cache)).toEqual(['News 16', 'News 15', 'News 14', 'News 13', 'News 12']);
  expect(unread(cache)).toBe(5);
  expect(state()).toBe('live');
});

it('counts a replay as a whole or not at all', async () => {
  const cache = aCache();
  leave = goLive(cache, { userId, token: aToken }, address);
  await untilLive();
  greet = (socket) => {
    tell(socket, 12);
    setTimeout(() => socket.conn.close(), 50);
  };
  line?.conn.close();
  await until(() => expect(handshakes.length).toBeGreaterThan(2));
  expect(titles(cache)).toEqual([]);
  expect(handshakes[2]).toEqual({ token: aToken, after: 10 });
});

it('goes on from what this user knew when it is opened anew, and from nothing for another', async () => {
  const cache = aCache();
  goLive(cache, { userId, token: aToken }, address)();
  leave = goLive(cache, { userId, token: aToken }, address);
  await untilLive();
  leave();
  leave = goLive(cache, { userId, token: 'ddd.eee.fff' }, address);
  await until(() => expect(handshakes.at(-1)).toEqual({ token: 'ddd.eee.fff', after: 10 }));
  leave();
  leave = goLive(cache, { userId: randomUUID(), token: aToken }, address);
  await until(() => expect(handshakes.at(-1)).toEqual({ token: aToken }));
});

it('reads everything again on a resync, and begins to count where the server says', async () => {
  const cache = aCache();
  cache.setQueryData(['seen long ago'], 1);
  const fetched = vi.fn(async () => 1);
  const stop = new QueryObserver(cache, {
    queryKey: ['shown'],
    queryFn: fetched,
    staleTime: Number.POSITIVE_INFINITY,
  }).subscribe(() => {});
  await until(() => expect(cache.isFetching()).toBe(0));
  leave = goLive(cache, { userId, token: aToken }, address);
  await untilLive();
  await until(() => expect(cache.isFetching()).toBe(0));
  fetched.mockClear();
  // A log that was begun anew counts from further back.
  greet = (socket) => {
    passing(socket, 'resync', { seq: 3 });
    tell(socket, 4);
  };
  line?.conn.close();
  await until(() => expect(fetched).toHaveBeenCalledTimes(1));
  expect(cache.getQueryData(['seen long ago'])).toBeUndefined();
  greet = (socket) => passing(socket, 'synced', { seq: 4 });
  await untilLive();
  line?.conn.close();
  await until(() => expect(handshakes.at(-1)).toEqual({ token: aToken, after: 4 }));
  stop();
});

it('reads again what was fetched before it began to hear', async () => {
  const cache = aCache();
  const fetched = vi.fn(async () => 1);
  const stop = new QueryObserver(cache, {
    queryKey: ['shown'],
    queryFn: fetched,
    staleTime: Number.POSITIVE_INFINITY,
  }).subscribe(() => {});
  await until(() => expect(cache.isFetching()).toBe(0));
  expect(fetched).toHaveBeenCalledTimes(1);
  leave = goLive(cache, { userId, token: aToken }, address);
  await until(() => expect(fetched).toHaveBeenCalledTimes(2));
  stop();
});

it('reads again what an event of another form may have changed, and hears on', async () => {
  const cache = aCache();
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
  leave = goLive(cache, { userId, token: aToken }, address);
  await untilLive();
  const fetched = vi.fn(async () => 1);
  const stop = new QueryObserver(cache, { queryKey: ['shown'], queryFn: fetched }).subscribe(
    () => {},
  );
  await until(() => expect(fetched).toHaveBeenCalledTimes(1));
  tell(line, 11, { title: 'Of no form' });
  tell(line, 12);
  passing(line, 'an.event.of.tomorrow', {});
  await until(() => expect(titles(cache)).toEqual(['News 12']));
  await until(() => expect(fetched).toHaveBeenCalledTimes(2));
  expect(reported).toHaveBeenCalledTimes(1);
  reported.mockRestore();
  stop();
});

it('ends the session when the server does not take the token, and tries no more', async () => {
  refusal = 'UNAUTHORIZED';
  store.set(tokenAtom, aToken);
  const ended = vi.fn();
  const stop = onSessionEnded(ended);
  leave = goLive(aCache(), { userId, token: aToken }, address);
  await until(() => expect(ended).toHaveBeenCalledTimes(1));
  window.dispatchEvent(new Event('online'));
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(handshakes).toHaveLength(1);
  stop();
  store.set(tokenAtom, null);
});

it('tries on after any other refusal', async () => {
  refusal = 'TOO_MANY_CONNECTIONS';
  leave = goLive(aCache(), { userId, token: aToken }, address);
  await until(() => expect(state()).toBe('reconnecting'));
  refusal = undefined;
  await untilLive();
});

it('comes back after a farewell of the server, and learns whether it still may', async () => {
  store.set(tokenAtom, aToken);
  const ended = vi.fn();
  const stop = onSessionEnded(ended);
  leave = goLive(aCache(), { userId, token: aToken }, address);
  await untilLive();
  refusal = 'UNAUTHORIZED';
  line?.disconnect(true);
  await until(() => expect(ended).toHaveBeenCalledTimes(1));
  stop();
  store.set(tokenAtom, null);
});

it('comes back when the server does, at once when there is reason to look', async () => {
  const cache = aCache();
  leave = goLive(cache, { userId, token: aToken }, address);
  await untilLive();
  const { port } = new URL(address);
  await server.close();
  await until(() => expect(state()).toBe('reconnecting'));
  const { since } = store.get(connectionAtom);
  await open(Number(port));
  window.dispatchEvent(new Event('online'));
  await untilLive();
  expect(store.get(connectionAtom).since).toBeGreaterThanOrEqual(since);
  expect(handshakes.at(-1)).toEqual({ token: aToken, after: 10 });
});
