import { IMPORT_DAYS } from '#contract/catalogue/imports/constants';
import { KNOWN_SOURCE_DAYS } from '#contract/people/auth/constants';
import {
  DELETION_MAIL_KIND,
  PUSH_AFTER_SESSION_DAYS,
} from '#contract/people/notifications/constants';
import { LOG_RETENTION_DAYS } from '#contract/platform/events/constants';
import { IDEMPOTENCY_HOURS } from '#contract/platform/http/constants';
import { OPEN_STATUSES } from '#contract/platform/orders/constants';
import type { Transaction } from '../prisma/client.ts';
import { Prisma } from '../prisma/generated/client.ts';
import { beginErasure, deleteOwnRecords } from '../server/admin/account-deletion/personal-data.ts';
import { expireFollows } from '../server/catalogue/follows/follow.ts';
import type { ProcessPlatform } from '../server/platform/events/platform.ts';
import type { Queues } from '../server/platform/stores/queues.ts';
import { sqlList } from '../server/platform/stores/sql.ts';
import { readClock } from '../server/platform/time/clock.ts';
import { createStorage, pictureNames } from '../server/platform/uploads/storage.ts';

const HOUR_MS = 60 * 60 * 1000;
/** How long a finished delivery and a read notification are kept, in days. */
const LEDGER_DAYS = 90;
/** How long what asked for an answer is kept once it is done, in days. */
const ATTENTION_DAYS = 30;
/** Attentions removed in one run. */
const ATTENTIONS_MAX = 10_000;
/** How long a timer that is done is kept, for those who ask what happened, in days. */
const DONE_TIMER_DAYS = 7;
/** How long after a deletion a running job may still write data that it read before. */
const LATE_WRITE_HOURS = 3;
/** Deleted accounts erased in one run. */
const PEOPLE_MAX = 100;
/** Pictures removed in one run. */
const PICTURES_MAX = 1000;
/** Pictures removed in one transaction, and its limits in milliseconds: a bucket may be slow. */
const PICTURES_AT_ONCE = 100;
const REMOVAL_MS = { maxWait: 15_000, timeout: 120_000 };

/** Nobody sees the picture of the upload `u`. */
const IS_UNUSED = Prisma.sql`NOT EXISTS (
  SELECT 1 FROM (
    SELECT unnest(images) AS image FROM products
    UNION ALL SELECT image FROM order_lines WHERE image IS NOT NULL
    UNION ALL SELECT unnest(ARRAY[photo, cover, certificate_image]) FROM farmer_profiles
    UNION ALL SELECT logo FROM market_settings
  ) shown WHERE shown.image = '/uploads/' || u.id || '.webp')`;

/** `now` is the database's time: a worker whose clock is ahead would delete what everybody still uses. */
type Task = (platform: ProcessPlatform, now: Date) => Promise<number>;

const ago = (now: Date, ms: number) => new Date(now.getTime() - ms);
const countOf = async (deleted: Promise<{ count: number }>) => (await deleted).count;

const tasks: Record<string, Task> = {
  'prune-event-log': ({ eventLog }) => eventLog.prune(LOG_RETENTION_DAYS),

  'delete-idempotency-keys': ({ db }, now) => {
    const createdAt = { lt: ago(now, IDEMPOTENCY_HOURS * HOUR_MS) };
    return countOf(db.command.deleteMany({ where: { createdAt } }));
  },

  'delete-password-resets': ({ db }, now) =>
    countOf(db.passwordReset.deleteMany({ where: { expiresAt: { lt: now } } })),
  'delete-passkey-challenges': ({ db }, now) =>
    countOf(db.passkeyChallenge.deleteMany({ where: { expiresAt: { lt: now } } })),
  'delete-email-verifications': ({ db }, now) =>
    countOf(db.emailVerification.deleteMany({ where: { expiresAt: { lt: now } } })),
  'delete-email-changes': ({ db }, now) =>
    countOf(db.emailChange.deleteMany({ where: { undoUntil: { lt: now } } })),

  'delete-account-deletion-mails': async ({ db }, now) => {
    const createdAt = { lt: ago(now, 24 * HOUR_MS) };
    // What a mail server said of an address can hold it.
    await db.notificationDelivery.deleteMany({ where: { kind: DELETION_MAIL_KIND, createdAt } });
    return countOf(db.accountDeletionMail.deleteMany({ where: { createdAt } }));
  },

  'delete-phone-codes': ({ db }, now) =>
    countOf(db.phoneCode.deleteMany({ where: { createdAt: { lt: ago(now, HOUR_MS) } } })),

  'delete-product-imports': ({ db }, now) => {
    const createdAt = { lt: ago(now, IMPORT_DAYS * 24 * HOUR_MS) };
    return countOf(db.productImport.deleteMany({ where: { createdAt } }));
  },

  'delete-limited-mails': ({ db }) =>
    db.$executeRaw`DELETE FROM limited_mails WHERE sent_at < now() - interval '1 day'`,

  // One that has only run out keeps its push messages for a while.
  'delete-ended-sessions': async ({ db }) => {
    const sessions = await db.$executeRaw`
      DELETE FROM sessions s WHERE expires_at < now() AND (
        expires_at < now() - make_interval(days => ${PUSH_AFTER_SESSION_DAYS}::int)
        OR NOT EXISTS (SELECT FROM push_subscriptions WHERE session_id = s.id))`;
    // Made by an older release during an upgrade: nothing says which session they end with.
    const subscriptions = await db.$executeRaw`
      DELETE FROM push_subscriptions WHERE session_id IS NULL
        AND created_at < now() - make_interval(days => ${PUSH_AFTER_SESSION_DAYS}::int)`;
    return sessions + subscriptions;
  },

  'delete-sign-in-sources': ({ db }, now) => {
    const unusedFor = (days: number) => ({ lt: ago(now, days * 24 * HOUR_MS) });
    const { address, device } = KNOWN_SOURCE_DAYS;
    const OR = [
      { isDevice: false, lastUsedAt: unusedFor(address) },
      { isDevice: true, lastUsedAt: unusedFor(device) },
    ];
    return countOf(db.signInSource.deleteMany({ where: { OR } }));
  },

  'delete-old-notifications': async ({ db }, now) => {
    const age = { lt: ago(now, LEDGER_DAYS * 24 * HOUR_MS) };
    const [{ count }] = await Promise.all([
      db.notification.deleteMany({ where: { createdAt: age, readAt: { not: null } } }),
      db.notificationDelivery.deleteMany({
        // A product that is still low keeps its flag.
        where: { dueAt: age, status: { in: ['sent', 'skipped'] }, channel: { not: 'in_app' } },
      }),
    ]);
    return count;
  },

  // With who was told of them.
  'delete-old-attentions': ({ db }, now) => {
    const resolvedAt = ago(now, ATTENTION_DAYS * 24 * HOUR_MS);
    return db.$executeRaw`
      DELETE FROM attentions WHERE id IN (
        SELECT id FROM attentions WHERE state = 'resolved' AND resolved_at < ${resolvedAt}
        ORDER BY resolved_at LIMIT ${ATTENTIONS_MAX})`;
  },

  'end-follows': async ({ db, eventLog }) => {
    const count = await expireFollows(db);
    await eventLog.sequence();
    return count;
  },

  'delete-done-timers': ({ db }, now) => {
    const doneAt = { lt: ago(now, DONE_TIMER_DAYS * 24 * HOUR_MS) };
    return countOf(db.timer.deleteMany({ where: { doneAt } }));
  },

  'erase-deleted-people': eraseDeletedPeople,

  'clear-orphaned-uploads': clearOrphanedUploads,
};

/** The cleanup tasks by job name. Each may run at any time and repeatedly. */
export const TASKS: Readonly<Record<string, (platform: ProcessPlatform) => Promise<number>>> =
  Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      async (platform: ProcessPlatform) => task(platform, await readClock(platform.db)),
    ]),
  );

/**
 * Erases personal data again for recently deleted accounts, in case a notification was written
 * meanwhile, and for those whose last delivery order has ended since.
 */
async function eraseDeletedPeople({ db }: ProcessPlatform, now: Date): Promise<number> {
  const people = await db.$queryRaw<{ id: string }[]>`
    SELECT u.id FROM users u
    WHERE u.deleted_at > ${ago(now, LATE_WRITE_HOURS * HOUR_MS)}
      OR u.deleted_at IS NOT NULL AND EXISTS (
        SELECT 1 FROM orders o
        WHERE o.consumer_id = u.id AND NOT o.is_pickup AND o.status NOT IN (${Prisma.raw(sqlList(OPEN_STATUSES))})
          AND o.street || o.city || o.state || o.zip_code <> '')
    ORDER BY random() LIMIT ${PEOPLE_MAX}`;
  if (people.length === 0) return 0;
  const ids = people.map(({ id }) => id);
  await db.$transaction(
    async (tx) => {
      const erasure = await beginErasure(tx, ids);
      for (const id of ids) await deleteOwnRecords(tx, id);
      await erasure.finish();
    },
    { timeout: 300_000 },
  );
  return ids.length;
}

/**
 * Removes pictures that no product, no order, no farm and no market shows: a day after their upload, and those of
 * deleted accounts at once.
 */
async function clearOrphanedUploads({ db, env }: ProcessPlatform, now: Date): Promise<number> {
  const orphans = await db.$queryRaw<{ id: string }[]>`
    SELECT u.id FROM uploads u JOIN users o ON o.id = u.owner_id
    WHERE (u.created_at < ${ago(now, 24 * HOUR_MS)} OR o.deleted_at IS NOT NULL) AND ${IS_UNUSED}
    LIMIT ${PICTURES_MAX}`;
  const storage = createStorage(env);
  const removeUnused = async (tx: Transaction, ids: string[]): Promise<number> => {
    // A request that is about to show a picture holds its row: it is skipped, or found in use after that.
    const locked = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM uploads WHERE id = ANY (${ids}::uuid[]) FOR UPDATE SKIP LOCKED`;
    const unused = await tx.$queryRaw<{ id: string }[]>`
      SELECT u.id FROM uploads u WHERE u.id = ANY (${locked.map(({ id }) => id)}::uuid[]) AND ${IS_UNUSED}`;
    for (const { id } of unused) {
      for (const name of Object.values(pictureNames(id))) await storage.remove(name);
    }
    // Rows last, so that an interrupted run leaves no file without a row.
    await tx.upload.deleteMany({ where: { id: { in: unused.map(({ id }) => id) } } });
    return unused.length;
  };
  let count = 0;
  for (let start = 0; start < orphans.length; start += PICTURES_AT_ONCE) {
    const ids = orphans.slice(start, start + PICTURES_AT_ONCE).map(({ id }) => id);
    count += await db.$transaction((tx) => removeUnused(tx, ids), REMOVAL_MS);
  }
  return count;
}

/**
 * Schedules every task once an hour, over all workers, and removes the schedules of tasks that no longer exist.
 * @throws while Redis is away
 */
export async function scheduleCleanup({ housekeeping, withDeadline }: Queues): Promise<void> {
  for (const name of Object.keys(TASKS)) {
    await withDeadline(() =>
      housekeeping.upsertJobScheduler(
        name,
        { every: HOUR_MS },
        { name, opts: { removeOnComplete: true, removeOnFail: { count: 100 } } },
      ),
    );
  }
  // Redis outlives releases: the schedule of a task that was renamed would add an unknown job each hour.
  const scheduled = await withDeadline(() => housekeeping.getJobSchedulers());
  for (const { key } of scheduled) {
    if (!(key in TASKS)) await withDeadline(() => housekeeping.removeJobScheduler(key));
  }
}

/** Runs a task by its name. */
export async function runCleanupTask(platform: ProcessPlatform, name: string): Promise<void> {
  const count = (await TASKS[name]?.(platform)) ?? 0;
  if (count > 0) platform.log.info({ task: name, count }, 'Cleanup task done');
}
