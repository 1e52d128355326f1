import { theMarket } from '#contract/platform/market/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { approvalOfNewFarm } from './approval.ts';

/** Opens the farm of a farmer who registers, with them as its owner. */
export async function openFarm(tx: Transaction, farmerId: string): Promise<void> {
  await tx.farmerProfile.create({
    data: {
      userId: farmerId,
      timeZone: theMarket().timeZone,
      approvedAt: await approvalOfNewFarm(tx),
    },
    select: { userId: true },
  });
  await tx.farmMember.create({
    data: { farmId: farmerId, userId: farmerId, role: 'owner' },
    select: { id: true },
  });
}
