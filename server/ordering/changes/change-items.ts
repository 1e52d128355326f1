import { randomUUID } from 'node:crypto';
import type {
  ChangeItems,
  RememberedWish,
  SetWish,
} from '#contract/ordering/changes/order-changes';
import type { Order } from '#contract/ordering/orders/orders';
import type { ShortWish } from '#contract/platform/orders/constants';
import { dayIn } from '#contract/platform/time/constants/time';
import { dayRulesOf, zoneOf } from '../../farm/farmers/present.ts';
import { ordersUntil } from '../../farm/schedule/policy.ts';
import { invalidField, notFound, requireVersion } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { changeOrder } from '../model/change-order.ts';
import { dayOf } from '../model/handover.ts';
import { presentOrder } from '../model/present.ts';
import { decideItems, OTHER_PRODUCT } from './decide-items.ts';
import { linesChange } from './lines.ts';
import { lockProductsOf } from './proposals.ts';
import { refuseClosed } from './refusals.ts';

/**
 * Replaces the lines of a buyer's order. The farm is notified of the difference.
 * @returns the order as it is after it
 * @throws 400 a quantity in which a product is not sold, too large a total or something instead that is no other
 *   product of the farm, 401, 404 not an own order, 409 it
 *   is not open, is packed, waits for an answer or has another version, its cut-off is over, or what is added
 *   cannot be had
 */
export const changeItems = (
  platform: Platform,
  user: SessionUser,
  id: string,
  input: ChangeItems,
): Promise<Order> =>
  changeOrder(platform, user, id, async (tx, state) => {
    const { order, now } = state;
    const asked = input.items.flatMap(({ product, preferredProduct }) =>
      preferredProduct === undefined ? [product] : [product, preferredProduct],
    );
    const stocked = await lockProductsOf(tx, state, asked);
    const farm = await tx.farmerProfile.findUnique({ where: { userId: order.farmerId } });
    const { onShortDefault } = await tx.user.findUniqueOrThrow({
      where: { id: user.id },
      select: { onShortDefault: true },
    });
    const date = dayOf(order);
    const timeZone = zoneOf(farm);
    const startsAt = order.startsAt === null ? undefined : new Date(order.startsAt);
    const changesUntil = ordersUntil(dayRulesOf(farm), date, timeZone, startsAt);
    const days = { today: dayIn(timeZone, now), date, changesUntil };
    return decideItems({ ...stocked, ...days, onShortDefault, newId: randomUUID }, input);
  });

/**
 * Writes what a buyer wishes if the farm runs short of a line.
 * @returns the order as it is after it
 * @throws 400 the product to take instead is none of this farm, 401, 404 not an own order or no line of it, 409
 *   the order is not open, or has another version than expected
 */
export const setWish = (
  platform: Platform,
  user: SessionUser,
  { id, lineId }: { id: string; lineId: string },
  { onShort, preferredProduct, expectedVersion }: SetWish,
): Promise<Order> =>
  changeOrder(platform, user, id, async (tx, { order: before, by, now }) => {
    const line = before.lines.find((each) => each.id === lineId);
    if (!line) throw notFound('Line not found');
    const closed = refuseClosed(before);
    if (closed) throw closed;
    await requireVersion(expectedVersion, before.version, () => presentOrder(before));
    const preferredProductId = (onShort === 'specific' && preferredProduct) || null;
    if (preferredProductId) {
      const where = { id: preferredProductId, farmerId: before.farmerId };
      const found = await tx.product.findFirst({ where, select: { id: true } });
      if (!found || preferredProductId === line.productId) {
        throw invalidField('preferredProduct', OTHER_PRODUCT);
      }
    }
    if (line.onShort === onShort && line.preferredProductId === preferredProductId) {
      return { unchanged: before };
    }
    const lines = before.lines.map((each) =>
      each.id === lineId ? { ...each, onShort, preferredProductId } : each,
    );
    const change = linesChange('wish', before.lines, lines);
    return { plan: { at: now, by, before, lines, change } };
  });

/**
 * Returns what a buyer wished last for a shortage of each of these products, as far as they ordered them. Other
 * people's products and unknown ones are left out, and so is a wish for something instead that is no longer sold.
 */
export async function readWishes(
  { db }: Platform,
  userId: string,
  products: readonly string[],
): Promise<RememberedWish[]> {
  const rows = await db.$queryRaw<
    { product: string; onShort: ShortWish; preferredProduct: string | null }[]
  >`SELECT DISTINCT ON (line.product_id) line.product_id AS product, line.on_short AS "onShort",
      instead.id AS "preferredProduct"
    FROM order_lines line JOIN orders o ON o.id = line.order_id
    LEFT JOIN products instead ON instead.id = line.preferred_product_id AND instead.is_active
    WHERE line.product_id = ANY (${[...products]}::uuid[]) AND o.consumer_id = ${userId}::uuid
      AND line.replaces_line_id IS NULL
    ORDER BY line.product_id, o.created_at DESC, o.id DESC, line.position`;
  return rows
    .filter(({ onShort, preferredProduct }) => onShort !== 'specific' || preferredProduct !== null)
    .map(({ preferredProduct, ...wish }) => ({
      ...wish,
      ...(preferredProduct === null ? {} : { preferredProduct }),
    }));
}
