import { STOCK_ALERTS_MAX } from '#contract/catalogue/stock-alerts/constants';
import type { StockAlert } from '#contract/catalogue/stock-alerts/stock-alerts';
import type { Transaction } from '../../../prisma/client.ts';
import { conflict } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockCallerAlone } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { getProduct } from '../products/read.ts';
import { isInStock, lockStock, recordAlertChanges } from './take-stock-alerts.ts';

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
 * @throws 401 the account was just deleted; 404 a product that the caller cannot see; 409 IN_STOCK, TOO_MANY_STOCK_ALERTS
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
      if (isInStock(product)) throw conflict('IN_STOCK', `${product.name} is in stock again.`);
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
    `You're waiting for ${STOCK_ALERTS_MAX} products already. Take one back on its page first.`,
  );
}
