import type { Transaction } from '../../../prisma/client.ts';

/**
 * Returns whether something has a price. Where nothing has, it stays so until the transaction ends: waits for products
 * that are just being made, and later ones wait for it. Amounts are kept as integers of the currency's smallest part,
 * and what these mean may never change.
 */
export async function isCurrencyInUse(tx: Transaction): Promise<boolean> {
  await tx.$queryRaw`SELECT 1 FROM market_settings WHERE id = 1 FOR UPDATE`;
  // A separate statement, so that it sees what was committed while waiting for the lock.
  const [found] = await tx.$queryRaw<{ isUsed: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM products) OR EXISTS (SELECT 1 FROM orders) AS "isUsed"`;
  return found?.isUsed === true;
}
