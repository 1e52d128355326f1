import type { Transaction } from '../../../prisma/client.ts';
import type { FarmerProfile } from '../../../prisma/generated/client.ts';
import { notFound } from '../../platform/http/errors.ts';

/** Locks a farm's profile until the transaction ends, and reads it. @throws 404 no such farm */
export async function lockFarmProfile(tx: Transaction, farmId: string): Promise<FarmerProfile> {
  await tx.$queryRaw`SELECT 1 FROM farmer_profiles WHERE user_id = ${farmId}::uuid FOR UPDATE`;
  // A separate statement, so that it sees what was committed while waiting for the lock.
  const row = await tx.farmerProfile.findUnique({ where: { userId: farmId } });
  if (!row) throw notFound('Farmer not found');
  return row;
}
