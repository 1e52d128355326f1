import type { JobsOptions } from 'bullmq';
import type { Channel } from '../../prisma/generated/client.ts';
import type { ProcessPlatform } from '../../server/platform/events/platform.ts';
import { isOnline } from '../../server/platform/stores/presence.ts';
import type { DeliveryJob, QueueName, Queues } from '../../server/platform/stores/queues.ts';
import type { DueTimes, Planned } from './ledger.ts';

/** What is shown in the app alone has no queue: such rows of the ledger are flags. */
const QUEUE_OF = {
  in_app: undefined,
  email: 'email',
  push: 'push',
} as const satisfies Record<Channel, QueueName | undefined>;

/** Failed jobs kept for inspection and a manual retry. */
const FAILED_JOBS_KEPT = 5000;

export type Schedule = ReturnType<typeof createSchedule>;

/** Creates a scheduler that adds one job per planned delivery, however often it is called. */
export function createSchedule(
  { env, redis }: ProcessPlatform,
  queues: Queues,
  dueTimes: DueTimes,
) {
  /** Returns the delay in seconds: a person who is online may read it in the app first. */
  async function delayOf(planned: Planned): Promise<number> {
    if (planned.heldMs !== undefined) return planned.heldMs / 1000;
    const longest = dueTimes.longestDelay(planned);
    if (longest === 0 || !dueTimes.isDueAtOnceWhenAway(planned)) return longest;
    return (await isOnline(redis, env.REDIS_PREFIX, planned.userId)) ? longest : 0;
  }

  // Not `addBulk`, whose commands fail in a Redis that restarted without its scripts.
  const add = async (row: Planned, delaySeconds: number) => {
    const queue = QUEUE_OF[row.channel];
    if (!queue) return;
    const { id: deliveryId, requestId } = row;
    const data: DeliveryJob = { deliveryId, ...(requestId ? { requestId } : {}) };
    const options: JobsOptions = {
      jobId: row.id,
      delay: delaySeconds * 1000,
      attempts: env.JOB_ATTEMPTS,
      backoff: { type: 'exponential', delay: env.JOB_BACKOFF_MS },
      removeOnComplete: true,
      removeOnFail: { count: FAILED_JOBS_KEPT },
    };
    await queues.withDeadline(() => queues[queue].add(row.kind, data, options));
  };

  return {
    /** Adds jobs for new deliveries, each after its delay. @throws while Redis is away */
    async addDelayed(planned: readonly Planned[]): Promise<void> {
      await Promise.all(planned.map(async (row) => add(row, await delayOf(row))));
    },

    /** Adds jobs for due deliveries. @throws while Redis is away */
    async addNow(planned: readonly Planned[]): Promise<void> {
      await Promise.all(planned.map((row) => add(row, 0)));
    },
  };
}
