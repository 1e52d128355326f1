import type { Platform } from '../../server/platform/platform.ts';
import { transact } from '../../server/platform/postgres.ts';
import { carryOut } from '../ledger.ts';
import type { Schedule } from '../schedule.ts';
import { definitionOf } from './definitions.ts';

/**
 * Takes the second look that a row of the ledger asks for. Taking the row and everything that comes
 * of it are one transaction, so it happens once whoever is killed when.
 */
export async function lookAgain(
  platform: Platform,
  schedule: Schedule,
  deliveryId: string,
): Promise<void> {
  const planned = await transact(platform.db, async (tx) => {
    const [row] = await tx.notificationDelivery.updateManyAndReturn({
      where: { id: deliveryId, channel: 'in_app', status: { in: ['pending', 'failed'] } },
      data: { status: 'sent', sentAt: new Date(), attempts: { increment: 1 } },
    });
    const effects = row && (await definitionOf(row.kind)?.remind?.(row.key, tx));
    return carryOut(tx, platform.env, effects ?? []);
  });
  void platform.eventLog.sequence();
  // What is not added now is added by the sweep.
  await schedule.soon(planned).catch(() => {});
}
