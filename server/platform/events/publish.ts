import { randomUUID } from 'node:crypto';
import type { Log } from '../process/log.ts';
import { type Redis, type Subscription, subscribe } from '../stores/redis.ts';
import type { LoggedEvent } from './event.ts';

/** Publishes numbered batches over Redis and calls `dispatch` with those of all processes. */
export function createEventChannel(options: {
  redis: Redis;
  log: Log;
  prefix: string;
  dispatch: (events: LoggedEvent[]) => void;
}) {
  const { redis, log, dispatch } = options;
  const channel = `${options.prefix}:events`;
  /** Marks this process's own batches, which it has dispatched already. */
  const ownPrefix = `${randomUUID()} `;
  let subscription: Subscription | undefined;

  return {
    /** Whether batches of other processes currently arrive. */
    get isLive(): boolean {
      return subscription?.isReady() ?? false;
    },
    /** Dispatches a batch in this process and publishes it to the others. */
    publish(batch: string): void {
      dispatch(JSON.parse(batch) as LoggedEvent[]);
      // Followers read a batch that was not published from the table.
      redis.withDeadline(() => redis.publish(channel, ownPrefix + batch)).catch(() => {});
    },
    /** Subscribes to the batches of other processes, now or once Redis is connected. */
    async start(): Promise<void> {
      subscription = await subscribe(redis, channel, (message) => {
        if (message.startsWith(ownPrefix)) return;
        try {
          dispatch(JSON.parse(message.slice(ownPrefix.length)) as LoggedEvent[]);
        } catch (error) {
          log.warn(
            { reason: (error as Error).message },
            'Invalid event batch; reading the table instead',
          );
        }
      });
    },
    close(): void {
      subscription?.close();
    },
  };
}
