import { createNodeRedisClient, Queue, type QueueOptions } from 'bullmq';
import type { Platform } from './platform.ts';

/** `reminders` look again later; `email` and `push` carry notifications out; the last one tidies up. */
export const QUEUE_NAMES = ['reminders', 'email', 'push', 'housekeeping'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

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
export function openQueues({ redis, env, log }: Pick<Platform, 'redis' | 'env' | 'log'>) {
  const client = redis.duplicate();
  // The platform's connection tells of outages; one voice is enough.
  client.on('error', () => {});
  const options: QueueConnection = {
    connection: createNodeRedisClient(client),
    prefix: env.REDIS_PREFIX,
  };
  const open = <Data>(name: QueueName): Queue<Data> => {
    const queue = new Queue<Data>(name, options);
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
    await Promise.allSettled(Object.values(queues).map((queue) => queue.close()));
    if (client.isOpen) client.destroy();
  }

  return { ...queues, options, isReady: () => client.isReady, close };
}
