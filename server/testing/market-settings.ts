import { room } from '#contract/platform/events/constants';
import type { Prisma } from '../../prisma/generated/client.ts';
import { record } from '../platform/events/event-log.ts';
import { readMarket } from '../platform/market/settings.ts';
import type { TestMarket } from './market.ts';

/** Changes settings of the market, as an admin does; every process knows them when it returns. */
export async function changeMarket(
  { platform: { db, eventLog } }: TestMarket,
  data: Prisma.MarketSettingsUpdateInput,
): Promise<void> {
  await db.marketSettings.update({
    where: { id: 1 },
    data: { ...data, version: { increment: 1 } },
  });
  const now = await readMarket(db);
  await record(db, { name: 'market.updated', data: now, rooms: [room.everyone] });
  await eventLog.sequence();
}
