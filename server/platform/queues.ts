import { createNodeRedisClient, Queue, type QueueOptions } from 'bullmq';
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
}

/** What queues and workers share. */
export type QueueConnection = Pick<QueueOptions, 'connection' | 'prefix'>;

export type Queues = ReturnType<typeof openQueues>;

/**
 * The job queues, on a connection of their own. Nothing true lives in them: what is to be done stands
 * in Postgres, and a job that Redis lost is added again.
 */
export function openQueues(options: { redis: Redis; env: Env; log: Log }) {
  const { redis, env, log } = options;
  const client = redis.duplicate();
  // The platform's connection tells of outages; one voice is enough.
  client.on('error', () => {});
  const connection: QueueConnection = {
    connection: createNodeRedisClient(client),
    prefix: env.REDIS_PREFIX,
  };
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

  async function close(): Promise<void> {
    const closing = Promise.allSettled(Object.values(queues).map((queue) => queue.close()));
    // There is nothing to wait for where nothing answers.
    if (client.isReady) await closing;
    if (client.isOpen) client.destroy();
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

  return { ...queues, connection, isReady: () => client.isReady, measure, close };
}
