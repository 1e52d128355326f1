import { dayIn } from '#contract/platform/time/constants/time';
import type { Transaction } from '../../../prisma/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { daysAfter, instantOf } from '../../platform/time/clock.ts';
import { productEvents } from '../products/events.ts';
import {
  PRODUCT_COLUMNS,
  PRODUCT_SOURCE,
  type ProductRow,
  presentProduct,
} from '../products/present.ts';

/** The kind of the timers that end "sold out until tomorrow". */
export const RETURN_TIMER = 'stock.return';

/** Wall clock: before a farm begins to sell. */
const MORNING = '05:00';

/** Returns the key of a product's timer. */
export const returnTimerKey = (productId: string): `${typeof RETURN_TIMER}:${string}` =>
  `${RETURN_TIMER}:${productId}`;

/** Returns when the next morning begins by the clock of a time zone. */
export function nextMorning(timeZone: string, now: Date): Date {
  const today = dayIn(timeZone, now);
  const morning = instantOf({ date: today, time: MORNING }, timeZone);
  return morning > now
    ? morning
    : instantOf({ date: daysAfter(today, 1), time: MORNING }, timeZone);
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
