import { createNodeRedisClient, type IRedisClient, Queue, type QueueOptions } from 'bullmq';
import type { Env } from './env.ts';
import type { Log } from './log.ts';
import { queueJobs } from './metrics.ts';
import type { Redis } from './redis.ts';

/** `reminders` look again later; `email` and `push` carry notifications out; the last one tidies up. */
export const QUEUE_NAMES = ['reminders', 'email', 'push', 'housekeeping'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

/** What a job of the first three queues carries: the row that tells everything else. */
export interface DeliveryJob {
  deliveryId: string;
  /** The request that led to it, for the log; a job that was lost and added again has none. */
  requestId?: string;
}

/** What queues and workers share. */
export type QueueConnection = Pick<QueueOptions, 'connection' | 'prefix' | 'skipVersionCheck'>;

export type Queues = ReturnType<typeof openQueues>;

/**
 * An outage that comes when BullMQ has stopped listening, as it does before it closes a connection, must
 * not end the process: nor one on the connections that it makes after this one's pattern.
 */
function withoutEnding(client: IRedisClient): IRedisClient {
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (...options) => withoutEnding(duplicate(...options));
  return client.on('error', () => {});
}

/**
 * The job queues, on a connection of their own. Nothing true lives in them: what is to be done stands
 * in Postgres, and a job that Redis lost is added again.
 */
export function openQueues(options: { redis: Redis; env: Env; log: Log }) {
  const { redis, env, log } = options;
  const client = redis.duplicate();
  // The platform's connection tells of outages; one voice is enough.
  client.on('error', () => {});
  const connect = (by: Redis): QueueConnection => ({
    connection: withoutEnding(createNodeRedisClient(by)),
    prefix: env.REDIS_PREFIX,
    // BullMQ asks only once: where Redis goes away before the answer it would never work again.
    skipVersionCheck: true,
  });
  const connection = connect(client);
  const open = <Data>(name: QueueName): Queue<Data> => {
    const queue = new Queue<Data>(name, connection);
    queue.on('error', (error) =>
      log.debug({ reason: error.message, queue: name }, 'A queue waits'),
    );
    return queue;
  };
  const queues = {
    reminders: open<DeliveryJob>('reminders'),
    email: open<DeliveryJob>('email'),
    push: open<DeliveryJob>('push'),
    housekeeping: open<Record<string, never>>('housekeeping'),
  };

  let workClient: Redis | undefined;

  /**
   * A connection to work on the queues. Its commands wait a while for Redis: where they fail at once, a
   * worker asks again at once, for ever, and nothing else in its process gets a turn.
   */
  function connectWork(): QueueConnection {
    workClient = redis.duplicate({ disableOfflineQueue: false, commandOptions: { timeout: 5000 } });
    workClient.on('error', () => {});
    return connect(workClient);
  }

  async function close(): Promise<void> {
    const closing = Promise.allSettled(Object.values(queues).map((queue) => queue.close()));
    // There is nothing to wait for where nothing answers.
    if (client.isReady) await closing;
    for (const each of [client, workClient]) if (each?.isOpen) each.destroy();
  }

  /** Notes how many jobs are where, for whoever reads the metrics; old figures while Redis is away. */
  async function measure(): Promise<void> {
    if (!client.isReady) return;
    await Promise.all(
      Object.values(queues).map(async (queue) => {
        const counts = await queue.getJobCounts(...STATES);
        for (const [state, count] of Object.entries(counts)) {
          queueJobs.set({ queue: queue.name, state }, count);
        }
      }),
    ).catch((error: Error) => log.debug({ reason: error.message }, 'Queues were not counted'));
  }

  /** Calls `listener` whenever Redis is there again. Returns how to stop. */
  function onReady(listener: () => void): () => void {
    client.on('ready', listener);
    return () => client.off('ready', listener);
  }

  return { ...queues, connectWork, isReady: () => client.isReady, onReady, measure, close };
}
