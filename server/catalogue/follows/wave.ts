import { isListed } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import { toMilli } from '#contract/platform/quantities/constants/quantities';
import { isSoldOut, minimumOf } from '#contract/platform/quantities/constants/steps';
import { DEFAULT_TIME_ZONE, dayIn } from '#contract/platform/time/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { accountChanged } from '../../people/users/addresses.ts';
import { record } from '../../platform/events/event-log.ts';
import { type NewTimer, setTimer, setTimers } from '../../platform/stores/timers.ts';
import { readClock } from '../../platform/time/clock.ts';
import { presentProduct, productInclude } from '../products/present.ts';

/** The kind of the timers at which those who wait for a product are notified. */
const WAVE_TIMER = 'stock.wave';

/** The least time between two waves of a product, in milliseconds. */
const WAVE_PAUSE_MS = 2 * 60 * 60 * 1000;

/** How many people one transaction notifies, so that it stays small however many a wave has. */
const PEOPLE_AT_ONCE = 500;

/** Whether a product (`p`) is back in stock and somebody has waited for that. */
export const IS_AWAITED = `EXISTS (
  SELECT FROM follows f WHERE f.product_id = p.id AND f.state = 'waiting' AND f.since <= p.restock_at)`;

/** Whom one run of a wave notifies, and of how many people in all. */
export interface Wave {
  product: Product;
  userIds: string[];
  peopleCount: number;
}

/** Returns whether customers can order the product. */
export const isInStock = (product: Product): boolean =>
  !isSoldOut(product) &&
  !product.farmer.isDraft &&
  isListed(product, dayIn(product.farmer.handoff?.timeZone ?? DEFAULT_TIME_ZONE));

/** Returns how many people a wave notifies: twice as many as the stock has smallest orders, two at least. */
export const sizeOfWave = (product: Product): number =>
  2 * Math.max(1, Math.floor(toMilli(product.quantityAvailable) / toMilli(minimumOf(product))));

interface Times {
  restockAt: Date;
  lastWaveAt: Date | null;
  /** Until when the farm takes no orders; null while it does. */
  pausedUntil: Date | null;
}

/**
 * Returns when a product's next wave may begin: a while after it was back, so that a slip of the pen notifies nobody,
 * some time after the wave before, and once its farm takes orders.
 */
export const waveDueAt = ({ restockAt, lastWaveAt, pausedUntil }: Times, delayMs: number): Date =>
  new Date(
    Math.max(
      restockAt.getTime() + delayMs,
      lastWaveAt ? lastWaveAt.getTime() + WAVE_PAUSE_MS : 0,
      pausedUntil?.getTime() ?? 0,
    ),
  );

/**
 * Notifies the next of those who wait for a product that is back in stock, in the order in which they began to wait:
 * begins a wave if one is due, or goes on with the one that has begun. Sets the timer of what is left. Those who began to
 * follow it after it was back wait for its next return.
 * @returns null while nobody is to be notified
 */
export async function runWave(
  tx: Transaction,
  productId: string,
  delayMs: number,
): Promise<Wave | null> {
  // People before products, as every command locks them.
  const people = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM users WHERE id = ANY (ARRAY(
      SELECT f.user_id FROM ${WAITING} AND f.product_id = ${productId}::uuid
      ORDER BY f.since, f.user_id LIMIT ${PEOPLE_AT_ONCE}))
    ORDER BY id FOR KEY SHARE`;
  await tx.$queryRaw`SELECT 1 FROM products WHERE id = ${productId}::uuid FOR NO KEY UPDATE`;
  // Separate statements, so that they see what was committed while waiting for the lock.
  const row = await tx.product.findFirst({
    where: { id: productId, farmer: { deletedAt: null } },
    include: productInclude,
  });
  const product = row && presentProduct(row);
  // What is sold out or off the market gets its timer once it returns.
  if (!row?.restockAt || !product || !isInStock(product)) return null;
  const { restockAt, lastWaveAt } = row;
  const now = await readClock(tx);
  const before = await countWaiting(tx, productId, { wave: lastWaveAt, restockAt });
  const hasBegun = lastWaveAt !== null && lastWaveAt >= restockAt && before.inWave > 0;
  if (!hasBegun) {
    if (before.inAll === 0) return null;
    const farm = await tx.farmerProfile.findUnique({
      where: { userId: row.farmerId },
      select: { pausedUntil: true },
    });
    const times = { restockAt, lastWaveAt, pausedUntil: farm?.pausedUntil ?? null };
    const dueAt = waveDueAt(times, delayMs);
    if (dueAt > now) {
      await setTimer(tx, waveTimer(productId, dueAt));
      return null;
    }
    await beginWave(tx, product, { wave: now, restockAt });
  }
  const wave = hasBegun ? lastWaveAt : now;
  const told = await tx.$queryRaw<{ userId: string }[]>`
    UPDATE follows SET state = 'told', told_at = ${now}
    WHERE product_id = ${productId}::uuid AND wave = ${wave} AND state = 'waiting'
      AND user_id = ANY (${people.map(({ id }) => id)}::uuid[])
    RETURNING user_id AS "userId"`;
  const userIds = told.map(({ userId }) => userId);
  await record(tx, ...userIds.map(accountChanged));
  const left = await countWaiting(tx, productId, { wave, restockAt });
  if (left.inAll > 0) {
    const dueAt = left.inWave > 0 ? now : new Date(wave.getTime() + WAVE_PAUSE_MS);
    await setTimer(tx, waveTimer(productId, dueAt));
  }
  return { product, userIds, peopleCount: await tx.follow.count({ where: { productId, wave } }) };
}

/** Those who wait (`f`) and can sign in. */
const WAITING = Prisma.sql`follows f JOIN users u ON u.id = f.user_id
  WHERE f.state = 'waiting' AND u.suspended_at IS NULL`;

/** Counts those who wait for this return of a product, and those of them whom the wave has chosen. */
async function countWaiting(
  tx: Transaction,
  productId: string,
  { wave, restockAt }: { wave: Date | null; restockAt: Date },
): Promise<{ inAll: number; inWave: number }> {
  const [counts] = await tx.$queryRaw<{ inAll: number; inWave: number }[]>`
    SELECT count(*)::int AS "inAll", (count(*) FILTER (WHERE f.wave = ${wave}::timestamptz))::int AS "inWave"
    FROM ${WAITING} AND f.product_id = ${productId}::uuid AND f.since <= ${restockAt}`;
  return counts ?? { inAll: 0, inWave: 0 };
}

/** Begins a wave: chooses whom it notifies, those first who have waited longest. */
async function beginWave(
  tx: Transaction,
  product: Product,
  { wave, restockAt }: { wave: Date; restockAt: Date },
): Promise<void> {
  await tx.$executeRaw`UPDATE products SET last_wave_at = ${wave} WHERE id = ${product._id}::uuid`;
  await tx.$executeRaw`
    UPDATE follows SET wave = ${wave} WHERE id = ANY (ARRAY(
      SELECT f.id FROM ${WAITING} AND f.product_id = ${product._id}::uuid AND f.since <= ${restockAt}
      ORDER BY f.since, f.user_id LIMIT ${sizeOfWave(product)}))`;
}

/** The timer of one look at a product. No two looks share one, so that none waits for another's. */
const waveTimer = (productId: string, dueAt: Date): NewTimer => ({
  kind: WAVE_TIMER,
  key: `${WAVE_TIMER}:${productId}:${dueAt.getTime()}`,
  dueAt,
});

/** Looks at all products of a farm that are back in stock and for which somebody waits. */
export async function lookAtFarm(tx: Transaction, farmId: string): Promise<void> {
  const now = await readClock(tx);
  const products = await tx.$queryRaw<{ id: string }[]>`
    SELECT p.id FROM products p WHERE p.farmer_id = ${farmId}::uuid AND ${Prisma.raw(IS_AWAITED)}`;
  await setTimers(
    tx,
    products.map(({ id }) => waveTimer(id, now)),
  );
}

/**
 * Takes those off who have bought what they waited for: it stays a favourite, and they are notified of its next return
 * if they ask for it.
 */
export async function endWaits(
  tx: Transaction,
  bought: readonly { userId: string; productId: string }[],
): Promise<void> {
  const taken = await tx.$queryRaw<{ userId: string }[]>`
    UPDATE follows f SET state = 'told', told_at = clock_timestamp()
    FROM products p, json_to_recordset(${JSON.stringify(bought)}::json) AS bought ("userId" uuid, "productId" uuid)
    WHERE f.user_id = bought."userId" AND f.product_id = bought."productId" AND p.id = f.product_id
      AND f.state = 'waiting' AND f.since <= p.restock_at
    RETURNING f.user_id AS "userId"`;
  await record(tx, ...[...new Set(taken.map(({ userId }) => userId))].map(accountChanged));
}
