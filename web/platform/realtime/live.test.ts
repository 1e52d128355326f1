// @vitest-environment happy-dom

import { randomUUID } from 'node:crypto';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryObserver } from '@tanstack/react-query';
import { Server, type Socket } from 'socket.io';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Notification } from '#contract/people/notifications/notifications';
import type { HandshakeAuth } from '#contract/platform/events/socket';
import { openLiveConnection } from '../../app/live/reducers.ts';
import { type NotificationPages, notificationsKeys } from '../../people/notifications/events.ts';
import { setTransport } from '../api/api.ts';
import { connectionAtom, emit, isConnected } from '../api/connection.ts';
import { itemsOf } from '../queries/pages.ts';
import { createQueryClient } from '../queries/query-client.ts';
import { onSessionEnded, store, tokenAtom } from '../session/session.ts';
import { aToken } from '../testing/network.ts';
import { positionOf } from './position.ts';

/** The handshakes of all connection attempts. */
let handshakes: HandshakeAuth[];
let serverSocket: Socket | undefined;
/** Called with each new connection; by default the server has nothing to replay. */
let onConnection: (socket: Socket) => void;
/** The code with which the server refuses connections. */
let refusal: string | undefined;
/** The delay that a refusal asks for. */
let retryAfterSeconds: number | undefined;
let http: HttpServer;
let server: Server;
let address: string;
let close: () => void = () => {};

/** Each test has its own user, because sequence numbers are kept per user and module. */
let userId: string;

async function open(port = 0): Promise<void> {
  http = createServer();
  // A client answers a ping when it has read what was sent before it.
  server = new Server(http, { pingInterval: 50 });
  server.use((socket, next) => {
    handshakes.push(socket.handshake.auth);
    next(
      refusal === undefined
        ? undefined
        : Object.assign(new Error('Unauthorized'), { data: { code: refusal, retryAfterSeconds } }),
    );
  });
  server.on('connection', (socket) => {
    serverSocket = socket;
    onConnection(socket);
  });
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

const emitEphemeral = (socket: Socket | undefined, name: string, data: unknown) =>
  socket?.emit(name, { id: randomUUID(), at: new Date().toISOString(), name, data });

const aNotification = (seq: number): Notification => ({
  _id: `22222222-0000-4000-8000-${String(seq).padStart(12, '0')}`,
  kind: 'stock.low',
  title: `News ${seq}`,
  body: '',
  link: '/',
  isRead: false,
  createdAt: new Date(Date.UTC(2026, 10, 1) + seq * 1000).toISOString(),
});

const anEnvelope = (seq: number, data: unknown = aNotification(seq)) => ({
  seq,
  id: `33333333-0000-4000-8000-${String(seq).padStart(12, '0')}`,
  at: new Date().toISOString(),
  name: 'notification.created',
  data,
});

const emitNotification = (socket: Socket | undefined, seq: number, data?: unknown) =>
  socket?.emit('notification.created', anEnvelope(seq, data));

/** Answers reads of the log over HTTP once there is news, as the server does. */
function serveLog() {
  const log = { head: 10, reads: [] as string[] };
  setTransport(async (url, { signal }) => {
    const query = new URL(url, 'http://localhost').searchParams;
    log.reads.push(String(query));
    const known = Number(query.get('after') ?? log.head);
    const hasNews = () =>
      expect(signal?.aborted || known < log.head || !query.has('after')).toBe(true);
    await vi.waitFor(hasNews);
    signal?.throwIfAborted();
    const events = Array.from({ length: log.head - known }, (_, index) =>
      anEnvelope(known + 1 + index),
    );
    return Response.json({ success: true, data: { events, synced: { seq: log.head } } });
  });
  return log;
}

function aCache() {
  const cache = createQueryClient();
  cache.setQueryData<NotificationPages>(notificationsKeys.list(), {
    pages: [{ success: true, data: [], count: 0, nextCursor: null, unreadCount: 0 }],
    pageParams: [null],
  });
  return cache;
}

const titles = (cache: ReturnType<typeof aCache>) =>
  itemsOf(cache.getQueryData<NotificationPages>(notificationsKeys.list())).map(
    (item) => item.title,
  );
const unread = (cache: ReturnType<typeof aCache>) =>
  cache.getQueryData<NotificationPages>(notificationsKeys.list())?.pages[0]?.unreadCount;
const state = () => store.get(connectionAtom).state;
const untilLive = () => vi.waitFor(() => expect(state()).toBe('live'));

beforeEach(async () => {
  handshakes = [];
  refusal = undefined;
  retryAfterSeconds = undefined;
  userId = randomUUID();
  onConnection = (socket) => emitEphemeral(socket, 'synced', { seq: 10 });
  store.set(connectionAtom, { state: 'connecting', since: 0 });
  await open();
});
afterEach(async () => {
  close();
  await server.close();
});

it('connects a visitor without a token and applies events', async () => {
  const cache = aCache();
  close = openLiveConnection(cache, { userId: null, token: null }, address);
  await untilLive();
  expect(handshakes).toEqual([{}]);
  expect(isConnected()).toBe(true);
  emitNotification(serverSocket, 11);
  await vi.waitFor(() => expect(titles(cache)).toEqual(['News 11']));
});

it('reconnects with the last sequence number and applies each event once, in order', async () => {
  const cache = aCache();
  close = openLiveConnection(cache, { userId, token: aToken }, address);
  await untilLive();
  expect(handshakes).toEqual([{ token: aToken }]);
  emitNotification(serverSocket, 12);
  await vi.waitFor(() => expect(titles(cache)).toEqual(['News 12']));

  onConnection = (socket) => {
    // A duplicate, and new events between the replayed ones.
    emitNotification(socket, 15);
    emitNotification(socket, 12);
    emitNotification(socket, 14);
    emitNotification(socket, 13);
    emitNotification(socket, 15);
    emitEphemeral(socket, 'synced', { seq: 15 });
    emitNotification(socket, 15);
    emitNotification(socket, 16);
  };
  serverSocket?.conn.close();
  await vi.waitFor(() => expect(state()).toBe('reconnecting'));
  expect(isConnected()).toBe(false);
  await vi.waitFor(() => expect(titles(cache)[0]).toBe('News 16'));
  expect(handshakes[1]).toEqual({ token: aToken, after: 12 });
  expect(titles(cache)).toEqual(['News 16', 'News 15', 'News 14', 'News 13', 'News 12']);
  expect(unread(cache)).toBe(5);
  expect(state()).toBe('live');
});

it('applies a replay only when it is complete', async () => {
  const cache = aCache();
  close = openLiveConnection(cache, { userId, token: aToken }, address);
  await untilLive();
  onConnection = (socket) => {
    emitNotification(socket, 12);
    // The second ping goes out after the event.
    let answers = 0;
    socket.conn.on('heartbeat', () => {
      answers++;
      if (answers === 2) socket.conn.close();
    });
  };
  serverSocket?.conn.close();
  await vi.waitFor(() => expect(handshakes.length).toBeGreaterThan(2));
  expect(titles(cache)).toEqual([]);
  expect(handshakes[2]).toEqual({ token: aToken, after: 10 });
});

it("continues from the same user's last sequence number, but not from another user's", async () => {
  const cache = aCache();
  openLiveConnection(cache, { userId, token: aToken }, address)();
  close = openLiveConnection(cache, { userId, token: aToken }, address);
  await untilLive();
  close();
  close = openLiveConnection(cache, { userId, token: 'ddd.eee.fff' }, address);
  await vi.waitFor(() => expect(handshakes.at(-1)).toEqual({ token: 'ddd.eee.fff', after: 10 }));
  close();
  close = openLiveConnection(cache, { userId: randomUUID(), token: aToken }, address);
  await vi.waitFor(() => expect(handshakes.at(-1)).toEqual({ token: aToken }));
});

it("refetches everything on a resync and continues from the server's sequence number", async () => {
  const cache = aCache();
  cache.setQueryData(['seen long ago'], 1);
  const fetched = vi.fn(async () => 1);
  const stop = new QueryObserver(cache, {
    queryKey: ['shown'],
    queryFn: fetched,
    staleTime: Number.POSITIVE_INFINITY,
  }).subscribe(() => {});
  await vi.waitFor(() => expect(cache.isFetching()).toBe(0));
  close = openLiveConnection(cache, { userId, token: aToken }, address);
  await untilLive();
  await vi.waitFor(() => expect(cache.isFetching()).toBe(0));
  fetched.mockClear();
  // A recreated log has lower sequence numbers.
  onConnection = (socket) => {
    emitEphemeral(socket, 'resync', { seq: 3 });
    emitNotification(socket, 4);
  };
  serverSocket?.conn.close();
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1));
  expect(cache.getQueryData(['seen long ago'])).toBeUndefined();
  onConnection = (socket) => emitEphemeral(socket, 'synced', { seq: 4 });
  await untilLive();
  // The event after the resync has come too.
  await vi.waitFor(() => expect(positionOf(userId)?.seq).toBe(4));
  serverSocket?.conn.close();
  await vi.waitFor(() => expect(handshakes.at(-1)).toEqual({ token: aToken, after: 4 }));
  stop();
});

it('refetches what was fetched before the first connection', async () => {
  const cache = aCache();
  const fetched = vi.fn(async () => 1);
  const stop = new QueryObserver(cache, {
    queryKey: ['shown'],
    queryFn: fetched,
    staleTime: Number.POSITIVE_INFINITY,
  }).subscribe(() => {});
  await vi.waitFor(() => expect(cache.isFetching()).toBe(0));
  expect(fetched).toHaveBeenCalledTimes(1);
  close = openLiveConnection(cache, { userId, token: aToken }, address);
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(2));
  stop();
});

it('refetches after an event it cannot read, without an error, and keeps applying events', async () => {
  const cache = aCache();
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  close = openLiveConnection(cache, { userId, token: aToken }, address);
  await untilLive();
  const fetched = vi.fn(async () => 1);
  const stop = new QueryObserver(cache, { queryKey: ['shown'], queryFn: fetched }).subscribe(
    () => {},
  );
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1));
  emitNotification(serverSocket, 11, { title: 'Of no form' });
  emitNotification(serverSocket, 12);
  emitEphemeral(serverSocket, 'an.event.of.tomorrow', {});
  await vi.waitFor(() => expect(titles(cache)).toEqual(['News 12']));
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(2));
  expect(reported).not.toHaveBeenCalled();
  vi.restoreAllMocks();
  stop();
});

it('ends the session when the server rejects the token, and does not retry', async () => {
  refusal = 'UNAUTHORIZED';
  store.set(tokenAtom, aToken);
  const ended = vi.fn();
  const stop = onSessionEnded(ended);
  close = openLiveConnection(aCache(), { userId, token: aToken }, address);
  await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1));
  // Meanwhile one that may try again does so.
  refusal = 'TOO_MANY_CONNECTIONS';
  const other = { userId: randomUUID(), token: 'ddd.eee.fff' };
  const closeOther = openLiveConnection(aCache(), other, address);
  const triesWith = (token: string) => handshakes.filter((each) => each.token === token).length;
  await vi.waitFor(() => {
    window.dispatchEvent(new Event('online'));
    expect(triesWith(other.token)).toBeGreaterThan(2);
  });
  expect(triesWith(aToken)).toBe(1);
  closeOther();
  stop();
  store.set(tokenAtom, null);
});

it('waits as long as a refusal asks, then catches up and refetches what it missed', async () => {
  refusal = 'TOO_MANY_CONNECTIONS';
  retryAfterSeconds = 1;
  const cache = aCache();
  const startedAt = Date.now();
  close = openLiveConnection(cache, { userId, token: aToken }, address);
  await vi.waitFor(() => expect(state()).toBe('reconnecting'));
  refusal = undefined;
  expect(cache.getQueryState(notificationsKeys.list())?.isInvalidated).toBe(false);
  await untilLive();
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(1000);
  expect(handshakes).toHaveLength(2);
  expect(cache.getQueryState(notificationsKeys.list())?.isInvalidated).toBe(true);
});

it('reconnects after a server disconnect and ends the session if the token is rejected', async () => {
  store.set(tokenAtom, aToken);
  const ended = vi.fn();
  const stop = onSessionEnded(ended);
  close = openLiveConnection(aCache(), { userId, token: aToken }, address);
  await untilLive();
  refusal = 'UNAUTHORIZED';
  serverSocket?.disconnect(true);
  await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1));
  stop();
  store.set(tokenAtom, null);
});

it('reconnects when the server is back, at once on an online event', async () => {
  const cache = aCache();
  close = openLiveConnection(cache, { userId, token: aToken }, address);
  await untilLive();
  const { port } = new URL(address);
  await server.close();
  await vi.waitFor(() => expect(state()).toBe('reconnecting'));
  const { since } = store.get(connectionAtom);
  await open(Number(port));
  window.dispatchEvent(new Event('online'));
  await untilLive();
  expect(store.get(connectionAtom).since).toBeGreaterThanOrEqual(since);
  expect(handshakes.at(-1)).toEqual({ token: aToken, after: 10 });
});

it('takes what the server has after a restore, though an open page has seen higher versions', async () => {
  const cache = createQueryClient();
  const lost = { _id: 'pear', name: 'of the lost future', version: 9 };
  let answer = lost;
  const observer = new QueryObserver(cache, {
    queryKey: ['some', 'page'],
    queryFn: () => [answer],
  });
  const stop = observer.subscribe(() => {});
  cache.setQueryData(['some', 'other page'], [lost]);
  onConnection = (socket) => emitEphemeral(socket, 'synced', { seq: 10, epoch: 'first' });
  close = openLiveConnection(cache, { userId, token: aToken }, address);
  await untilLive();
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toEqual([lost]));

  answer = { ...lost, name: 'of the backup', version: 5 };
  onConnection = (socket) => emitEphemeral(socket, 'resync', { seq: 4, epoch: 'second' });
  serverSocket?.conn.close();
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toEqual([answer]));
  expect(handshakes[1]).toMatchObject({ after: 10, epoch: 'first' });
  expect(cache.getQueryData(['some', 'other page'])).toBeUndefined();
  stop();
});

it('reads the log over HTTP while no socket can be opened, and applies each event once', async () => {
  const log = serveLog();
  refusal = 'TOO_MANY_CONNECTIONS';
  const cache = aCache();
  close = openLiveConnection(cache, { userId, token: aToken }, address);
  await vi.waitFor(() => expect(state()).toBe('polling'));
  expect(isConnected()).toBe(true);
  expect(log.reads[0]).toBe('wait=20');
  log.head = 12;
  await vi.waitFor(() => expect(titles(cache)).toEqual(['News 12', 'News 11']));
  log.head = 13;
  await vi.waitFor(() => expect(unread(cache)).toBe(3));
  expect(log.reads).toContain('after=12&wait=20');

  // What page watches ends the waiting too.
  const watched = randomUUID();
  emit('products.watch', { productIds: [watched] });
  await vi.waitFor(() => expect(log.reads.at(-1)).toBe(`after=13&watch=${watched}&wait=20`));

  // The socket goes on where the reads ended, and may repeat what they brought.
  onConnection = (socket) => {
    emitNotification(socket, 13);
    emitNotification(socket, 14);
    emitEphemeral(socket, 'synced', { seq: 14 });
  };
  refusal = undefined;
  await untilLive();
  expect(handshakes.at(-1)).toEqual({ token: aToken, after: 13 });
  const readsBefore = log.reads.length;
  log.head = 15;
  emitNotification(serverSocket, 15);
  await vi.waitFor(() => expect(unread(cache)).toBe(5));
  expect(titles(cache)).toEqual(['News 15', 'News 14', 'News 13', 'News 12', 'News 11']);
  expect(log.reads).toHaveLength(readsBefore);
});
