import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Transaction } from '../../prisma/client.ts';
import type { Platform } from '../../server/platform/platform.ts';

/** One try at a row of the ledger; the last one says so. */
export interface Try {
  deliveryId: string;
  isLast: boolean;
}

const MARK_TRIES = 5;
const REASON_MAX = 300;

/** It went out. What cannot be noted at once is noted a little later, rather than sent again. */
export async function markSent({ db }: Platform, ids: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.notificationDelivery.updateMany({
        where: { id: { in: [...ids] } },
        data: { status: 'sent', sentAt: new Date(), error: null, attempts: { increment: 1 } },
      });
      return;
    } catch (error) {
      if (attempt === MARK_TRIES) throw error;
      await sleep(250 * 2 ** attempt);
    }
  }
}

/** It need not go out any more. */
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

/** It did not go out; after the last try it is given up until someone tries it by hand. */
export async function markFailed(
  { db }: Platform,
  ids: readonly string[],
  error: unknown,
  isLast: boolean,
): Promise<void> {
  await db.notificationDelivery.updateMany({
    where: { id: { in: [...ids] } },
    data: {
      error: (error as Error).message.slice(0, REASON_MAX),
      attempts: { increment: 1 },
      ...(isLast ? { status: 'failed' as const } : {}),
    },
  });
}
