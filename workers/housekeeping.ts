import { IDEMPOTENCY_HOURS } from '#contract/orders';
import { LOG_RETENTION_DAYS } from '#contract/realtime';
import type { Platform } from '../server/platform/platform.ts';
import type { Queues } from '../server/platform/queues.ts';
import { createStorage, pictureNames } from '../server/uploads/storage.ts';

const HOUR_MS = 60 * 60 * 1000;
/** How long a finished row of the ledger and a read notification are kept, in days. */
const LEDGER_DAYS = 90;
/** Pictures cleared in one round. */
const PICTURES_MAX = 1000;

type Task = (platform: Platform) => Promise<number>;

const ago = (ms: number) => new Date(Date.now() - ms);

/** Each by its name as it stands in the queue; every one may run at any time, and twice. */
export const TASKS: Record<string, Task> = {
  'prune-event-log': ({ eventLog }) => eventLog.prune(LOG_RETENTION_DAYS),

  'forget-idempotency-keys': async ({ db }) => {
    const createdAt = { lt: ago(IDEMPOTENCY_HOURS * HOUR_MS) };
    return (await db.idempotencyKey.deleteMany({ where: { createdAt } })).count;
  },

  'forget-password-resets': async ({ db }) =>
    (await db.passwordReset.deleteMany({ where: { expiresAt: { lt: new Date() } } })).count,

  'forget-old-notifications': async ({ db }) => {
    const age = { lt: ago(LEDGER_DAYS * 24 * HOUR_MS) };
    const [{ count }] = await Promise.all([
      db.notification.deleteMany({ where: { createdAt: age, readAt: { not: null } } }),
      db.notificationDelivery.deleteMany({
        // A product that is still low keeps its mark.
        where: { dueAt: age, status: { in: ['sent', 'skipped'] }, channel: { not: 'in_app' } },
      }),
    ]);
    return count;
  },

  'clear-orphaned-uploads': clearOrphanedUploads,
};

/** Removes pictures, a day after their upload, that neither a product nor a past order shows. */
async function clearOrphanedUploads({ db, env }: Platform): Promise<number> {
  const orphans = await db.$queryRaw<{ id: string }[]>`
    SELECT u.id FROM uploads u
    WHERE u.created_at < ${ago(24 * HOUR_MS)}
      AND NOT EXISTS (
        SELECT 1 FROM (
          SELECT unnest(images) AS image FROM products
          UNION ALL
          SELECT image FROM order_lines WHERE image IS NOT NULL
        ) shown WHERE shown.image = '/uploads/' || u.id || '.webp')
    LIMIT ${PICTURES_MAX}`;
  const storage = createStorage(env);
  for (const { id } of orphans) {
    // The row last, so that a round cut short leaves nothing behind unseen.
    for (const name of Object.values(pictureNames(id))) await storage.remove(name);
    await db.upload.deleteMany({ where: { id } });
  }
  return orphans.length;
}

/** Has every task done once an hour by one of the workers. @throws while Redis is away */
export async function scheduleHousekeeping({ housekeeping }: Queues): Promise<void> {
  for (const name of Object.keys(TASKS)) {
    await housekeeping.upsertJobScheduler(
      name,
      { every: HOUR_MS },
      { name, opts: { removeOnComplete: true, removeOnFail: { count: 100 } } },
    );
  }
}

/** Does one task by its name. */
export async function tidyUp(platform: Platform, name: string): Promise<void> {
  const count = (await TASKS[name]?.(platform)) ?? 0;
  if (count > 0) platform.log.info({ task: name, count }, 'Tidied up');
}
