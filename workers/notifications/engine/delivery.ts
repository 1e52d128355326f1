import { setTimeout as sleep } from 'node:timers/promises';
import { clockMs } from '#contract/platform/time/constants';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { NotificationDelivery } from '../../../prisma/generated/client.ts';
import type { ProcessPlatform } from '../../../server/platform/events/platform.ts';
import { transact } from '../../../server/platform/stores/postgres.ts';

/** One attempt at a delivery. */
export interface Attempt {
  deliveryId: string;
  isLast: boolean;
}

const MARK_ATTEMPTS = 5;
const REASON_MAX_LENGTH = 300;
/** What is sent within this time is in time, whatever it is about. */
const LATE_HOURS = 2;

/**
 * Marks deliveries as sent, in one transaction with what follows from that, if anything does. Retries, because an
 * unmarked one would be sent again.
 */
export async function markSent(
  { db }: Pick<ProcessPlatform, 'db'>,
  ids: readonly string[],
  follow?: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const mark = (on: Database | Transaction) =>
    on.notificationDelivery.updateMany({
      where: { id: { in: [...ids] } },
      data: {
        status: 'sent',
        sentAt: new Date(),
        error: null,
        attempts: { increment: 1 },
        outcomeUnknownAt: null,
      },
    });
  for (let attempt = 1; ; attempt++) {
    try {
      if (!follow) await mark(db);
      else
        await transact(db, async (tx) => {
          await mark(tx);
          await follow(tx);
        });
      return;
    } catch (error) {
      if (attempt === MARK_ATTEMPTS) throw error;
      await sleep(250 * 2 ** attempt);
    }
  }
}

/** Marks deliveries that are no longer needed. */
export async function markSkipped(
  db: Database | Transaction,
  ids: readonly string[],
  error: string | null = null,
): Promise<void> {
  if (ids.length === 0) return;
  await db.notificationDelivery.updateMany({
    where: { id: { in: [...ids] } },
    data: { status: 'skipped', error },
  });
}

/** Returns whether nothing is to be done for a delivery: it is settled, or waits for an admin since a restore. */
export const isSettled = ({
  status,
  restoredAt,
}: Pick<NotificationDelivery, 'status' | 'restoredAt'>): boolean =>
  status === 'sent' || status === 'skipped' || restoredAt !== null;

/**
 * Returns which deliveries come too late: those of an order that was still ahead when it was news, and is over. Workers
 * may have stood still meanwhile, or the delivery comes from a backup.
 */
export async function findOutdated(
  db: Database | Transaction,
  deliveries: readonly Pick<NotificationDelivery, 'id' | 'createdAt'>[],
): Promise<ReadonlySet<string>> {
  const lateFrom = clockMs() - LATE_HOURS * 3_600_000;
  const late = deliveries.filter(({ createdAt }) => createdAt.getTime() < lateFrom);
  if (late.length === 0) return new Set();
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT d.id
    FROM notification_deliveries d
    JOIN notifications n ON n.user_id = d.user_id
      AND n.key = CASE d.channel WHEN 'push' THEN regexp_replace(d.key, '@[^@]*$', '') ELSE d.key END
    JOIN orders o ON n.link = '/orders/' || o.id
    WHERE d.id = ANY (${late.map(({ id }) => id)}::uuid[])
      AND o.ends_at < now() AND d.created_at < o.ends_at`;
  return new Set(rows.map(({ id }) => id));
}

/** Records a failed attempt; after the last one the delivery waits for a manual retry. */
export async function markFailed(
  { db }: { db: Database | Transaction },
  ids: readonly string[],
  error: unknown,
  isLast: boolean,
): Promise<void> {
  await db.notificationDelivery.updateMany({
    where: { id: { in: [...ids] } },
    data: {
      error: (error as Error).message.slice(0, REASON_MAX_LENGTH),
      attempts: { increment: 1 },
      ...(isLast ? { status: 'failed' as const, outcomeUnknownAt: null } : {}),
    },
  });
}
