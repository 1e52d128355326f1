import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, ErrorReply } from 'redis';
import { redisRefuses } from '../metrics/metrics.ts';
import { SettingError } from '../process/env.ts';
import type { Log } from '../process/log.ts';

/** Default deadline of a command; after it the caller continues without Redis. */
const COMMAND_DEADLINE_MS = 200;
/** A timer that fires this late shows that the event loop was blocked, not Redis. */
const EVENT_LOOP_STALL_MS = 50;
/** The shortest time that the circuit breaker stays open. */
const BREAKER_OPEN_MIN_MS = 1000;
/** How often a connection is pinged, and the silence after which it is replaced. */
const PING_INTERVAL_MS = 1000;
const SOCKET_SILENCE_MAX_MS = 3000;
/** How long a start waits for Redis before it continues without it. */
const CONNECT_WAIT_MS = 1000;
/** How often a process tries whether Redis takes writes. */
const WRITE_INTERVAL_MS = 2000;
const WRITTEN_KEY_MS = 60_000;
/** Bound on queued commands of one connection; a healthy Redis never reaches it. */
const QUEUED_COMMANDS_MAX = 10_000;

/** One connection of node-redis. */
export type RedisConnection = ReturnType<typeof newClient>;

/** Thrown when Redis did not answer in time or is known to be away. */
export class RedisAwayError extends Error {}

/** Commands with a deadline on one connection. */
interface CommandGuard {
  /** Returns whether commands are sent; while false, they fail at once. */
  isAnswering(): boolean;
  /**
   * Runs a command. @throws RedisAwayError when no answer comes within `deadlineMs` milliseconds, and
   * for at least a second after that without sending anything
   */
  withDeadline<T>(command: () => Promise<T>, deadlineMs?: number): Promise<T>;
}

/** Event of the main connection: Redis refused writes, and does so no longer. */
export const TAKES_WRITES = 'takes writes';

/** A process's main connection, for all commands with a deadline. While Redis refuses writes it counts as away. */
export type Redis = RedisConnection &
  CommandGuard & {
    /** Why Redis refuses writes, in its own word such as `OOM` or `READONLY`; undefined while it takes them. */
    refusal(): string | undefined;
  };

const newClient = (url: string) =>
  createClient({
    url,
    // Fail at once when disconnected: every caller has a fallback without Redis.
    disableOfflineQueue: true,
    // This timeout covers only the time until a command is sent; `guardCommands` sets the deadline.
    commandOptions: { timeout: 0 },
    commandsQueueMaxLength: QUEUED_COMMANDS_MAX,
    // Pings keep a healthy connection active. A connection that is silent for longer, also during its
    // handshake, is closed and replaced.
    pingInterval: PING_INTERVAL_MS,
    socket: {
      connectTimeout: SOCKET_SILENCE_MAX_MS,
      socketTimeout: SOCKET_SILENCE_MAX_MS,
      reconnectStrategy: (retries) =>
        Math.min(50 * 2 ** Math.min(retries, 5), 1000) + Math.random() * 100,
    },
  });

/**
 * Adds a deadline and a circuit breaker to the commands of `client`. The breaker opens when a command
 * misses its deadline, and closes when the late answer arrives (after {@link BREAKER_OPEN_MIN_MS} at the
 * earliest) or the connection is replaced. While it is open nothing is sent, so that a silent socket is
 * detected and no commands accumulate. It is ours: opossum and cockatiel open when the event loop was
 * blocked, close by sending a command, and need Node 22 in their latest release.
 */
export function guardCommands(
  client: RedisConnection,
  isRefusing: () => boolean,
  onChange?: (isAnswering: boolean) => void,
) {
  let isOpen = false;
  let openedAt = 0;

  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    onChange?.(true);
  };
  client.on('ready', close);

  function open(lateAnswer: Promise<unknown>): void {
    const closeLater = () => {
      const restMs = openedAt + BREAKER_OPEN_MIN_MS - Date.now();
      setTimeout(close, Math.max(0, restMs)).unref();
    };
    // An error reply of Redis is an answer; a lost connection is not.
    lateAnswer.then(closeLater, () => client.isReady && closeLater());
    if (isOpen) return;
    isOpen = true;
    openedAt = Date.now();
    onChange?.(false);
  }

  const guard: CommandGuard = {
    isAnswering: () => client.isReady && !isOpen && !isRefusing(),
    withDeadline: (command, deadlineMs = COMMAND_DEADLINE_MS) => {
      if (!guard.isAnswering()) return Promise.reject(new RedisAwayError('Redis is away.'));
      return new Promise((resolve, reject) => {
        let isSettled = false;
        const answer = command();
        let timer: NodeJS.Timeout;
        const wait = () => {
          const startedAt = performance.now();
          timer = setTimeout(() => {
            // The event loop was blocked: give Redis the full deadline again.
            if (performance.now() - startedAt > deadlineMs + EVENT_LOOP_STALL_MS) return wait();
            // Let answers that have already arrived be read first.
            setImmediate(() => {
              if (isSettled) return;
              open(answer);
              reject(new RedisAwayError('Redis did not answer in time.'));
            });
          }, deadlineMs);
        };
        wait();
        const settle = () => {
          isSettled = true;
          clearTimeout(timer);
        };
        answer.then(
          (value) => {
            settle();
            resolve(value);
          },
          (error: unknown) => {
            settle();
            reject(error);
          },
        );
      });
    },
  };
  return guard;
}

/** Errors for wrong credentials or a wrong database number: retrying does not help. */
const CONFIGURATION_ERRORS =
  /^(WRONGPASS|NOAUTH|NOPERM|ERR invalid password|ERR AUTH|ERR DB index)/;

/**
 * Opens a connection to Redis that reconnects for as long as the process runs. Waits a second at most;
 * the process also starts without Redis.
 * @throws SettingError when Redis refuses the credentials, or is a cluster
 */
export async function connectRedis(url: string, log: Log, prefix = 'farmgate'): Promise<Redis> {
  const client = newClient(url);
  let lastMessage = '';
  client.on('error', (error: Error) => {
    // Log once per outage, not once per attempt, and not after a requested close.
    if (error.message !== lastMessage && client.isOpen) {
      log.warn({ reason: error.message }, 'Redis is away; continuing without it');
    }
    lastMessage = error.message;
  });
  client.on('ready', () => {
    if (lastMessage) log.info('Redis is connected again');
    lastMessage = '';
  });
  const writes = watchWrites(client, `${prefix}:written`, log);
  const isRefusing = () => writes.refusal() !== undefined;
  const guard = guardCommands(client, isRefusing, (isAnswering) => {
    if (isAnswering) log.info('Redis answers again');
    else log.warn('Redis does not answer; continuing without it');
  });

  const tried = new Promise<'ready' | Error>((resolve) => {
    client.once('ready', () => resolve('ready'));
    client.once('error', resolve);
  });
  client.connect().catch(() => {});
  const outcome = await Promise.race([tried, sleep(CONNECT_WAIT_MS, undefined, { ref: false })]);
  if (outcome === undefined) log.warn('Redis does not answer; starting without it');
  if (outcome instanceof Error && CONFIGURATION_ERRORS.test(outcome.message)) {
    client.destroy();
    throw new SettingError(
      `Redis at ${withoutPassword(url)} refuses the connection (${outcome.message}): check REDIS_URL.`,
    );
  }
  if (outcome === 'ready' && (await isCluster(client))) {
    client.destroy();
    throw new SettingError(
      `Redis at ${withoutPassword(url)} is a Redis Cluster, which spreads keys that belong together: set REDIS_URL to ` +
        'one primary, or to one address with Sentinel or a proxy behind it.',
    );
  }
  await writes.try();
  return Object.assign(client, guard, { refusal: writes.refusal });
}

/** Returns whether this is a node of a cluster, as far as its user may ask. */
const isCluster = (client: RedisConnection): Promise<boolean> =>
  Promise.race([
    client.info('cluster').then(
      (text) => /^cluster_enabled:1/m.test(text),
      () => false,
    ),
    sleep(CONNECT_WAIT_MS, false, { ref: false }),
  ]);

/**
 * Follows whether Redis takes writes: it may answer and refuse them, when its memory or disk is full, as a replica after
 * a failover, or by an ACL.
 */
function watchWrites(client: RedisConnection, key: string, log: Log) {
  let refusal: string | undefined;
  let isAsking = false;

  function note(answer: Error | undefined): void {
    const word = answer?.message.split(' ', 1)[0];
    if (word === refusal) return;
    refusal = word;
    redisRefuses.set(answer ? 1 : 0);
    if (answer)
      log.error({ reason: answer.message }, 'Redis refuses writes; continuing without it');
    else {
      log.info('Redis takes writes again');
      client.emit(TAKES_WRITES);
    }
  }

  async function tryToWrite(): Promise<void> {
    // What is sent to a socket that answers nothing would keep it from being taken for silent.
    if (!client.isReady || isAsking) return;
    isAsking = true;
    const answer = client
      .set(key, '1', { PX: WRITTEN_KEY_MS })
      .then(
        () => note(undefined),
        // A lost connection says nothing of writes.
        (error: unknown) => error instanceof ErrorReply && note(error),
      )
      .finally(() => {
        isAsking = false;
      });
    await Promise.race([answer, sleep(COMMAND_DEADLINE_MS, undefined, { ref: false })]);
  }

  const timer = setInterval(() => void tryToWrite(), WRITE_INTERVAL_MS);
  timer.unref();
  client.once('end', () => clearInterval(timer));
  client.on('ready', () => void tryToWrite());
  return { try: tryToWrite, refusal: () => refusal };
}

/** A subscription to one channel. */
export interface Subscription {
  /** Returns whether messages arrive, as far as is known. */
  isReady(): boolean;
  close(): void;
}

/**
 * Calls `onMessage` with every message on `channel`, over its own connection, which reconnects. Waits
 * for the subscription while Redis is connected, and returns at once otherwise.
 */
export async function subscribe(
  redis: Redis,
  channel: string,
  onMessage: (message: string) => void,
): Promise<Subscription> {
  const subscriber = redis.duplicate();
  // The main connection logs outages.
  subscriber.on('error', () => {});
  let isSubscribed = false;
  const subscribed = new Promise<void>((resolve) => {
    // node-redis subscribes again after a reconnection.
    subscriber.on('ready', () => {
      if (isSubscribed) return;
      subscriber.subscribe(channel, onMessage).then(
        () => {
          isSubscribed = true;
          resolve();
        },
        () => {},
      );
    });
  });
  subscriber.connect().catch(() => {});
  if (redis.isReady) {
    await Promise.race([subscribed, sleep(CONNECT_WAIT_MS, undefined, { ref: false })]);
  }
  return {
    isReady: () => subscriber.isReady && redis.isAnswering(),
    close: () => {
      if (subscriber.isOpen) subscriber.destroy();
    },
  };
}

function withoutPassword(url: string): string {
  const parsed = new URL(url);
  parsed.password = '';
  return parsed.toString();
}
