import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel, NotificationDelivery } from '../../prisma/generated/client.ts';
import type { ProcessPlatform } from '../../server/platform/events/platform.ts';
import { isDatabaseAway } from '../../server/platform/stores/postgres.ts';
import type { Queues } from '../../server/platform/stores/queues.ts';
import { readClock } from '../../server/platform/time/clock.ts';
import { PostponedError } from './postpone.ts';

/** How often it is looked whether the queues can be used, and then what is due, in milliseconds. */
const LOOK_MS = 1000;
/** With the default backoff a minute: by then the queues would have tried a delivery for the sixth time. */
const PATIENCE_IN_BACKOFFS = 30;
const DELIVERIES_PER_LOOK = 100;
/** Deliveries of a channel that one process makes at once. */
const LANES = 5;

type Sent = Exclude<Channel, 'in_app'>;

/** One attempt at a delivery; what is thrown is a failure that is already recorded. */
type Deliver = (attempt: { deliveryId: string; isLast: boolean }) => Promise<void>;

/**
 * Sends what is due from the table while the queues cannot be used for a minute: Redis may be away or refuse writes for
 * hours, and mails need nothing of it. A delivery's own lock and state see that it is made once, also when the queues
 * come back meanwhile.
 */
export function startWithoutQueues(
  { db, env, log }: ProcessPlatform,
  queues: Pick<Queues, 'isReady'>,
  deliver: Readonly<Record<Sent, Deliver>>,
) {
  let awaySince: number | undefined;
  let isSaid = false;
  let isClosed = false;
  const closing = new AbortController();

  function isPatienceOver(): boolean {
    if (queues.isReady()) {
      if (isSaid) log.info('Redis is back; mails and pushes go through the queues again');
      awaySince = undefined;
      isSaid = false;
      return false;
    }
    awaySince ??= performance.now();
    const isOver = performance.now() - awaySince > PATIENCE_IN_BACKOFFS * env.JOB_BACKOFF_MS;
    if (isOver && !isSaid) log.warn('Sending mails and pushes without Redis');
    isSaid ||= isOver;
    return isOver;
  }

  async function findDue(channel: Sent) {
    const now = await readClock(db);
    return db.notificationDelivery.findMany({
      where: {
        status: { in: ['pending', 'sending'] },
        channel,
        restoredAt: null,
        dueAt: { lte: now },
        OR: [{ retryAt: null }, { retryAt: { lte: now } }],
      },
      orderBy: [{ dueAt: 'asc' }, { id: 'asc' }],
      take: DELIVERIES_PER_LOOK,
      select: { id: true, attempts: true },
    });
  }

  async function send(
    channel: Sent,
    { id, attempts }: Pick<NotificationDelivery, 'id' | 'attempts'>,
  ) {
    try {
      await deliver[channel]({ deliveryId: id, isLast: attempts + 1 >= env.JOB_ATTEMPTS });
    } catch (error) {
      if (error instanceof PostponedError || isDatabaseAway(error)) return;
      log.warn({ delivery: id, reason: (error as Error).message }, 'Delivery failed');
      const backoff = env.JOB_BACKOFF_MS * 2 ** attempts;
      await db.$executeRaw`
        UPDATE notification_deliveries
        SET retry_at = greatest(retry_at, now() + make_interval(secs => ${backoff / 1000}))
        WHERE id = ${id}::uuid AND status IN ('pending', 'sending')`;
    }
  }

  async function look(channel: Sent): Promise<void> {
    if (!isPatienceOver()) return;
    const due = await findDue(channel);
    const lane = async () => {
      for (let row = due.shift(); row && !isClosed; row = due.shift()) await send(channel, row);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  /** Each channel by itself, so that a slow mail server delays no push message. */
  const looking = (['email', 'push', 'sms'] as const).map(async (channel) => {
    while (!isClosed) {
      await look(channel).catch((error: Error) =>
        log.debug({ reason: error.message }, 'What is due could not be sent; will retry'),
      );
      await sleep(LOOK_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  });

  return {
    /** Waits for what is being sent. */
    close: async (): Promise<void> => {
      isClosed = true;
      closing.abort();
      await Promise.all(looking);
    },
  };
}
