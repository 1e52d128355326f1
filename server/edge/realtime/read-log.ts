import { EVENTS_WAIT_MAX_S, room, SOCKET_LIMITS } from '#contract/platform/events/constants';
import { eventsApi, type LogAnswer } from '#contract/platform/events/log';
import { msg } from '#contract/platform/text/constants/texts';
import type { LoggedEvent } from '../../platform/events/event-log.ts';
import { accountGone, tooMany, unauthorized, unavailable } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { addressKey, userKey } from '../../platform/http/rate-limit.ts';
import { bearerTokenOf, dataRoute, type Route } from '../../platform/http/route.ts';
import { logReadsWaiting } from '../../platform/metrics/metrics.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import type { LiveLog, LogReader, Replay } from './catch-up.ts';
import { seenBy } from './visibility.ts';

/** A read of the log over HTTP, by a client that has no WebSocket. */
interface LogRead extends LogReader {
  /** Whose waiting reads are counted together. */
  key: string;
  /** The rooms that count as joined while it waits, besides the reader's own. */
  watched: ReadonlySet<string>;
  waitMs: number;
  /** Aborted when the client has left. */
  signal: AbortSignal;
  /** @returns who reads, asked anew after the wait. @throws 401 the session has ended */
  identify: () => Promise<SessionUser | null>;
}

interface Waiter extends Pick<LogRead, 'watched' | 'user'> {
  wake: () => void;
}

/** How long an answer with news waits for what follows them, such as the other events of an order. */
const GATHER_MS = 200;
/** After which a client tries again whose person or address has too many reads waiting. */
const LIMIT_RETRY_SECONDS = 30;

export type LogReads = ReturnType<typeof createLogReads>;

/** Creates reads of the log that wait for news. They cost no query while there is none. */
export function createLogReads(replay: Replay, { recent, farms, epoch }: LiveLog, scale: number) {
  const visitorsMax = Math.ceil(SOCKET_LIMITS.visitorSocketsPerAddress * scale);
  const waiting = new Map<string, Set<Waiter>>();
  let isClosed = false;

  /** @throws 401 the session has ended, 429 too many reads of the person or address are waiting */
  async function read(reading: LogRead): Promise<LogAnswer> {
    const { answer, news } = await catchUp(reading);
    if (!news) return answer;
    await news;
    const user = await reading.identify();
    const later = { ...reading, user, after: answer.synced?.seq, waitMs: 0 };
    return (await catchUp(later)).answer;
  }

  /** Replays, and begins to wait for news where there is nothing to tell. */
  async function catchUp(reading: LogRead): Promise<{ answer: LogAnswer; news?: Promise<void> }> {
    let answer: LogAnswer = { events: [] };
    let news: Promise<void> | undefined;
    await replay(reading, {
      receive: (event) => answer.events.push(event),
      hasLeft: () => reading.signal.aborted,
      end: (seq) => {
        if (seq === undefined) {
          answer = { events: [], resync: { seq: recent.head, epoch } };
          return;
        }
        answer.synced = { seq, epoch };
        const mayWait = reading.waitMs > 0 && reading.after !== undefined && !isClosed;
        if (answer.events.length === 0 && mayWait) news = waitForNews(reading);
      },
    });
    return { answer, ...(news && { news }) };
  }

  /** Returns what resolves at news, at the end of the time, and when the client leaves. @throws 429 */
  function waitForNews({ key, watched, user, waitMs, signal }: LogRead): Promise<void> {
    const own = waiting.get(key) ?? new Set();
    if (own.size >= (user ? SOCKET_LIMITS.socketsPerUser : visitorsMax)) {
      throw tooMany(LIMIT_RETRY_SECONDS);
    }
    const labels = { role: user?.role ?? 'visitor' };
    logReadsWaiting.inc(labels);
    return new Promise((resolve) => {
      const waiter = { watched, user, wake };
      const timer = setTimeout(wake, waitMs);
      waiting.set(key, own.add(waiter));
      signal.addEventListener('abort', wake);
      function wake(): void {
        if (!own.delete(waiter)) return;
        if (own.size === 0) waiting.delete(key);
        clearTimeout(timer);
        logReadsWaiting.dec(labels);
        resolve();
      }
    });
  }

  const waiters = () => [...waiting.values()].flatMap((own) => [...own]);

  return {
    read,
    /** Wakes the reads that may see an event. */
    follow(event: LoggedEvent): void {
      const seeing = waiters().filter(({ user, watched }) =>
        seenBy(event, user, farms, (name) => watched.has(name)),
      );
      if (seeing.length === 0) return;
      setTimeout(() => {
        for (const { wake } of seeing) wake();
      }, GATHER_MS).unref();
    },
    /** Wakes the reads of somebody whose session may have ended. */
    wakeUser(userId: string): void {
      for (const { wake } of waiting.get(userKey(userId)) ?? []) wake();
    },
    wakeAll(): void {
      for (const { wake } of waiters()) wake();
    },
    /** Answers all that wait; none waits any more. */
    close(): void {
      isClosed = true;
      for (const { wake } of waiters()) wake();
    },
  };
}

/** What the gateway of a process reads the log with. */
const readsByPlatform = new WeakMap<Platform, LogReads>();

/** Lets {@link logRoutes} answer by the log of the gateway. */
export const serveLogReads = (platform: Platform, reads: LogReads): void => {
  readsByPlatform.set(platform, reads);
};

/** The route of `/events`, the live events over HTTP. */
export function logRoutes(platform: Platform): Route[] {
  const { sessions } = platform;

  /** Returns who reads. Unlike other public reads it refuses an ended session, which ends its sockets too. */
  async function identify(token: string | undefined): Promise<SessionUser | null> {
    if (token === undefined) return null;
    const session = await sessions.peek(token);
    if (session) return session.user;
    if (await sessions.isAccountGone(token)) throw accountGone();
    throw unauthorized(msg('Your session has ended. Please sign in again.'));
  }

  return [
    dataRoute(eventsApi.read, async ({ query, ctx }) => {
      const reads = readsByPlatform.get(platform);
      if (!reads) throw unavailable();
      const { after, epoch, watch = [], wait = EVENTS_WAIT_MAX_S } = query;
      const token = bearerTokenOf(ctx);
      const user = await identify(token);
      const left = new AbortController();
      ctx.res.once('close', () => left.abort());
      return reads.read({
        ...{ user, after, epoch, signal: left.signal, waitMs: wait * 1000 },
        key: user ? userKey(user.id) : addressKey(ctx.ip),
        watched: new Set(watch.flatMap((id) => [room.product(id), room.farmWatchers(id)])),
        identify: () => identify(token),
      });
    }),
  ];
}
