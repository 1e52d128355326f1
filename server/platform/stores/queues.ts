import { setTimeout as sleep } from 'node:timers/promises';
import { createNodeRedisClient, type IRedisClient, Queue, type QueueOptions } from 'bullmq';
import { queueJobs } from '../metrics/metrics.ts';
import type { Env } from '../process/env.ts';
import type { Log } from '../process/log.ts';
import { guardCommands, type Redis, type RedisConnection, TAKES_WRITES } from './redis.ts';

/** `email`, `push` and `sms` send notifications, `housekeeping` cleans up. */
export const QUEUE_NAMES = ['email', 'push', 'sms', 'housekeeping'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

/** The data of a job of the first three queues; everything else is in the delivery's row. */
export interface DeliveryJob {
  deliveryId: string;
  /** The request that caused it, for the log; a job added again by the sweep has none. */
  requestId?: string;
}

/** Options that queues and workers share. */
type QueueConnection = Pick<QueueOptions, 'connection' | 'prefix' | 'skipVersionCheck'>;

export type Queues = ReturnType<typeof openQueues>;

const ADD_TIMEOUT_MS = 2000;
const PING_TIMEOUT_MS = 1000;
const MEASURE_TIMEOUT_MS = 1000;
const CLOSE_TIMEOUT_MS = 2000;
/**
 * A blocking connection is silent while BullMQ waits for a job, ten seconds at most; a ping is
 * answered only after that.
 */
const BLOCKING_PING_INTERVAL_MS = 5000;
const BLOCKING_SILENCE_MAX_MS = 20_000;

/**
 * Ignores connection errors, also on duplicated connections: BullMQ removes its own listener before it
 * closes a connection, and an unhandled error event would end the process.
 */
function ignoreErrors(client: IRedisClient): IRedisClient {
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (...options) => ignoreErrors(duplicate(...options));
  return client.on('error', () => {});
}

/**
 * Opens the job queues on their own connection. Queues are not the source of truth: deliveries are
 * rows in Postgres, and the sweep adds a job that Redis lost again.
 */
export function openQueues(options: { redis: Redis; env: Env; log: Log }) {
  const { redis, env, log } = options;
  const client = redis.duplicate();
  // The platform's main connection logs outages.
  client.on('error', () => {});
  const guard = guardCommands(client, () => redis.refusal() !== undefined);
  const connected = new Promise<void>((resolve) => client.once('ready', resolve));
  const toQueueConnection = (by: RedisConnection): QueueConnection => ({
    connection: ignoreErrors(createNodeRedisClient(by)),
    prefix: env.REDIS_PREFIX,
    // BullMQ checks the version only once and never recovers when that check fails.
    skipVersionCheck: true,
  });
  const connection = toQueueConnection(client);
  const open = <Data>(name: QueueName): Queue<Data> => {
    const queue = new Queue<Data>(name, connection);
    queue.on('error', (error) =>
      log.debug({ reason: error.message, queue: name }, 'Queue connection failed; retrying'),
    );
    return queue;
  };
  const queues = {
    email: open<DeliveryJob>('email'),
    push: open<DeliveryJob>('push'),
    sms: open<DeliveryJob>('sms'),
    housekeeping: open<Record<string, never>>('housekeeping'),
  };

  let workerClient: RedisConnection | undefined;

  /**
   * Opens the connection for workers. Its commands wait for Redis up to 5 s: a worker retries a failed
   * command at once, and would block the event loop if they failed immediately.
   */
  function connectWorkers(): QueueConnection {
    workerClient = redis.duplicate({
      disableOfflineQueue: false,
      commandOptions: { timeout: 5000 },
    });
    workerClient.on('error', () => {});
    const duplicate = workerClient.duplicate.bind(workerClient);
    // BullMQ creates its blocking connections by `duplicate`.
    workerClient.duplicate = () =>
      duplicate({
        pingInterval: BLOCKING_PING_INTERVAL_MS,
        socket: { ...redis.options.socket, socketTimeout: BLOCKING_SILENCE_MAX_MS },
      });
    return toQueueConnection(workerClient);
  }

  /** Runs a command on the queues. @throws RedisAwayError when Redis does not answer in time */
  const withDeadline = <T>(command: () => Promise<T>, deadlineMs = ADD_TIMEOUT_MS): Promise<T> =>
    guard.withDeadline(command, deadlineMs);

  /** Pings Redis; waits up to {@link PING_TIMEOUT_MS} for a connection that is still opening. */
  async function isAnswering(): Promise<boolean> {
    if (!client.isReady) {
      await Promise.race([connected, sleep(PING_TIMEOUT_MS, undefined, { ref: false })]);
    }
    return guard
      .withDeadline(() => client.ping(), PING_TIMEOUT_MS)
      .then(
        () => true,
        () => false,
      );
  }

  async function close(): Promise<void> {
    const closing = Promise.allSettled(Object.values(queues).map((queue) => queue.close()));
    // Do not wait for a Redis that does not answer.
    if (guard.isAnswering()) {
      await Promise.race([closing, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    }
    for (const each of [client, workerClient]) if (each?.isOpen) each.destroy();
  }

  /** Updates the job gauges; keeps the last values while Redis is away. */
  async function measure(): Promise<void> {
    if (!guard.isAnswering()) return;
    await Promise.all(
      Object.values(queues).map(async (queue) => {
        const counts = await withDeadline(() => queue.getJobCounts(...STATES), MEASURE_TIMEOUT_MS);
        for (const [state, count] of Object.entries(counts)) {
          queueJobs.set({ queue: queue.name, state }, count);
        }
      }),
    ).catch((error: Error) =>
      log.debug(
        { reason: error.message },
        'Queue jobs could not be counted; keeping the last values',
      ),
    );
  }

  /** Calls `listener` on each (re)connection to Redis, and when it takes writes again. Returns the unsubscribe function. */
  function onReady(listener: () => void): () => void {
    client.on('ready', listener);
    redis.on(TAKES_WRITES, listener);
    return () => {
      client.off('ready', listener);
      redis.off(TAKES_WRITES, listener);
    };
  }

  return {
    ...queues,
    connectWorkers,
    isReady: guard.isAnswering,
    isAnswering,
    withDeadline,
    onReady,
    measure,
    close,
  };
}
