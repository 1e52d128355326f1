import type { Product } from '#contract/catalogue/products/product';
import type { SetProductHiding } from '#contract/catalogue/products/products';
import { room } from '#contract/platform/events/constants';
import { record } from '../../platform/events/event-log.ts';
import { requireVersion } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockCaller } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { productEvents } from './events.ts';
import { isWithheld } from './policy.ts';
import { presentDate, presentProduct, productInclude } from './present.ts';
import { lockProduct, readProduct } from './service.ts';

/**
 * Hides a product from the market, or shows it again as it was: active only if it was active before and
 * its farmer did not take it off meanwhile. The same again changes nothing and is still audited.
 * @throws 404 for an unknown product, 409 VERSION_CONFLICT
 */
export async function setProductHiding(
  platform: Platform,
  admin: SessionUser,
  id: string,
  input: SetProductHiding,
): Promise<Product> {
  const reason = input.hidden ? input.reason : null;
  return transact(platform.db, async (tx) => {
    await lockCaller(tx, admin.id);
    const before = await lockProduct(tx, admin, id);
    await requireVersion(input.expectedVersion, before.version, () => readProduct(tx, id));
    const isActiveUnhidden = isWithheld(before) ? before.isActiveUnhidden : before.isActive;
    const isStillWithheld = isWithheld({ ...before, hiddenReason: reason });
    const action = reason === null ? 'product.unhidden' : 'product.hidden';
    await audit(tx, admin, action, id, {
      name: before.name,
      farmer: before.farmerId,
      ...(reason === null ? {} : { reason }),
    });
    if (reason === before.hiddenReason) return readProduct(tx, id);
    const row = await tx.product.update({
      where: { id },
      data: {
        hiddenReason: reason,
        isActive: !isStillWithheld && isActiveUnhidden,
        isActiveUnhidden: isStillWithheld && isActiveUnhidden,
        version: { increment: 1 },
      },
      include: productInclude,
    });
    const product = presentProduct(row);
    const listingBefore = {
      isActive: before.isActive,
      availableUntil: presentDate(before.availableUntil),
    };
    await record(tx, ...productEvents(listingBefore, product), {
      name: 'product.hidingChanged',
      data: { _id: id, name: row.name, farmer: row.farmerId, reason, version: row.version },
      rooms: [room.farm(row.farmerId), room.admins],
    });
    return product;
  });
}
