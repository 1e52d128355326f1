import { randomUUID } from 'node:crypto';
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import { Server, type Socket } from 'socket.io';
import type { z } from 'zod';
import {
  CLIENT_EVENTS,
  type ClientEventName,
  type ClientToServerEvents,
  type Envelope,
  HandshakeAuth,
  REPLAY_MAX,
  room,
  type ServerToClientEvents,
  SOCKET_LIMITS,
} from '#contract/realtime';
import { mayMessage } from './messages/service.ts';
import type { LoggedEvent } from './platform/event-log.ts';
import { eventLag, eventsDelivered, socketsConnected } from './platform/metrics.ts';
import type { Platform } from './platform/platform.ts';
import type { SessionUser } from './platform/sessions.ts';
import { Presence, presenceRoom } from './realtime/presence.ts';
import { RecentEvents } from './realtime/recent-events.ts';
import { createRelay, type Passing, type Relay } from './realtime/relay.ts';

interface SocketData {
  /** Nobody: a visitor. */
  user: SessionUser | null;
  token: string | undefined;
  after: number | undefined;
}

type NoEvents = Record<string, never>;
type Client = Socket<ClientToServerEvents, ServerToClientEvents, NoEvents, SocketData>;
type SocketServer = Server<ClientToServerEvents, ServerToClientEvents, NoEvents, SocketData>;

export interface Gateway {
  /** Sends every client elsewhere and stops. */
  close(): Promise<void>;
}

/** How many of the latest events are kept in memory for those who come back. */
const REMEMBERED_EVENTS = 2000;
/** Whoever is further behind than this reads everything anew instead of searching the log. */
const SEARCH_MAX = 20_000;
/** How long a client ahead of this process is given until it has caught up, in milliseconds. */
const BEHIND_MS = 3000;
/** Packets of any kind a minute, pings and acknowledgements included; past it the line is cut. */
const PACKETS_PER_MINUTE = SOCKET_LIMITS.messagesPerMinute * 3;
const MINUTE_MS = 60_000;
/** `setTimeout` takes no longer pause than this. */
const TIMER_MAX_MS = 2_147_483_647;

const VITE_ORIGIN = 'http://localhost:5173';

/**
 * The live side: follows the event log and hands each event to the sockets of this process that may
 * see it. Any number of processes do so side by side, without knowing of each other.
 */
export async function createGateway(platform: Platform, server: HttpServer): Promise<Gateway> {
  const { env, log, eventLog, sessions } = platform;
  const origins = allowedOrigins(env.PUBLIC_URL, env.NODE_ENV);
  const io: SocketServer = new Server(server, {
    serveClient: false,
    transports: ['websocket', 'polling'],
    maxHttpBufferSize: SOCKET_LIMITS.packetBytes,
    connectTimeout: SOCKET_LIMITS.handshakeMs,
    upgradeTimeout: SOCKET_LIMITS.handshakeMs,
    // Notices within half a minute that somebody's line is dead.
    pingInterval: 15_000,
    pingTimeout: 15_000,
    allowRequest: (request, answer) => answer(null, isAllowed(request, origins)),
  });

  const recent = new RecentEvents(await eventLog.head(), REMEMBERED_EVENTS);
  let relay: Relay;
  const presence = new Presence(platform, () => relay);
  relay = await createRelay(
    { redis: platform.redis, prefix: env.REDIS_PREFIX, log },
    {
      onPassing: (passing) => emitPassing(io, passing),
      onCounts: (processId, counts) => presence.hearCounts(processId, counts),
    },
  );

  const following = eventLog.follow(recent.head, (event) => {
    const isGap = event.seq !== recent.head + 1;
    recent.add(event);
    if (isGap) io.emit('resync', passingEnvelope('resync', { seq: event.seq }));
    if (event.name === 'session.changed') void checkSessionsOf(event.data._id);
    eventLag.observe({ follower: 'gateway' }, (Date.now() - Date.parse(event.at)) / 1000);
    // Socket.IO would write the packet first and then find nobody to send it to.
    const { rooms } = io.of('/').adapter;
    if (!event.rooms.some((name) => rooms.has(name))) return;
    emitLogged(io.to([...event.rooms]), event);
    eventsDelivered.inc({ name: event.name });
  });

  /** Checks every line of a user of whom the log says that something about their right changed. */
  async function checkSessionsOf(userId: string): Promise<void> {
    sessions.forget(userId);
    const { adapter, sockets } = io.of('/');
    for (const socketId of [...(adapter.rooms.get(room.user(userId)) ?? [])]) {
      const socket = sockets.get(socketId);
      if (socket) await checkSession(socket);
    }
  }

  /** Ends a line whose token no longer counts. */
  async function checkSession(socket: Client): Promise<void> {
    const { token } = socket.data;
    if (token === undefined || !socket.connected) return;
    try {
      if (!(await sessions.verify(token))) socket.disconnect(true);
    } catch {
      // The database is away: whoever cannot be checked now comes back and is checked then.
      socket.conn.close();
    }
  }

  io.use(async (socket, next) => {
    const handshake = HandshakeAuth.safeParse(socket.handshake.auth);
    if (!handshake.success) {
      next(refusal('INVALID', 'The handshake is not of the expected form'));
      return;
    }
    const { token, after } = handshake.data;
    socket.data.after = after;
    socket.data.token = token;
    socket.data.user = null;
    if (token === undefined) {
      next();
      return;
    }
    try {
      const session = await sessions.verify(token);
      if (!session) {
        next(refusal('UNAUTHORIZED', 'Unauthorized'));
      } else if (presence.socketsOf(session.user.id) >= SOCKET_LIMITS.socketsPerUser) {
        next(refusal('TOO_MANY_CONNECTIONS', 'Too many connections'));
      } else {
        socket.data.user = session.user;
        endWith(socket, session.expiresAt);
        next();
      }
    } catch {
      // Not refused: the database is away. A line that breaks is tried again, a refusal is not.
      socket.conn.close();
    }
  });

  io.on('connection', (socket) => {
    const { user } = socket.data;
    presence.enter(user);
    // Handshakes side by side all saw room for one more.
    if (user && presence.socketsOf(user.id) > SOCKET_LIMITS.socketsPerUser) {
      presence.leave(user);
      socket.disconnect(true);
      return;
    }
    const role = user?.role ?? 'visitor';
    socketsConnected.inc({ role });
    socket.on('disconnect', () => {
      presence.leave(user);
      socketsConnected.dec({ role });
    });
    limitMessages(socket);
    const caughtUp = catchUp(socket).catch((error: Error) => {
      log.warn({ reason: error.message }, 'A catch-up failed');
      socket.conn.close();
    });
    // The session may have ended between the handshake and the moment when its room was joined.
    if (user) void caughtUp.then(() => checkSession(socket));
    listen(socket, caughtUp);
  });

  /** Lets a socket into its rooms at the moment when it has everything up to that moment. */
  async function catchUp(socket: Client): Promise<void> {
    const { user, after } = socket.data;
    const rooms = roomsOf(user);
    let from = after ?? recent.head;
    if (from > recent.head) await untilReached(from);
    if (from > recent.head) return startAnew(socket, rooms);
    let replayed = 0;
    while (from < recent.head) {
      const upTo = recent.head;
      const remembered = recent.after(from);
      const missed = remembered
        ? remembered.filter((event) => isFor(event, rooms))
        : upTo - from > SEARCH_MAX
          ? undefined
          : await eventLog.readMissed(from, upTo, rooms, REPLAY_MAX + 1 - replayed);
      if (!socket.connected) return;
      replayed += missed?.length ?? 0;
      if (!missed || replayed > REPLAY_MAX) return startAnew(socket, rooms);
      for (const event of missed) emitLogged(socket, event);
      from = upTo;
    }
    // Nothing was awaited since the last look at the head: no event can fall between.
    void socket.join(rooms);
    socket.emit('synced', passingEnvelope('synced', { seq: from }));
    if (user?.role === 'admin') {
      socket.emit('connected.changed', passingEnvelope('connected.changed', presence.counts()));
    }
  }

  function startAnew(socket: Client, rooms: string[]): void {
    void socket.join(rooms);
    socket.emit('resync', passingEnvelope('resync', { seq: recent.head }));
  }

  /** A client that comes from a process that was quicker may know more than this one yet. */
  async function untilReached(seq: number): Promise<void> {
    const until = Date.now() + BEHIND_MS;
    if ((await eventLog.head()) < seq) return;
    while (recent.head < seq && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Hears what a client may say; what is not of the contract's form is not answered. */
  function listen(socket: Client, caughtUp: Promise<void>): void {
    const { user } = socket.data;
    const heard = <Name extends ClientEventName>(
      name: Name,
      input: unknown,
      act: (data: z.output<(typeof CLIENT_EVENTS)[Name]>) => Promise<void>,
    ) => {
      const parsed = CLIENT_EVENTS[name].safeParse(input);
      if (!parsed.success) return;
      caughtUp
        .then(() => act(parsed.data as z.output<(typeof CLIENT_EVENTS)[Name]>))
        .catch((error: Error) => log.debug({ reason: error.message, name }, 'Not answered'));
    };

    const allowed = new Map<string, Promise<boolean>>();
    let isLooking = false;
    socket.on('typing', (input) =>
      heard('typing', input, async ({ to, isTyping }) => {
        if (!user) return;
        let may = allowed.get(to);
        if (!may) {
          // Nobody types to several people at once: the database is asked about one at a time.
          if (isLooking) return;
          isLooking = true;
          may = mayMessage(platform, user, to).finally(() => {
            isLooking = false;
          });
          if (allowed.size > 50) allowed.clear();
          allowed.set(to, may);
          may.catch(() => allowed.delete(to));
        }
        if (!(await may)) {
          allowed.delete(to);
          return;
        }
        relay.send({ name: 'typing', room: room.user(to), data: { from: user.id, isTyping } });
      }),
    );

    socket.on('presence.watch', (input) =>
      heard('presence.watch', input, async ({ userIds }) => {
        if (!user) return;
        replaceRooms(socket, presenceRoom(''), userIds.map(presenceRoom));
        for (const state of await presence.states(userIds)) {
          socket.emit('presence.changed', passingEnvelope('presence.changed', state));
        }
      }),
    );

    socket.on('products.watch', (input, acknowledge) =>
      heard('products.watch', input, async ({ productIds }) => {
        // First the rooms, then the versions: a change between the two is heard twice, not never.
        replaceRooms(socket, room.product(''), productIds.map(room.product));
        if (typeof acknowledge !== 'function') return;
        const { rows } = await platform.pool.query<{ id: string; version: number }>({
          name: 'watched_versions',
          text: 'SELECT id, version FROM products WHERE id = ANY($1::uuid[])',
          values: [productIds],
        });
        acknowledge(Object.fromEntries(rows.map(({ id, version }) => [id, version])));
      }),
    );
  }

  return {
    close: async () => {
      await following.close();
      await presence.close();
      // A line that breaks, unlike a farewell, makes every client come back by itself.
      io.engine.close();
      relay.close();
    },
  };
}

/** The origins a browser may connect from: the market's own, and Vite's while developing. */
function allowedOrigins(publicUrl: string, mode: string): Set<string> {
  const own = new URL(publicUrl);
  const origins = new Set([own.origin]);
  // On one's own machine the same server is reached under several names.
  if (['localhost', '127.0.0.1', '[::1]'].includes(own.hostname)) {
    for (const hostname of ['localhost', '127.0.0.1', '[::1]']) {
      const alias = new URL(own);
      alias.hostname = hostname;
      origins.add(alias.origin);
    }
  }
  if (mode === 'development') origins.add(VITE_ORIGIN);
  return origins;
}

/** Browsers always tell their origin; other programs have none and are not misled by a foreign page. */
function isAllowed({ headers }: IncomingMessage, origins: ReadonlySet<string>): boolean {
  return headers.origin === undefined || origins.has(headers.origin);
}

const roomsOf = (user: SessionUser | null): string[] => [
  room.everyone,
  ...(user ? [room.user(user.id)] : []),
  ...(user?.role === 'admin' ? [room.admins] : []),
];

/** Whether someone who was away missed this; changes of products are public, whoever watched them. */
const isFor = (event: LoggedEvent, rooms: readonly string[]): boolean =>
  event.name === 'product.updated' || event.rooms.some((name) => rooms.includes(name));

function refusal(code: string, message: string): Error {
  return Object.assign(new Error(message), { data: { code } });
}

/** Ends a connection when its token does. */
function endWith(socket: Client, expiresAt: number): void {
  const timer = setTimeout(
    () => socket.disconnect(true),
    Math.min(Math.max(0, expiresAt - Date.now()), TIMER_MAX_MS),
  );
  timer.unref();
  socket.conn.once('close', () => clearTimeout(timer));
}

/** Cuts the line of a client that talks more than any honest one does. */
function limitMessages(socket: Client): void {
  let since = Date.now();
  let messages = 0;
  let packets = 0;
  const startMinute = () => {
    if (Date.now() - since < MINUTE_MS) return;
    since = Date.now();
    messages = 0;
    packets = 0;
  };
  socket.use((_, next) => {
    startMinute();
    if (++messages > SOCKET_LIMITS.messagesPerMinute) socket.disconnect(true);
    else next();
  });
  socket.conn.on('packet', () => {
    startMinute();
    if (++packets > PACKETS_PER_MINUTE) socket.conn.close();
  });
}

/** Leaves all rooms that begin with `prefix` and joins these instead. */
function replaceRooms(socket: Client, prefix: string, rooms: readonly string[]): void {
  for (const name of [...socket.rooms]) {
    if (name.startsWith(prefix)) void socket.leave(name);
  }
  void socket.join([...rooms]);
}

/** The envelope around something of the moment. */
const passingEnvelope = <Name extends Passing['name']>(
  name: Name,
  data: Envelope<Name>['data'],
): Envelope<Name> => ({ id: randomUUID(), at: new Date().toISOString(), name, data });

/** Socket.IO types each event by its name; here the name is only known when it runs. */
type Emit = (name: string, envelope: unknown) => unknown;

function emitPassing(io: SocketServer, { name, room: to, data }: Passing): void {
  const target = io.to(to);
  (target.emit as Emit).call(target, name, passingEnvelope(name, data as never));
}

function emitLogged(
  target: Pick<SocketServer, 'emit'> | ReturnType<SocketServer['to']> | Client,
  { seq, id, at, name, data }: LoggedEvent,
): void {
  (target.emit as Emit).call(target, name, { seq, id, at, name, data });
}
