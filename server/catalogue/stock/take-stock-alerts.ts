import type { Product } from '#contract/catalogue/products/product';
import { room } from '#contract/platform/events/constants';
import { isSoldOut } from '#contract/platform/quantities/constants/steps';
import { DEFAULT_TIME_ZONE, dayIn } from '#contract/platform/time/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { isListed } from '../products/policy.ts';
import { presentProduct, productInclude } from '../products/present.ts';

/** Returns whether customers can order the product. */
export const isInStock = (product: Product): boolean =>
  !isSoldOut(product) &&
  !product.farmer.isDraft &&
  isListed(product, dayIn(product.farmer.handoff?.timeZone ?? DEFAULT_TIME_ZONE));

/** Keeps the stock of a product as it is until the transaction ends. */
export async function lockStock(tx: Transaction, productId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM products WHERE id = ${productId}::uuid FOR SHARE`;
}

/**
 * Takes the alerts of a product that is in stock, those who have waited longest first, at most `max`.
 * @returns the product and whom to notify; null while it is not in stock
 */
export async function takeStockAlerts(
  tx: Transaction,
  productId: string,
  max: number,
): Promise<{ product: Product; userIds: string[] } | null> {
  // People before products, as every command locks them.
  const waiting = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM users WHERE id = ANY (ARRAY(
      SELECT user_id FROM stock_alerts WHERE product_id = ${productId}::uuid
      ORDER BY created_at, user_id LIMIT ${max}::int))
    ORDER BY id FOR KEY SHARE`;
  await lockStock(tx, productId);
  const row = await tx.product.findFirst({
    where: { id: productId, farmer: { deletedAt: null } },
    include: productInclude,
  });
  const product = row && presentProduct(row);
  if (!product || !isInStock(product)) return null;
  // Not those who have taken theirs back meanwhile.
  const taken = await tx.$queryRaw<{ userId: string }[]>`
    DELETE FROM stock_alerts
    WHERE product_id = ${productId}::uuid AND user_id = ANY (${waiting.map(({ id }) => id)}::uuid[])
    RETURNING user_id AS "userId"`;
  const userIds = taken.map(({ userId }) => userId);
  await recordAlertChanges(tx, userIds);
  return { product, userIds };
}

/** Returns the ids of a farm's products for which somebody waits. */
export async function readAwaited(tx: Transaction, farmId: string): Promise<string[]> {
  const products = await tx.product.findMany({
    where: { farmerId: farmId, alerts: { some: {} } },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  return products.map(({ id }) => id);
}

/** Notifies people's own devices to refetch their alerts. */
export const recordAlertChanges = (tx: Transaction, userIds: readonly string[]): Promise<void> =>
  record(
    tx,
    ...userIds.map((userId) => ({
      name: 'account.changed' as const,
      data: { _id: userId },
      rooms: [room.user(userId)],
    })),
  );
