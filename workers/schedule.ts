import type { Channel } from '../prisma/generated/client.ts';
import type { Platform } from '../server/platform/platform.ts';
import { isOnline } from '../server/platform/presence.ts';
import type { DeliveryJob, QueueName, Queues } from '../server/platform/queues.ts';
import { longestDelay, type Planned } from './ledger.ts';
import { definitionOf } from './notifications/definitions.ts';

const QUEUE_OF = {
  in_app: 'reminders',
  email: 'email',
  push: 'push',
} as const satisfies Record<Channel, QueueName>;

/** How many dead jobs are kept to be looked at. */
const DEAD_KEPT = 5000;

export type Schedule = ReturnType<typeof createSchedule>;

/** Makes jobs of what the ledger plans. One row makes one job, however often it is asked for. */
export function createSchedule({ env, redis }: Platform, queues: Queues) {
  /** Somebody who is here may read it in the bell; somebody who is not gets the mail at once. */
  async function delayOf(planned: Planned): Promise<number> {
    const longest = longestDelay(env, planned);
    const canWait = planned.channel !== 'email' || definitionOf(planned.kind)?.digest !== undefined;
    if (longest === 0 || canWait) return longest;
    return (await isOnline(redis, env.REDIS_PREFIX, planned.userId)) ? longest : 0;
  }

  // One command each: those of `addBulk` fail in a Redis that came back without its scripts.
  const add = (row: Planned, delaySeconds: number) => {
    const { id: deliveryId, requestId } = row;
    const data: DeliveryJob = { deliveryId, ...(requestId ? { requestId } : {}) };
    return queues[QUEUE_OF[row.channel]].add(row.kind, data, {
      jobId: row.id,
      delay: delaySeconds * 1000,
      attempts: env.JOB_ATTEMPTS,
      backoff: { type: 'exponential', delay: env.JOB_BACKOFF_MS },
      removeOnComplete: true,
      // What failed for good stays to be looked at and tried again by hand.
      removeOnFail: { count: DEAD_KEPT },
    });
  };

  return {
    /** Adds jobs for new rows, each at its time. @throws while Redis is away */
    async soon(planned: readonly Planned[]): Promise<void> {
      await Promise.all(planned.map(async (row) => add(row, await delayOf(row))));
    },

    /** Adds jobs that are due. @throws while Redis is away */
    async now(planned: readonly Planned[]): Promise<void> {
      await Promise.all(planned.map((row) => add(row, 0)));
    },
  };
}
