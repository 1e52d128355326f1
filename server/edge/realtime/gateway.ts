import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import { room, SOCKET_LIMITS } from '#contract/platform/events/constants';
import { clockMs } from '#contract/platform/time/constants';
import { allowedOrigins } from '../../platform/http/middleware.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { eventLag, socketsConnected } from '../../platform/metrics/metrics.ts';
import type { Sessions, SessionUser } from '../../platform/sessions/sessions.ts';
import { retryWhileAway } from '../../platform/stores/postgres.ts';
import { createCatchUp, createReplay, RecentEvents } from './catch-up.ts';
import { createClientEvents, limitMessages } from './client-events.ts';
import { ClosedFarms } from './closed-farms.ts';
import { type Client, createFanOut, type SocketServer } from './fan-out.ts';
import { createHandshake, isAllowedOrigin } from './handshake.ts';
import { Presence } from './presence.ts';
import { createLogReads, serveLogReads } from './read-log.ts';
import { createRelay, type Relay } from './relay.ts';

export interface Gateway {
  /** Closes all connections, so that clients reconnect to another process, and stops. */
  close(): Promise<void>;
}

/** Latest events kept in memory for clients that reconnect. */
const RECENT_EVENTS_KEPT = 2000;

/**
 * Starts the Socket.IO gateway: follows the event log and delivers each event to the sockets of this
 * process that may see it. Any number of processes can do so independently.
 */
export async function createGateway(platform: Platform, server: HttpServer): Promise<Gateway> {
  const { env, log, eventLog } = platform;
  const origins = allowedOrigins(env.PUBLIC_URL, env.NODE_ENV);
  const io: SocketServer = new Server({
    serveClient: false,
    // Polls of one client land on any process, and only one knows it.
    transports: env.WEB_CONCURRENCY > 1 ? ['websocket'] : ['websocket', 'polling'],
    maxHttpBufferSize: SOCKET_LIMITS.packetBytes,
    connectTimeout: SOCKET_LIMITS.handshakeMs,
    upgradeTimeout: SOCKET_LIMITS.handshakeMs,
    // Detects a dead connection within half a minute.
    pingInterval: SOCKET_LIMITS.pingIntervalMs,
    pingTimeout: SOCKET_LIMITS.pingIntervalMs,
    allowRequest: (request, answer) => answer(null, isAllowedOrigin(request, origins)),
  });

  const epoch = await retryWhileAway(() => eventLog.epoch());
  const farms = new ClosedFarms(platform.pool);
  const fanOut = createFanOut(io, epoch, farms);
  const sessionChecks = createSessionChecks(io, platform.sessions);
  const recent = new RecentEvents(await retryWhileAway(() => eventLog.head()), RECENT_EVENTS_KEPT);
  // After the head: what has closed a farm before it is in the database.
  await retryWhileAway(() => farms.read());
  let relay: Relay;
  const presence = new Presence(platform, () => relay);
  relay = await createRelay(
    { redis: platform.redis, prefix: env.REDIS_PREFIX, log },
    {
      onEphemeral: fanOut.emitEphemeral,
      onCounts: (processId, counts) => presence.receiveCounts(processId, counts),
    },
  );
  const liveLog = { eventLog, recent, farms, epoch };
  const replay = createReplay(liveLog);
  const catchUp = createCatchUp(replay, liveLog, presence);
  const logReads = createLogReads(replay, liveLog, env.RATE_LIMIT_SCALE);
  const handleClientEvents = createClientEvents(platform, { presence, farms, relay: () => relay });

  const following = eventLog.follow(recent.head, async (event) => {
    // The follower repeats an event whose delivery failed.
    const isRepeat = event.seq === recent.head;
    const isGap = !isRepeat && event.seq !== recent.head + 1;
    if (!isRepeat) recent.add(event);
    // Personal data was removed from the log but is still in memory.
    if (event.name === 'user.deleted') recent.clear();
    if (event.name === 'session.changed') {
      void sessionChecks.checkUser(event.data._id);
      logReads.wakeUser(event.data._id);
    }
    eventLag.observe({ follower: 'gateway' }, (clockMs() - Date.parse(event.at)) / 1000);
    await farms.follow(event);
    if (isGap) {
      logReads.wakeAll();
      await fanOut.resyncAll(event.seq);
    }
    logReads.follow(event);
    await fanOut.deliver(event);
  });

  io.use(createHandshake(platform, presence));

  io.on('connection', (socket: Client) => {
    const { user } = socket.data;
    presence.addSocket(user);
    // Concurrent handshakes may all have passed the check before.
    if (user && presence.socketsOf(user.id) > SOCKET_LIMITS.socketsPerUser) {
      presence.removeSocket(user);
      socket.disconnect(true);
      return;
    }
    const role = user?.role ?? 'visitor';
    socketsConnected.inc({ role });
    socket.on('disconnect', () => {
      presence.removeSocket(user);
      socketsConnected.dec({ role });
    });
    limitMessages(socket);
    const caughtUp = catchUp(socket).catch((error: Error) => {
      log.warn({ reason: error.message }, 'Catch-up failed; closing the connection');
      socket.conn.close();
    });
    // The session may have ended between the handshake and joining its room.
    if (user) void caughtUp.then(() => sessionChecks.check(socket));
    handleClientEvents(socket, caughtUp);
  });

  // Attach last: a server that already listens must accept no socket without handlers.
  io.attach(server);
  serveLogReads(platform, logReads);

  return {
    close: async () => {
      await following.close();
      logReads.close();
      await presence.close();
      // Clients reconnect by themselves after a closed connection, but not after a disconnect packet.
      io.engine.close();
      relay.close();
    },
  };
}

/** The longest delay of `setTimeout`. */
const TIMER_MAX_MS = 2_147_483_647;

/** Creates functions that disconnect sockets whose session has ended or no longer is the same. */
function createSessionChecks(io: SocketServer, sessions: Sessions) {
  const timers = new WeakMap<Client, NodeJS.Timeout>();

  /** Checks a socket when its session is to end; use of it may have moved its end on by then. */
  function checkAfter(socket: Client, leftMs: number): void {
    const earlier = timers.get(socket);
    if (earlier) clearTimeout(earlier);
    else socket.conn.once('close', () => clearTimeout(timers.get(socket)));
    const timer = setTimeout(() => void check(socket), Math.min(leftMs, TIMER_MAX_MS));
    timers.set(socket, timer.unref());
  }

  /**
   * Disconnects a socket whose token is no longer valid. One whose person works for another farm now, or has another
   * role there, only has its connection closed: the client reconnects with its new session, into the rooms of that
   * role.
   */
  async function check(socket: Client): Promise<void> {
    const { token } = socket.data;
    if (token === undefined || !socket.connected) return;
    try {
      const session = await sessions.peek(token);
      if (!session) socket.disconnect(true);
      else if (socket.data.user && isOther(session.user, socket.data.user)) socket.conn.close();
      else checkAfter(socket, session.leftMs);
    } catch {
      // The database is away: close the connection, so that the client reconnects and is checked then.
      socket.conn.close();
    }
  }

  /** Checks every socket of a user after `session.changed`. */
  async function checkUser(userId: string): Promise<void> {
    sessions.invalidate(userId);
    const { adapter, sockets } = io.of('/');
    for (const socketId of [...(adapter.rooms.get(room.user(userId)) ?? [])]) {
      const socket = sockets.get(socketId);
      if (socket) await check(socket);
    }
  }

  return { check, checkUser };
}

/** Returns whether what a person's sockets may see and do follows from another membership now. */
const isOther = ({ membership: now }: SessionUser, { membership: before }: SessionUser): boolean =>
  now?.farmId !== before?.farmId || now?.role !== before?.role;
