import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Transaction } from '../../prisma/client.ts';
import type { ProcessPlatform } from '../../server/events/platform.ts';

/** One attempt at a delivery. */
export interface Attempt {
  deliveryId: string;
  isLast: boolean;
}

const MARK_ATTEMPTS = 5;
const REASON_MAX_LENGTH = 300;

/** Marks deliveries as sent. Retries, because an unmarked one would be sent again. */
export async function markSent({ db }: ProcessPlatform, ids: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.notificationDelivery.updateMany({
        where: { id: { in: [...ids] } },
        data: { status: 'sent', sentAt: new Date(), error: null, attempts: { increment: 1 } },
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
): Promise<void> {
  if (ids.length === 0) return;
  await db.notificationDelivery.updateMany({
    where: { id: { in: [...ids] } },
    data: { status: 'skipped' },
  });
}

/** Records a failed attempt; after the last one the delivery waits for a manual retry. */
export async function markFailed(
  { db }: ProcessPlatform,
  ids: readonly string[],
  error: unknown,
  isLast: boolean,
): Promise<void> {
  await db.notificationDelivery.updateMany({
    where: { id: { in: [...ids] } },
    data: {
      error: (error as Error).message.slice(0, REASON_MAX_LENGTH),
      attempts: { increment: 1 },
      ...(isLast ? { status: 'failed' as const } : {}),
    },
  });
}
