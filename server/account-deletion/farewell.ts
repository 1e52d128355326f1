import { theMarket } from '#contract/constants/market';
import type { Transaction } from '../../prisma/client.ts';
import type { User } from '../../prisma/generated/client.ts';
import { FAREWELL_KIND } from './personal-data.ts';

/**
 * Keeps where that mail goes, which the account no longer says, and plans it. A worker's sweep sends it and
 * removes the address.
 */
export async function planFarewell(
  tx: Transaction,
  { id: userId, name, email, emailVerifiedAt }: User,
): Promise<void> {
  if (theMarket().requiresVerifiedEmail && emailVerifiedAt === null) return;
  await tx.farewell.create({ data: { userId, name, email }, select: { userId: true } });
  await tx.notificationDelivery.create({
    data: {
      userId,
      key: `${FAREWELL_KIND}:${userId}`,
      channel: 'email',
      kind: FAREWELL_KIND,
    },
    select: { id: true },
  });
}
