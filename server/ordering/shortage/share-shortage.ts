import { randomUUID } from 'node:crypto';
import type { Unit } from '#contract/catalogue/products/product';
import { ANSWER_MINUTES } from '#contract/farm/farmers/constants';
import { returnsToStock } from '#contract/ordering/changes/constants';
import type {
  ShareShortage,
  ShortageOutcome,
  ShortageResult,
} from '#contract/ordering/changes/order-changes';
import { OPEN_STATUSES } from '#contract/platform/orders/constants';
import { countedIn } from '#contract/platform/quantities/constants/pieces';
import { fromMilli, MILLI, toMilli } from '#contract/platform/quantities/constants/quantities';
import { QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { type StockRow, stockEvent } from '../../catalogue/stock/stock-events.ts';
import { record } from '../../platform/events/event-log.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockCaller, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { sqlList } from '../../platform/stores/sql.ts';
import { readClock } from '../../platform/time/clock.ts';
import { lockProductsOf, withTimers } from '../changes/commands.ts';
import { lockOrder, lockStock, readStock } from '../model/lock.ts';
import { readOrders } from '../model/present.ts';
import type { ProposalItemRow } from '../model/present-lines.ts';
import { writeOrder } from '../model/write.ts';
import {
  type Batch,
  byOrder,
  type ClaimedLine,
  claimsOf,
  type Dealt,
  decideOrder,
  decideShares,
  doneBy,
  type OrderShares,
  orderedMilli,
  outcomeOf,
  outcomesOf,
  type Share,
} from './decide-shortage.ts';
import { reportProgress } from './shortage-progress.ts';

/** Orders that are written at once. */
const CONCURRENCY = 4;
/** Orders read by one statement. */
const ORDERS_PER_STATEMENT = 200;

/**
 * Shares what is there of a product among the farm's orders of some days, or shows what would become of it.
 * The shares are decided and kept once; then each order is a transaction of its own, so that none waits for
 * thousands of others. Asking again with the same `batchId` goes on with what is not done yet.
 * @throws 400 shares that cannot be, 401, 404 not a product of this farm, 409 the `batchId` stands for another one
 */
export async function shareShortage(
  platform: Platform,
  user: SessionUser,
  farmId: string,
  input: ShareShortage & { isPreview: boolean },
): Promise<ShortageResult> {
  const { db } = platform;
  const { isPreview } = input;
  const product = (await readStock(db, [input.productId])).get(input.productId);
  if (product?.farmerId !== farmId) throw notFound(msg('Product not found'));
  const batch: Batch = { ...input, id: input.batchId ?? randomUUID() };
  const known = isPreview ? undefined : await readShares(db, batch, product);
  const dealt = known ?? decideShares(await readClaims(db, product, input), input, product);
  if (isPreview) {
    const outcomes = await preview(platform, user, batch, { farmId, shares: dealt.shares });
    return { batchId: null, ...sumsOf(dealt), outcomes };
  }
  const kept = known ?? (await keepShares(db, user, batch, { product, dealt }));
  const outcomes = await applyAll(platform, user, batch, kept.shares);
  return { batchId: batch.id, ...sumsOf(kept), outcomes };
}

const sumsOf = ({ shares, leftMilli }: Dealt): Pick<ShortageResult, 'ordered' | 'left'> => ({
  ordered: fromMilli(orderedMilli(shares)),
  ...(leftMilli > 0 ? { left: fromMilli(leftMilli) } : {}),
});

/**
 * Returns what the open orders of these days have of the product, the oldest first. What is counted in a unit that does
 * not convert is not shared: of an order that has nothing else it is 0.
 */
async function readClaims(
  db: Database,
  product: StockRow,
  { from, to }: Pick<ShareShortage, 'from' | 'to'>,
): Promise<Omit<Share, 'shareMilli'>[]> {
  const rows = await db.$queryRaw<{ orderId: string; lines: ClaimedLine[] }[]>`
    SELECT o.id AS "orderId", json_agg(json_build_object('id', line.id, 'unit', line.unit,
      'pieceMilli', line.piece_milli, 'contentMilli', line.content_milli,
      'quantityMilli', line.quantity_milli) ORDER BY line.position) AS lines
    FROM orders o JOIN order_lines line ON line.order_id = o.id
    WHERE o.farmer_id = ${product.farmerId}::uuid AND o.date BETWEEN ${from}::date AND ${to}::date
      AND o.status IN (${Prisma.raw(sqlList(OPEN_STATUSES))})
      AND line.product_id = ${product.id}::uuid AND line.quantity_milli > 0
    GROUP BY o.id ORDER BY o.created_at, o.id`;
  const unit = countedIn(product);
  return rows.flatMap(({ orderId, lines }) =>
    claimsOf(product, lines).map((claim) => ({ orderId, unit, ...claim })),
  );
}

/** @returns the shares of a batch that was begun before. @throws 409 when it is another farm's or product's */
async function readShares(
  db: Database | Transaction,
  { id }: Pick<Batch, 'id'>,
  product: StockRow,
): Promise<Dealt | undefined> {
  const row = await db.shortage.findUnique({ where: { id } });
  if (!row) return undefined;
  if (row.farmId !== product.farmerId || row.productId !== product.id) {
    throw conflict('ID_TAKEN', msg('This id stands for another shortage.'));
  }
  // Those of an older process have no unit, and are of the product's.
  const shares = row.shares as unknown as (Omit<Share, 'unit'> & { unit?: Unit })[];
  return {
    shares: shares.map((share) => ({ unit: countedIn(product), ...share })),
    leftMilli: Number(row.leftMilli),
  };
}

/** Keeps the shares of a new batch, with what they do to the stock. @returns those that hold */
async function keepShares(
  db: Database,
  user: SessionUser,
  batch: Batch,
  { product, dealt }: { product: StockRow; dealt: Dealt },
): Promise<Dealt> {
  return transact(db, async (tx) => {
    await lockWorker(tx, user);
    const { count } = await tx.shortage.createMany({
      data: {
        id: batch.id,
        farmId: product.farmerId,
        productId: product.id,
        shares: [...dealt.shares] as object[],
        leftMilli: dealt.leftMilli,
      },
      skipDuplicates: true,
    });
    if (count === 0) return (await readShares(tx, batch, product)) ?? dealt;
    if (batch.emptiesShelf) await changeStock(tx, product.id, () => 0);
    else await keepLeft(tx, product, batch, dealt);
    return dealt;
  });
}

/** Puts back what fits nowhere of goods that the lines lose, unless all that they lose goes back anyway. */
async function keepLeft(
  tx: Transaction,
  { id }: StockRow,
  { reason, available }: Batch,
  { shares, leftMilli }: Dealt,
): Promise<void> {
  const surplusMilli = Math.max(0, toMilli(available) - orderedMilli(shares));
  const keptMilli = returnsToStock(reason) ? 0 : leftMilli - surplusMilli;
  if (keptMilli <= 0) return;
  await changeStock(tx, id, (milli) => Math.min(milli + keptMilli, QUANTITY_MAX * MILLI));
}

/** Changes how much of a product is left; what nobody counts stays as it is. */
async function changeStock(
  tx: Transaction,
  productId: string,
  after: (milli: number) => number,
): Promise<void> {
  const product = (await lockStock(tx, [productId])).get(productId);
  if (!product || product.isAlways) return;
  const stockMilli = after(Number(product.stockMilli));
  if (Number(product.stockMilli) === stockMilli) return;
  const version = product.version + 1;
  await tx.product.update({ where: { id: productId }, data: { stockMilli, version } });
  await record(tx, stockEvent({ ...product, stockMilli, version }));
}

/**
 * Applies the shares order by order, a few at once. Where one of them fails, none is begun any more, and it ends once
 * those are done that were: then nothing is written after its answer.
 * @returns what became of each, in their order
 */
async function applyAll(
  platform: Platform,
  user: SessionUser,
  batch: Batch,
  shares: readonly Share[],
): Promise<ShortageOutcome[]> {
  const outcomes: ShortageOutcome[][] = [];
  const waiting = byOrder(shares).entries();
  const progress = await reportProgress(platform.db, batch.id);
  let hasFailed = false;
  const lane = async () => {
    for (const [index, own] of waiting) {
      if (hasFailed) return;
      try {
        outcomes[index] = await applyShares(platform, user, batch, own);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
      progress.count();
      // So that its consumer sees it at once, not when the last one is done.
      void platform.eventLog.sequence();
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: CONCURRENCY }, lane));
  const failed = lanes.find((each) => each.status === 'rejected');
  if (failed) {
    await progress.stop();
    throw failed.reason;
  }
  await progress.finish();
  return outcomes.flat();
}

/** @returns what became of the order's shares; nothing where there is no such order any more */
function applyShares(
  { db }: Platform,
  user: SessionUser,
  batch: Batch,
  shares: OrderShares,
): Promise<ShortageOutcome[]> {
  return transact(db, async (tx) => {
    const locked = await lockOrder(tx, user, shares[0].orderId);
    if (!locked) return [];
    const { order } = locked;
    const proposed = locked.proposed.find(({ batchId }) => batchId === batch.id);
    if (proposed) {
      const { items } = await tx.orderProposal.findUniqueOrThrow({ where: { id: proposed.id } });
      const asked = items as unknown as ProposalItemRow[];
      return shares.map((share) =>
        outcomeOf(order, batch, share, doneBy(asked, order, batch, share)),
      );
    }
    const decision = decideOrder(await lockProductsOf(tx, locked), batch, shares);
    if (decision && 'plan' in decision) await writeOrder(tx, withTimers(decision));
    return outcomesOf(decision, order, batch, shares);
  });
}

/** Returns what would become of each order. */
async function preview(
  { db }: Platform,
  user: SessionUser,
  batch: Batch,
  { farmId, shares }: { farmId: string; shares: readonly Share[] },
): Promise<ShortageOutcome[]> {
  return transact(db, async (tx) => {
    await lockCaller(tx, user.id);
    const by = { id: user.id, name: '', role: user.role, deletedAt: null };
    const now = await readClock(tx);
    const profile = await tx.farmerProfile.findUnique({ where: { userId: farmId } });
    const farm = { answerMinutes: profile?.answerMinutes ?? ANSWER_MINUTES.standard };
    const outcomes: ShortageOutcome[] = [];
    const orders = byOrder(shares);
    for (let start = 0; start < orders.length; start += ORDERS_PER_STATEMENT) {
      const slice = orders.slice(start, start + ORDERS_PER_STATEMENT);
      const rows = await readOrders(
        tx,
        slice.map(([{ orderId }]) => orderId),
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const own of slice) {
        const order = byId.get(own[0].orderId);
        if (!order) continue;
        const state = { now, by, order, products: new Map(), farm };
        outcomes.push(...outcomesOf(decideOrder(state, batch, own), order, batch, own));
      }
    }
    return outcomes;
  });
}
