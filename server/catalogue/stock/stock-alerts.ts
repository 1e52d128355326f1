import type { StockAlert } from '#contract/catalogue/stock-alerts/stock-alerts';
import { msg } from '#contract/platform/text/constants/texts';
import { conflict } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockCallerAlone } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { follow, lockStock, unfollow } from '../follows/follow.ts';
import { isInStock } from '../follows/wave.ts';
import { getProduct } from '../products/read.ts';

/** Who waits for a product. */
const waiting = (userId: string, productId: string) =>
  ({ userId, productId, state: 'waiting' }) as const;

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
  return { isSet: (await platform.db.follow.count({ where: waiting(user.id, productId) })) > 0 };
}

/**
 * Sets whether the caller is notified, once, when the sold-out product is back in stock: it is a favourite then, and
 * none any more once that is taken back. The same again changes nothing.
 * @throws 401 the account was just deleted; 404 a product that the caller cannot see; 409 IN_STOCK, TOO_MANY_FOLLOWS
 */
export const setStockAlert = (
  platform: Platform,
  user: SessionUser,
  productId: string,
  { isSet }: StockAlert,
): Promise<StockAlert> =>
  transact(platform.db, async (tx) => {
    await lockCallerAlone(tx, user.id);
    await lockStock(tx, productId);
    const product = await getProduct({ db: tx }, productId, user);
    const wasSet = (await tx.follow.count({ where: waiting(user.id, productId) })) > 0;
    if (isSet === wasSet) return { isSet };
    if (!isSet) {
      await unfollow(tx, user.id, { productId });
    } else if (isInStock(product)) {
      throw conflict('IN_STOCK', msg('{name} is in stock again.', { name: product.name }));
    } else {
      await follow(tx, user.id, { productId });
    }
    return { isSet };
  });
