import type { Platform } from '../../server/platform/http/platform.ts';
import { until } from '../../testing/until.ts';
import { REPEAT_AFTER_MS } from '../notifications/engine/mail-outcome.ts';

/** Makes all mails and pushes so many minutes older: those that went, and those that wait for their time. */
export async function letMinutesPass({ db }: Pick<Platform, 'db'>, minutes: number): Promise<void> {
  await db.$executeRaw`
    UPDATE notification_deliveries
    SET created_at = created_at - make_interval(mins => ${minutes}::int),
        due_at = due_at - make_interval(mins => ${minutes}::int)
    WHERE channel <> 'in_app'`;
}

/** Runs the jobs of mails and pushes that wait for a time which is over by now. */
export async function runHeld(platform: Pick<Platform, 'db' | 'queues'>): Promise<void> {
  const queues = platform.queues();
  const due = await platform.db.notificationDelivery.findMany({
    where: { isHeld: true, status: 'pending', dueAt: { lte: new Date() } },
    select: { id: true },
  });
  for (const queue of [queues.email, queues.push]) {
    for (const { id } of due) await (await queue.getJob(id))?.promote().catch(() => {});
  }
}

/** Lets so many milliseconds pass for a mail that waits for its next attempt, and has its job run. */
export async function letMailWaitPass(
  { db, queues }: Pick<Platform, 'db' | 'queues'>,
  id: string,
  ms: number,
): Promise<void> {
  await db.$executeRaw`
    UPDATE notification_deliveries
    SET retry_at = retry_at - make_interval(secs => ${ms / 1000}::float8),
      outcome_unknown_at = outcome_unknown_at - make_interval(secs => ${ms / 1000}::float8)
    WHERE id = ${id}::uuid`;
  const job = await until('the job to wait', async () => {
    const found = await queues().email.getJob(id);
    return (await found?.isDelayed()) ? found : undefined;
  });
  await job.promote();
}

/** Lets the time pass after which a mail is repeated whose worker was killed before it read the answer. */
export async function letRepeatsCome({
  db,
  queues,
}: Pick<Platform, 'db' | 'queues'>): Promise<true> {
  const unknown = await db.notificationDelivery.findMany({
    where: { status: 'sending', outcomeUnknownAt: { not: null } },
    select: { id: true },
  });
  for (const { id } of unknown) {
    const job = await queues().email.getJob(id);
    if (!(await job?.isDelayed())) continue;
    const outcomeUnknownAt = new Date(Date.now() - REPEAT_AFTER_MS);
    await db.notificationDelivery.update({ where: { id }, data: { outcomeUnknownAt } });
    await job?.promote();
  }
  return true;
}
