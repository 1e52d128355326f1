import type { Product } from '#contract/catalogue/products/product';
import { dayIn } from '#contract/platform/time/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { type NewEvent, record } from '../../platform/events/event-log.ts';
import { columnOf, jsonFields } from '../../platform/stores/sql.ts';
import { daysAfter, instantOf } from '../../platform/time/clock.ts';
import {
  FARM_JSON,
  farmerJson,
  PRODUCT_COLUMNS,
  PRODUCT_FIELDS,
  PRODUCT_SOURCE,
  type ProductRow,
  presentProduct,
  productEvents,
  productRooms,
} from '../products/present.ts';

const STOCK_FIELDS: readonly string[] = ['stockMilli', 'asideMilli', 'version'];
const LASTING_FIELDS: readonly string[] = ['id', 'createdAt'];
const HASHED_FIELDS = ['categoryId', 'farmerId', ...PRODUCT_FIELDS].filter(
  (field) => !STOCK_FIELDS.includes(field) && !LASTING_FIELDS.includes(field),
);

/**
 * A hash of everything about a product (`p`) but its stock. A statement that writes the product's event
 * checks it against what the event was presented from: stock may have moved since, the rest may not.
 */
export const PRODUCT_HASH = `md5(ROW(${HASHED_FIELDS.map((field) => `p.${columnOf(field)}`)})::text)`;

/**
 * A product `p` as one JSON value, for {@link ShelfRow}. Its farm and category are looked up row by row:
 * a statement reads few products, and joins would read whole tables while these are small.
 */
export const SHELF_ROW = `json_build_object(${jsonFields('p', ['farmerId', ...PRODUCT_FIELDS])},
  'category', (SELECT json_build_object('id', id, 'name', name, 'names', names)
    FROM categories WHERE id = p.category_id),
  'farmer', (SELECT ${farmerJson(`(SELECT ${FARM_JSON}
      FROM farmer_profiles farm WHERE farm.user_id = p.farmer_id)`)}
    FROM users farmer WHERE farmer.id = p.farmer_id),
  'appearance', ${PRODUCT_HASH})`;

/** A product as {@link SHELF_ROW} reads it. */
export interface StockRow extends ProductRow {
  farmerId: string;
  stockMilli: number;
  availableUntil: string | null;
  appearance: string;
}

/**
 * The event of a change of stock. It does not change who may see the product. The statement that
 * records it puts in the quantity and version that the change made.
 */
export function stockEvent(row: StockRow): Extract<NewEvent, { data: Product }> {
  const data = presentProduct(row);
  return { name: 'product.updated', data, rooms: productRooms(data) };
}

/** The kind of the timers that end "sold out until tomorrow". */
export const RETURN_TIMER = 'stock.return';

/** Wall clock: before a farm begins to sell. */
const MORNING = '05:00';

/** Returns the key of a product's timer. */
export const returnTimerKey = (productId: string): `${typeof RETURN_TIMER}:${string}` =>
  `${RETURN_TIMER}:${productId}`;

/** Returns when the next morning begins by the clock of a time zone: at this time of the day. */
export function nextMorning(timeZone: string, now: Date, time = MORNING): Date {
  const today = dayIn(timeZone, now);
  const morning = instantOf({ date: today, time }, timeZone);
  return morning > now ? morning : instantOf({ date: daysAfter(today, 1), time }, timeZone);
}

/**
 * Puts back what was set aside of the product that a timer names, unless the farm has changed its mind: what
 * came back meanwhile from cancelled orders stays as well.
 */
export async function returnStock(tx: Transaction, timerKey: string): Promise<void> {
  const id = timerKey.slice(RETURN_TIMER.length + 1);
  await tx.$queryRaw`SELECT 1 FROM products WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  // A separate statement, so that it sees what was committed while waiting for the lock.
  const rows = await tx.$queryRawUnsafe<ProductRow[]>(
    `WITH back AS (
       UPDATE products SET stock_milli = stock_milli + aside_milli, aside_milli = NULL,
         returns_at = NULL, version = version + 1, updated_at = now()
       WHERE id = $1::uuid AND returns_at <= now() AND aside_milli IS NOT NULL
     )
     SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT_SOURCE}
     WHERE p.id = $1::uuid AND p.returns_at <= now() AND p.aside_milli IS NOT NULL`,
    id,
  );
  for (const before of rows) {
    const after = {
      ...before,
      stockMilli: Number(before.stockMilli) + Number(before.asideMilli),
      asideMilli: null,
      returnsAt: null,
      version: before.version + 1,
    };
    await record(tx, ...productEvents(presentProduct(before), presentProduct(after)));
  }
}
