import { type Job, type Processor, UnrecoverableError, Worker } from 'bullmq';
import type { ProcessPlatform } from '../server/platform/events/platform.ts';
import { withRequestId } from '../server/platform/process/request-context.ts';
import { retryWhileAway } from '../server/platform/stores/postgres.ts';
import type { DeliveryJob, QueueName } from '../server/platform/stores/queues.ts';
import { startDispatch } from './delivery/dispatch.ts';
import { createExclusive } from './delivery/exclusive.ts';
import { createPersonLimit, postpone } from './delivery/postpone.ts';
import { createSchedule, startSweep } from './delivery/schedule.ts';
import { startTimers } from './delivery/timers.ts';
import { startWithoutQueues } from './delivery/without-queues.ts';
import { runCleanupTask, scheduleCleanup } from './housekeeping.ts';
import { createDueTimes, createEventHandler } from './notifications/apply.ts';
import { deliverEmail } from './notifications/email.ts';
import type { Attempt } from './notifications/engine/delivery.ts';
import { createMailer } from './notifications/engine/mailer.ts';
import { deliverPush } from './notifications/engine/push.ts';
import { createPushClient } from './notifications/engine/push-client.ts';
import { createSmsClient } from './notifications/engine/sms-client.ts';
import { claimAlert } from './notifications/ordering/attention/messages.ts';
import { deliverSms } from './notifications/sms.ts';
import { takeOverReminders, timerDefinitions } from './timers.ts';

/** The job of a dead process is taken over after this time; a live process renews its lock. */
const LOCK_MS = 15_000;
const STALLED_CHECK_MS = 5000;
/** How often a job may be interrupted; an interruption does not count as a failed attempt. */
const INTERRUPTIONS_MAX = 100;
/** The part of `SHUTDOWN_GRACE_MS` for which a process that ends waits for a mail server. */
const CUT_OFF_PART = 0.75;
/** Pushes only wait for the network, at most 10 s, so many at once cost little. */
const PUSH_CONCURRENCY = 50;
/** Text messages that one process sends at once: gateways take few. */
const SMS_CONCURRENCY = 5;
/** Push jobs of one person running at once, so that their slow endpoints do not delay others. */
const PUSHES_PER_PERSON = { max: 4, delayMs: 1000, spacingMs: 100 };

export interface Workers {
  /** Stops taking jobs and waits until the running ones are finished. */
  close(): Promise<void>;
}

/** Follows the event log, runs timers and works on the queues. Any number of processes may do so at once. */
export async function startWorkers(platform: ProcessPlatform): Promise<Workers> {
  const { env, log } = platform;
  const queues = platform.queues();
  // Wait for Redis, so that the first jobs are added at once; without it the sweep adds them.
  await queues.isAnswering();
  const schedule = createSchedule(platform, queues, createDueTimes(env));
  const exclusive = createExclusive({ newClient: platform.database.newClient, log });
  const mailer = createMailer(env, log);
  const pushClient = createPushClient(env);
  const smsClient = createSmsClient(env);
  const pushLimit = createPersonLimit(PUSHES_PER_PERSON);

  const connection = queues.connectWorkers();
  const work = <Data extends { requestId?: string }>(
    name: QueueName,
    concurrency: number,
    processor: Processor<Data>,
  ) => {
    const logged: Processor<Data> = async (job, token) => {
      const result: unknown = await processor(job, token).catch((error: unknown) =>
        postpone(job, token, error),
      );
      // The tasks of a schedule come by the dozen and are of no one's request.
      const level = name === 'housekeeping' ? 'debug' : 'info';
      log[level]({ queue: name, job: job.id, kind: job.name }, 'Job completed');
      return result;
    };
    const traced: Processor<Data> = (job, token) => {
      const { requestId } = job.data;
      return requestId ? withRequestId(requestId, () => logged(job, token)) : logged(job, token);
    };
    const worker = new Worker<Data>(name, traced, {
      ...connection,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: INTERRUPTIONS_MAX,
      runRetryDelay: 1000,
    });
    worker.on('error', (error) =>
      log.debug({ reason: error.message, queue: name }, 'Queue worker failed; retrying'),
    );
    worker.on('failed', (job, error) => {
      const isGivenUp =
        error instanceof UnrecoverableError ||
        (job !== undefined && job.attemptsMade >= (job.opts.attempts ?? 1));
      log[isGivenUp ? 'error' : 'warn'](
        {
          queue: name,
          job: job?.id,
          kind: job?.name,
          requestId: job?.data.requestId,
          reason: error.message,
        },
        isGivenUp ? 'Job given up; kept for a manual retry' : 'Job failed; will retry',
      );
    });
    return worker;
  };
  const attemptOf = ({ data, attemptsMade, opts }: Job<DeliveryJob>): Attempt => ({
    deliveryId: data.deliveryId,
    isLast: attemptsMade + 1 >= (opts.attempts ?? 1),
  });

  const deliver = {
    email: (attempt: Attempt) => deliverEmail(platform, { exclusive, mailer }, attempt),
    push: (attempt: Attempt) =>
      deliverPush(platform, { exclusive, pushClient, limit: pushLimit, claimAlert }, attempt),
    sms: (attempt: Attempt) => deliverSms(platform, { exclusive, smsClient }, attempt),
  };
  const workers = [
    work<DeliveryJob>('email', env.SMTP_CONNECTIONS, (job) => deliver.email(attemptOf(job))),
    work<DeliveryJob>('push', PUSH_CONCURRENCY, (job) => deliver.push(attemptOf(job))),
    work<DeliveryJob>('sms', SMS_CONCURRENCY, (job) => deliver.sms(attemptOf(job))),
    work('housekeeping', 1, ({ name }) => runCleanupTask(platform, name)),
  ];
  await retryWhileAway(() => takeOverReminders(platform));
  const { 'product.import': writeFile, ...others } = timerDefinitions(platform);
  const timers = startTimers(platform, schedule, others);
  // A lane of their own: neither does the next part of a file wait for all that orders ask for, nor an alert for files.
  const imports = startTimers(platform, schedule, { 'product.import': writeFile }, 1);
  const dispatch = await startDispatch(platform, schedule, createEventHandler(platform), timers);
  // A file of products that is to be written is begun at once; what follows sets its timers here.
  const stopImports = platform.eventLog.onBatch((events) => {
    if (events.some(({ name }) => name === 'import.progressed')) imports.checkAt(new Date());
  });
  const sweep = startSweep(platform, queues, schedule);
  const withoutQueues = startWithoutQueues(platform, queues, deliver);

  // Redis may restart empty, so the schedule is written after each connect.
  const ensureCleanup = () => {
    scheduleCleanup(queues).catch((error: Error) =>
      log.debug(
        { reason: error.message },
        'Cleanup is not scheduled; retrying when Redis is ready',
      ),
    );
  };
  const stopCleanup = queues.onReady(ensureCleanup);
  ensureCleanup();

  return {
    close: async () => {
      mailer.stop();
      // A mail server that is slower than this leaves the outcome unknown, which is written before the process ends.
      const cutOff = setTimeout(mailer.close, env.SHUTDOWN_GRACE_MS * CUT_OFF_PART);
      stopCleanup();
      stopImports();
      await dispatch.close();
      await Promise.all([timers.close(), imports.close()]);
      await sweep.close();
      await withoutQueues.close();
      // Without Redis jobs cannot be returned; other workers take them over when the lock expires.
      const isRedisAnswering = await queues.isAnswering();
      const closing = Promise.allSettled(workers.map((each) => each.close(!isRedisAnswering)));
      if (isRedisAnswering) await closing;
      clearTimeout(cutOff);
      await exclusive.close();
      mailer.close();
      pushClient.close();
    },
  };
}
