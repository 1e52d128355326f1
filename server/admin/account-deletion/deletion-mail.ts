import { DELETION_MAIL_KIND } from '#contract/people/notifications/constants';
import { theMarket } from '#contract/platform/market/constants';
import type { Transaction } from '../../../prisma/client.ts';
import type { User } from '../../../prisma/generated/client.ts';
import { readClock } from '../../platform/time/clock.ts';

/**
 * Keeps where that mail goes, which the account no longer says, and plans it. A worker's sweep sends it and
 * removes the address.
 */
export async function planDeletionMail(
  tx: Transaction,
  { id: userId, name, email, emailVerifiedAt }: User,
): Promise<void> {
  if (theMarket().requiresVerifiedEmail && emailVerifiedAt === null) return;
  const createdAt = await readClock(tx);
  await tx.accountDeletionMail.create({
    data: { userId, name, email, createdAt },
    select: { userId: true },
  });
  await tx.notificationDelivery.create({
    data: {
      userId,
      key: `${DELETION_MAIL_KIND}:${userId}`,
      channel: 'email',
      kind: DELETION_MAIL_KIND,
      createdAt,
      dueAt: createdAt,
    },
    select: { id: true },
  });
}
