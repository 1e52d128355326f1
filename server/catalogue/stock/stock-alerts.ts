import { isListed } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import { STOCK_ALERTS_MAX } from '#contract/catalogue/stock-alerts/constants';
import type { StockAlert } from '#contract/catalogue/stock-alerts/stock-alerts';
import { isSoldOut } from '#contract/platform/quantities/constants/steps';
import { msg } from '#contract/platform/text/constants/texts';
import { DEFAULT_TIME_ZONE, dayIn } from '#contract/platform/time/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { accountChanged } from '../../people/users/addresses.ts';
import { record } from '../../platform/events/event-log.ts';
import { conflict } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockCallerAlone } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { presentProduct, productInclude } from '../products/present.ts';
import { getProduct } from '../products/read.ts';

/**
 * Returns whether the caller is notified when the product is back in stock.
 * @throws 404 a product that the caller cannot see
 */
export async function readStockAlert(
  platform: Platform,
  user: SessionUser,
  productId: string,
): Promise<StockAlert> {
  await getProduct(platform, productId, user);
  const where = { userId: user.id, productId };
  return { isSet: (await platform.db.stockAlert.count({ where })) > 0 };
}

/**
 * Sets whether the caller is notified, once, when the sold-out product is back in stock. The same again changes
 * nothing.
 * @throws 401 the account was just deleted; 404 a product that the caller cannot see; 409 IN_STOCK,
 * TOO_MANY_STOCK_ALERTS
 */
export const setStockAlert = (
  platform: Platform,
  user: SessionUser,
  productId: string,
  { isSet }: StockAlert,
): Promise<StockAlert> =>
  transact(platform.db, async (tx) => {
    await lockCallerAlone(tx, user.id);
    // New stock waits for this: it either is seen here, or finds the alert.
    await lockStock(tx, productId);
    const product = await getProduct({ db: tx }, productId, user);
    const alert = { userId: user.id, productId };
    const wasSet = (await tx.stockAlert.count({ where: alert })) > 0;
    if (isSet === wasSet) return { isSet };
    if (isSet) {
      await requireRoom(tx, user);
      if (isInStock(product))
        throw conflict('IN_STOCK', msg('{name} is in stock again.', { name: product.name }));
      await tx.stockAlert.create({ data: alert });
    } else {
      await tx.stockAlert.deleteMany({ where: alert });
    }
    await recordAlertChanges(tx, [user.id]);
    return { isSet };
  });

async function requireRoom(tx: Transaction, user: SessionUser): Promise<void> {
  const count = await tx.stockAlert.count({ where: { userId: user.id } });
  if (count < STOCK_ALERTS_MAX) return;
  throw conflict(
    'TOO_MANY_STOCK_ALERTS',
    msg(
      "You're waiting for {count, plural, one {# product} other {# products}} already. Take one back on its page first.",
      { count: STOCK_ALERTS_MAX },
    ),
  );
}

/** Returns whether customers can order the product. */
const isInStock = (product: Product): boolean =>
  !isSoldOut(product) &&
  !product.farmer.isDraft &&
  isListed(product, dayIn(product.farmer.handoff?.timeZone ?? DEFAULT_TIME_ZONE));

/** Keeps the stock of a product as it is until the transaction ends. */
async function lockStock(tx: Transaction, productId: string): Promise<void> {
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
const recordAlertChanges = (tx: Transaction, userIds: readonly string[]): Promise<void> =>
  record(tx, ...userIds.map(accountChanged));
