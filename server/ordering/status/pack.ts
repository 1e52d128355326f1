import type { Order } from '#contract/ordering/orders/orders';
import type { PackOrder } from '#contract/ordering/picklist/picklist';
import { canActFor } from '#contract/platform/session/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { conflict, notFound, requireVersion } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { withoutPermission } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { lockOrder } from '../model/lock.ts';
import { canReadOrder } from '../model/policy.ts';
import { type OrderRow, presentOrder } from '../model/present.ts';
import { writeOrder } from '../model/write.ts';

/**
 * Says how far an order is packed, and into how many crates. What it is already is no change. Goods of an order that is
 * no longer packed are in no crates. An open proposal does not keep an order from being packed: the goods may be in the
 * crate while only the price of what they weigh is asked for. What the caller weighed themselves is known to them: who
 * presses "Packed" right after a weight may name the version before it.
 * @throws 401 the account was just deleted, 403 not within the caller's role, 404 not an order of the farm, 409 it is not
 *   accepted, or has another version than expected
 */
export async function packOrder(
  platform: Platform,
  user: SessionUser,
  id: string,
  { packing, crates, expectedVersion }: PackOrder,
): Promise<Order> {
  return transact(platform.db, async (tx) => {
    const locked = await lockOrder(tx, user, id);
    if (!locked || !canReadOrder(user, locked.order)) throw notFound('Order not found');
    const { order, by, now } = locked;
    if (!canActFor(user, order.farmerId, 'packOrders')) throw withoutPermission();
    if (!(await isOwnWeighing(tx, order, user.id, expectedVersion))) {
      await requireVersion(expectedVersion, order.version, () => presentOrder(order));
    }
    const counted = packing === 'none' ? null : crates === undefined ? order.crates : crates;
    if (order.packing === packing && order.crates === counted) return presentOrder(order);
    if (order.status !== 'accepted') {
      throw conflict(
        'ORDER_NOT_ACCEPTED',
        `This order is ${order.status}, so it can't be packed. Only accepted orders can.`,
      );
    }
    const after = await writeOrder(tx, {
      at: now,
      by,
      before: order,
      change: {
        kind: 'packing',
        from: order.packing,
        to: packing,
        ...(counted === null ? {} : { crates: counted }),
      },
      packing: { packing, crates: counted },
    });
    return presentOrder(after);
  });
}

/**
 * Returns whether all that changed an order since a version is what one person weighed, and the questions to its buyer
 * that came of it. Goods and packing are as they were then.
 */
async function isOwnWeighing(
  tx: Transaction,
  order: OrderRow,
  userId: string,
  version: number | undefined,
): Promise<boolean> {
  if (version === undefined || version >= order.version) return false;
  const since = await tx.orderTimelineEntry.findMany({
    where: { orderId: order.id, version: { gt: version } },
    select: { version: true, kind: true, detail: true, byId: true },
  });
  const versions = new Set(since.map((entry) => entry.version));
  // A version without an entry is a change that nobody is named for.
  if (versions.size !== order.version - version) return false;
  return since.every(
    ({ kind, detail, byId }) =>
      byId === userId && (kind === 'weights' || (kind === 'proposal' && changesNoLine(detail))),
  );
}

const changesNoLine = (detail: unknown): boolean =>
  (detail as { differences?: unknown[] } | null)?.differences?.length === 0;
