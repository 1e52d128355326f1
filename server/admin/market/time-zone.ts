import { room } from '#contract/platform/events/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { moveCutoffTimers } from '../../farm/schedule/rules.ts';
import { moveSlots } from '../../farm/slots/service.ts';
import { moveOpenOrders } from '../../ordering/moves/write-moves.ts';
import { record } from '../../platform/events/event-log.ts';

/**
 * Makes another time zone the market's, whose row the caller has locked. Farms that had the market's follow
 * it, with their open orders of the days to come, which name the admin; null where nobody was signed in.
 */
export async function changeTimeZone(
  tx: Transaction,
  { from, to, changedBy }: { from: string; to: string; changedBy: string | null },
): Promise<void> {
  if (from === to) return;
  const farms = await tx.$queryRaw<{ id: string }[]>`
    SELECT user_id AS id FROM farmer_profiles WHERE time_zone = ${from}
    ORDER BY user_id FOR UPDATE`;
  const ids = farms.map(({ id }) => id);
  await moveCutoffTimers(tx, ids, to);
  await moveOpenOrders(tx, ids, { timeZone: to, changedBy });
  await moveSlots(tx, ids, to);
  await tx.farmerProfile.updateMany({ where: { userId: { in: ids } }, data: { timeZone: to } });
  await tx.marketSettings.update({ where: { id: 1 }, data: { timeZone: to } });
  await record(
    tx,
    ...ids.map((id) => ({
      name: 'farmer.updated' as const,
      data: { _id: id },
      rooms: [room.everyone],
    })),
  );
}
