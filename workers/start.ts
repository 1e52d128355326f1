import { type Job, type Processor, Worker } from 'bullmq';
import type { Platform } from '../server/platform/platform.ts';
import type { DeliveryJob, QueueName } from '../server/platform/queues.ts';
import { withRequestId } from '../server/platform/request-context.ts';
import { startDispatch } from './dispatch.ts';
import { createExclusive } from './exclusive.ts';
import { scheduleHousekeeping, tidyUp } from './housekeeping.ts';
import type { Try } from './notifications/delivery.ts';
import { deliverEmail } from './notifications/email.ts';
import { createMailer } from './notifications/mailer.ts';
import { createPusher, deliverPush } from './notifications/push.ts';
import { lookAgain } from './notifications/reminder.ts';
import { createSchedule } from './schedule.ts';
import { startSweep } from './sweep.ts';

/** A job whose process died is taken over after this time; a living one renews its hold. */
const LOCK_MS = 15_000;
const STALLED_CHECK_MS = 5000;
/** Being interrupted is no failure of the job's: only a try that failed counts as one. */
const INTERRUPTIONS_MAX = 100;

export interface Workers {
  /** Takes nothing new, and waits until what is in hand is finished. */
  close(): Promise<void>;
}

/** Follows the event log, and works on the queues. Any number of processes may do so at once. */
export async function startWorkers(platform: Platform): Promise<Workers> {
  const { env, log } = platform;
  const queues = platform.queues();
  const schedule = createSchedule(platform, queues);
  const exclusive = createExclusive({ connectionString: env.DATABASE_URL, log });
  const mailer = createMailer(env, log);
  const pusher = createPusher(env);

  const connection = queues.connectWork();
  const work = <Data extends { requestId?: string }>(
    name: QueueName,
    concurrency: number,
    processor: Processor<Data>,
  ) => {
    const logged: Processor<Data> = async (job) => {
      const result: unknown = await processor(job);
      log.info({ queue: name, job: job.id, kind: job.name }, 'job');
      return result;
    };
    const traced: Processor<Data> = (job) => {
      const { requestId } = job.data;
      return requestId ? withRequestId(requestId, () => logged(job)) : logged(job);
    };
    const worker = new Worker<Data>(name, traced, {
      ...connection,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: INTERRUPTIONS_MAX,
      runRetryDelay: 1000,
    });
    worker.on('error', (error) => log.debug({ reason: error.message, queue: name }, 'Work waits'));
    worker.on('failed', (job, error) => {
      const isDead = job !== undefined && job.attemptsMade >= (job.opts.attempts ?? 1);
      log[isDead ? 'error' : 'warn'](
        {
          queue: name,
          job: job?.id,
          kind: job?.name,
          requestId: job?.data.requestId,
          reason: error.message,
        },
        isDead ? 'A job was given up' : 'A job failed and is tried again',
      );
    });
    return worker;
  };
  const tryOf = ({ data, attemptsMade, opts }: Job<DeliveryJob>): Try => ({
    deliveryId: data.deliveryId,
    isLast: attemptsMade + 1 >= (opts.attempts ?? 1),
  });

  const workers = [
    work<DeliveryJob>('reminders', 10, ({ data }) =>
      lookAgain(platform, schedule, data.deliveryId),
    ),
    work<DeliveryJob>('email', 5, (job) =>
      deliverEmail(platform, { exclusive, mailer }, tryOf(job)),
    ),
    work<DeliveryJob>('push', 10, (job) =>
      deliverPush(platform, { exclusive, pusher }, tryOf(job)),
    ),
    work('housekeeping', 1, ({ name }) => tidyUp(platform, name)),
  ];
  const dispatch = await startDispatch(platform, schedule);
  const sweep = startSweep(platform, queues, schedule);

  // Redis may come back empty.
  const keepHouse = () => {
    scheduleHousekeeping(queues).catch((error: Error) =>
      log.debug({ reason: error.message }, 'Housekeeping is scheduled later'),
    );
  };
  const stopKeeping = queues.onReady(keepHouse);
  keepHouse();

  return {
    close: async () => {
      stopKeeping();
      await dispatch.close();
      await sweep.close();
      // While Redis is away nothing can be handed back; it is taken over when the hold runs out.
      const closing = Promise.allSettled(workers.map((each) => each.close(!queues.isReady())));
      if (queues.isReady()) await closing;
      await exclusive.close();
      mailer.close();
      pusher.close();
    },
  };
}
