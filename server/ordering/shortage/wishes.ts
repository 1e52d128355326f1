import type { RememberedWish } from '#contract/ordering/changes/order-changes';
import type { ShortWish } from '#contract/platform/orders/constants';
import type { Platform } from '../../platform/http/platform.ts';

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
