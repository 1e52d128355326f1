import { randomUUID } from 'node:crypto';
import type { ChangeItems, SetWish } from '#contract/ordering/changes/order-changes';
import type { Order } from '#contract/ordering/orders/orders';
import { dayIn } from '#contract/platform/time/constants/time';
import type { Transaction } from '../../../prisma/client.ts';
import { dayRulesOf, zoneOf } from '../../farm/farmers/present.ts';
import { ordersUntil } from '../../farm/schedule/rules.ts';
import { invalidField, notFound, versionConflict } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { dayOf } from '../model/handover.ts';
import { lockShelf } from '../model/lock.ts';
import { presentOrder } from '../model/present.ts';
import { writeOrder } from '../model/write.ts';
import { lockOwnOrder } from './commands.ts';
import { decideItems } from './decide-items.ts';
import { linesChange, productIdsOf } from './lines.ts';
import { refuseClosed } from './refusals.ts';

/**
 * Replaces the lines of a buyer's order. The farm is notified of the difference.
 * @returns the order as it is after it
 * @throws 400 a quantity in which a product is not sold, too large a total or something instead that is no other
 *   product of the farm, 401, 404 not an own order, 409 it
 *   is not open, is packed, waits for an answer or has another version, its cut-off is over, or what is added
 *   cannot be had
 */
export async function changeItems(
  platform: Platform,
  user: SessionUser,
  id: string,
  input: ChangeItems,
): Promise<Order> {
  return transact(platform.db, async (tx) => {
    const { order, by, now } = await lockOwnOrder(tx, user, id);
    const asked = input.items.flatMap(({ product, preferredProduct }) =>
      preferredProduct === undefined ? [product] : [product, preferredProduct],
    );
    const products = await lockShelf(tx, [...productIdsOf(order), ...asked]);
    const farm = await tx.farmerProfile.findUnique({
      where: { userId: order.farmerId },
      select: {
        timeZone: true,
        businessHours: true,
        cutoffDaysBefore: true,
        cutoffTime: true,
        closedDays: true,
        bookableDays: true,
      },
    });
    const { onShortDefault } = await tx.user.findUniqueOrThrow({
      where: { id: user.id },
      select: { onShortDefault: true },
    });
    const date = dayOf(order);
    const timeZone = zoneOf(farm);
    const startsAt = order.startsAt === null ? undefined : new Date(order.startsAt);
    const decision = decideItems(
      {
        now,
        by,
        order,
        products,
        today: dayIn(timeZone, now),
        date,
        changesUntil: ordersUntil(dayRulesOf(farm), date, timeZone, startsAt),
        onShortDefault,
        newId: randomUUID,
      },
      input,
    );
    if ('refusal' in decision) throw decision.refusal;
    if ('unchanged' in decision) return presentOrder(decision.unchanged);
    return presentOrder(await writeOrder(tx, decision.plan));
  });
}

/**
 * Writes what a buyer wishes if the farm runs short of a line.
 * @returns the order as it is after it
 * @throws 400 the product to take instead is none of this farm, 401, 404 not an own order or no line of it, 409
 *   the order is not open, or has another version than expected
 */
export async function setWish(
  platform: Platform,
  user: SessionUser,
  { id, lineId }: { id: string; lineId: string },
  { onShort, preferredProduct, expectedVersion }: SetWish,
): Promise<Order> {
  return transact(platform.db, async (tx) => {
    const { order: before, by, now } = await lockOwnOrder(tx, user, id);
    const line = before.lines.find((each) => each.id === lineId);
    if (!line) throw notFound('Line not found');
    const closed = refuseClosed(before);
    if (closed) throw closed;
    if (expectedVersion !== undefined && expectedVersion !== before.version) {
      throw versionConflict(presentOrder(before));
    }
    const preferredProductId = (onShort === 'specific' && preferredProduct) || null;
    if (preferredProductId) {
      await requireOther(tx, preferredProductId, {
        farmerId: before.farmerId,
        own: line.productId,
      });
    }
    if (line.onShort === onShort && line.preferredProductId === preferredProductId) {
      return presentOrder(before);
    }
    const lines = before.lines.map((each) =>
      each.id === lineId ? { ...each, onShort, preferredProductId } : each,
    );
    const change = linesChange('wish', before.lines, lines);
    return presentOrder(await writeOrder(tx, { at: now, by, before, lines, change }));
  });
}

/** @throws 400 when a product is not another one of the farm */
async function requireOther(
  tx: Transaction,
  id: string,
  { farmerId, own }: { farmerId: string; own: string | null },
): Promise<void> {
  const found = await tx.product.findFirst({ where: { id, farmerId }, select: { id: true } });
  if (!found || id === own) {
    throw invalidField('preferredProduct', 'Choose another product of this farm.');
  }
}
