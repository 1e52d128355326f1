import type { ProcessPlatform } from '../../server/events/platform.ts';
import { transact } from '../../server/process/postgres.ts';
import type { Schedule } from '../delivery/schedule.ts';
import { applyEffects } from './apply.ts';
import { definitionOf } from './definitions.ts';

/**
 * Runs the reminder of one delivery. The row is claimed and its effects are written in one transaction,
 * so it runs once, even if a process is killed.
 */
export async function runReminder(
  platform: ProcessPlatform,
  schedule: Schedule,
  deliveryId: string,
): Promise<void> {
  const planned = await transact(platform.db, async (tx) => {
    const [row] = await tx.notificationDelivery.updateManyAndReturn({
      where: { id: deliveryId, channel: 'in_app', status: { in: ['pending', 'failed'] } },
      data: { status: 'sent', sentAt: new Date(), attempts: { increment: 1 } },
    });
    const effects = row && (await definitionOf(row.kind)?.remind?.(row.key, tx));
    return applyEffects(tx, platform.env, effects ?? []);
  });
  void platform.eventLog.sequence();
  // The sweep adds what is not added now.
  await schedule.addDelayed(planned).catch(() => {});
}
