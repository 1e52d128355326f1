import type { JobsOptions } from 'bullmq';
import type { Channel, Prisma } from '../../prisma/generated/client.ts';
import type { ProcessPlatform } from '../../server/platform/events/platform.ts';
import { isDatabaseAway } from '../../server/platform/stores/postgres.ts';
import { isOnline } from '../../server/platform/stores/presence.ts';
import type { DeliveryJob, QueueName, Queues } from '../../server/platform/stores/queues.ts';
import { readClock } from '../../server/platform/time/clock.ts';

/** The columns of the ledger (`notification_deliveries`) that a job is made of. */
const plannedSelect = {
  id: true,
  userId: true,
  channel: true,
  kind: true,
} as const satisfies Prisma.NotificationDeliverySelect;

/** A delivery that needs a job. */
export type Planned = Prisma.NotificationDeliveryGetPayload<{ select: typeof plannedSelect }> & {
  /** The id of the request that caused it, if known. */
  requestId?: string | null;
  /** So long it waits to go together with others, whether or not the person is online. */
  heldMs?: number;
};

/** Decides when a delivery is due, by its channel and kind. */
export interface DueTimes {
  /** The longest that a delivery of this kind waits before it is due, in seconds. */
  longestDelay(delivery: Pick<Planned, 'channel' | 'kind'>): number;
  /** Whether it is due at once when the person is offline. */
  isDueAtOnceWhenAway(delivery: Pick<Planned, 'channel' | 'kind'>): boolean;
}

/** Stands between a notification's key and the push subscription that a delivery is for. */
export const PUSH_KEY_SEPARATOR = '@';

/** Splits a delivery's key into the notification's key and, for push, the subscription's id. */
export function partsOfKey(key: string): { notificationKey: string; subscriptionId: string } {
  const at = key.lastIndexOf(PUSH_KEY_SEPARATOR);
  return at < 0
    ? { notificationKey: key, subscriptionId: '' }
    : { notificationKey: key.slice(0, at), subscriptionId: key.slice(at + 1) };
}

/** What is shown in the app alone has no queue: such rows of the ledger are flags. */
const QUEUE_OF = {
  in_app: undefined,
  email: 'email',
  push: 'push',
  sms: 'sms',
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

const SWEEP_MS = 5000;
/** How long after its due time the job of an unfinished delivery counts as lost. */
const GRACE_SECONDS = 5;
const DELIVERIES_PER_BATCH = 500;

/**
 * Adds jobs that Redis lost or never received. An existing job is not added twice.
 */
export function startSweep(platform: ProcessPlatform, queues: Queues, schedule: Schedule) {
  const { db, log } = platform;
  let sweeping: Promise<void> | undefined;
  let isClosed = false;

  async function sweepAll(graceSeconds: number): Promise<void> {
    const now = await readClock(db);
    const dueAt = { lt: new Date(now.getTime() - graceSeconds * 1000) };
    let last: { id: string } | undefined;
    for (;;) {
      const rows: Planned[] = await db.notificationDelivery.findMany({
        where: {
          status: { in: ['pending', 'sending'] },
          restoredAt: null,
          dueAt,
          channel: { not: 'in_app' },
        },
        orderBy: [{ dueAt: 'asc' }, { id: 'asc' }],
        take: DELIVERIES_PER_BATCH,
        ...(last ? { cursor: { id: last.id }, skip: 1 } : {}),
        select: plannedSelect,
      });
      await schedule.addNow(rows);
      last = rows.at(-1);
      if (!last || rows.length < DELIVERIES_PER_BATCH || isClosed) return;
    }
  }

  const sweep = (graceSeconds = GRACE_SECONDS) => {
    if (isClosed || !queues.isReady()) return;
    sweeping ??= sweepAll(graceSeconds)
      .catch((error: Error) => {
        const level = isDatabaseAway(error) || !queues.isReady() ? 'debug' : 'warn';
        log[level]({ reason: error.message }, 'Sweep failed; will retry');
      })
      .finally(() => {
        sweeping = undefined;
      });
  };

  const timer = setInterval(sweep, SWEEP_MS);
  // Deliveries planned while Redis was away have no job.
  const stopListening = queues.onReady(() => sweep(0));
  sweep();

  async function close(): Promise<void> {
    isClosed = true;
    clearInterval(timer);
    stopListening();
    await sweeping;
  }

  return { close };
}
