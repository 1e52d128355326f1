import { randomUUID } from 'node:crypto';
import type { Unit } from '#contract/catalogue/products/product';
import { ANSWER_MINUTES } from '#contract/farm/farmers/constants';
import type {
  ProposedItem,
  ShareShortage,
  ShortageOutcome,
  ShortageResult,
} from '#contract/ordering/changes/order-changes';
import { OPEN_STATUSES } from '#contract/platform/orders/constants';
import {
  type CountedRow,
  convertMilli,
  countedIn,
  formatGoodsQuantity,
  inStockOf,
} from '#contract/platform/quantities/constants/pieces';
import { fromMilli, MILLI, toMilli } from '#contract/platform/quantities/constants/quantities';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { type StockRow, stockEvent } from '../../catalogue/stock/stock-events.ts';
import { presentPerson } from '../../people/users/present.ts';
import { record } from '../../platform/events/event-log.ts';
import { conflict, invalidField, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockCaller, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { sqlList } from '../../platform/stores/sql.ts';
import { readClock } from '../../platform/time/clock.ts';
import { lockProductsOf, withTimers } from '../changes/commands.ts';
import {
  decidePropose,
  type ProposeDecision,
  type ProposeState,
} from '../changes/decide-propose.ts';
import { dayOf } from '../model/handover.ts';
import { lockOrder, lockStock, readStock } from '../model/lock.ts';
import { type OrderRow, readOrders } from '../model/present.ts';
import type { LineRow } from '../model/present-lines.ts';
import { writeOrder } from '../model/write.ts';
import { type Claim, shareFairly, shareInTurn } from './share.ts';
import { reportProgress } from './shortage-progress.ts';

/** Orders that are written at once. */
const CONCURRENCY = 4;
/** Orders read by one statement. */
const ORDERS_PER_STATEMENT = 200;

/** What one order had of the product when its share was decided, and what it gets. */
interface Share {
  orderId: string;
  /** In what both are counted. */
  unit: Unit;
  quantityMilli: number;
  shareMilli: number;
}

/** What every order of one shortage is decided with. */
type Batch = ShareShortage & { id: string; isPreview: boolean };

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
  const shares = known ?? decideShares(await readClaims(db, product, input), input, product);
  const ordered = fromMilli(shares.reduce((sum, { quantityMilli }) => sum + quantityMilli, 0));
  if (isPreview) {
    const outcomes = await preview(platform, user, batch, { farmId, shares });
    return { batchId: null, ordered, outcomes };
  }
  const kept = known ?? (await keepShares(db, user, batch, { product, shares }));
  return { batchId: batch.id, ordered, outcomes: await applyAll(platform, user, batch, kept) };
}

/**
 * Returns what the open orders of these days have of the product, the oldest first. What is counted in a unit that does
 * not convert is not shared: of an order that has nothing else it is 0.
 */
async function readClaims(
  db: Database,
  product: StockRow,
  { from, to }: Pick<ShareShortage, 'from' | 'to'>,
): Promise<Omit<Share, 'shareMilli'>[]> {
  const rows = await db.$queryRaw<{ orderId: string; lines: (CountedRow & Claim)[] }[]>`
    SELECT o.id AS "orderId", json_agg(json_build_object('unit', line.unit,
      'pieceMilli', line.piece_milli, 'quantityMilli', line.quantity_milli)) AS lines
    FROM orders o JOIN order_lines line ON line.order_id = o.id
    WHERE o.farmer_id = ${product.farmerId}::uuid AND o.date BETWEEN ${from}::date AND ${to}::date
      AND o.status IN (${Prisma.raw(sqlList(OPEN_STATUSES))})
      AND line.product_id = ${product.id}::uuid AND line.quantity_milli > 0
    GROUP BY o.id ORDER BY o.created_at, o.id`;
  return rows.map(({ orderId, lines }) => ({
    orderId,
    unit: countedIn(product),
    quantityMilli: lines.reduce(
      (sum, line) => sum + (inStockOf(product, line, line.quantityMilli) ?? 0),
      0,
    ),
  }));
}

/**
 * Decides what each order gets.
 * @throws 400 by hand, when an order is none of them, gets more than it has, or all together more than is there
 */
function decideShares(
  claims: readonly Omit<Share, 'shareMilli'>[],
  { rule, available, shares = [] }: ShareShortage,
  { stepMilli }: StockRow,
): Share[] {
  const supply = { availableMilli: toMilli(available), stepMilli: stepMilli ?? MILLI };
  if (rule !== 'manual') {
    const each = rule === 'fair' ? shareFairly(claims, supply) : shareInTurn(claims, supply);
    return claims.map((claim, index) => ({ ...claim, shareMilli: each[index] ?? 0 }));
  }
  const byOrder = new Map(claims.map((claim) => [claim.orderId, claim]));
  for (const [index, { orderId, quantity }] of shares.entries()) {
    const claim = byOrder.get(orderId);
    if (!claim)
      throw invalidField(`shares.${index}.orderId`, msg('Choose an order of these days.'));
    if (toMilli(quantity) > claim.quantityMilli) {
      throw invalidField(`shares.${index}.quantity`, msg('An order gets no more than it has.'));
    }
  }
  const given = new Map(shares.map(({ orderId, quantity }) => [orderId, toMilli(quantity)]));
  const decided = claims.map((claim) => ({
    ...claim,
    shareMilli: given.get(claim.orderId) ?? claim.quantityMilli,
  }));
  if (decided.reduce((sum, { shareMilli }) => sum + shareMilli, 0) > supply.availableMilli) {
    throw invalidField('shares', msg('The orders get more than there is.'));
  }
  return decided;
}

/** @returns the shares of a batch that was begun before. @throws 409 when it is another farm's or product's */
async function readShares(
  db: Database | Transaction,
  { id }: Pick<Batch, 'id'>,
  product: StockRow,
): Promise<Share[] | undefined> {
  const row = await db.shortage.findUnique({ where: { id } });
  if (!row) return undefined;
  if (row.farmId !== product.farmerId || row.productId !== product.id) {
    throw conflict('ID_TAKEN', msg('This id stands for another shortage.'));
  }
  // Those of an older process have no unit, and are of the product's.
  const shares = row.shares as unknown as (Omit<Share, 'unit'> & { unit?: Unit })[];
  return shares.map((share) => ({ unit: countedIn(product), ...share }));
}

/** Keeps the shares of a new batch, and empties the stock if asked to. @returns those that hold */
async function keepShares(
  db: Database,
  user: SessionUser,
  batch: Batch,
  { product, shares }: { product: StockRow; shares: Share[] },
): Promise<Share[]> {
  return transact(db, async (tx) => {
    await lockWorker(tx, user);
    const { count } = await tx.shortage.createMany({
      data: {
        id: batch.id,
        farmId: product.farmerId,
        productId: product.id,
        shares: [...shares] as object[],
      },
      skipDuplicates: true,
    });
    if (count === 0) return (await readShares(tx, batch, product)) ?? shares;
    if (batch.emptiesShelf) await emptyStock(tx, product.id);
    return shares;
  });
}

async function emptyStock(tx: Transaction, productId: string): Promise<void> {
  const product = (await lockStock(tx, [productId])).get(productId);
  if (!product || Number(product.stockMilli) === 0) return;
  const version = product.version + 1;
  await tx.product.update({ where: { id: productId }, data: { stockMilli: 0, version } });
  await record(tx, stockEvent({ ...product, stockMilli: 0, version }));
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
  const waiting = shares.entries();
  const progress = await reportProgress(platform.db, batch.id);
  let hasFailed = false;
  const lane = async () => {
    for (const [index, share] of waiting) {
      if (hasFailed) return;
      try {
        outcomes[index] = await applyShare(platform, user, batch, share);
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

/** @returns what became of the order; nothing where there is none any more */
function applyShare(
  { db }: Platform,
  user: SessionUser,
  batch: Batch,
  share: Share,
): Promise<ShortageOutcome[]> {
  return transact(db, async (tx) => {
    const locked = await lockOrder(tx, user, share.orderId);
    if (!locked) return [];
    const { order } = locked;
    if (locked.proposed.some(({ batchId }) => batchId === batch.id)) {
      return [outcomeOf(order, batch, share, { outcome: 'proposed' })];
    }
    const decision = decideShare(await lockProductsOf(tx, locked), batch, share);
    if (decision && 'plan' in decision) await writeOrder(tx, withTimers(decision));
    return [outcomeOf(order, batch, share, toOutcome(decision, order, batch, share))];
  });
}

/** Decides what a share is for one order; nothing where it gets all that it has. */
function decideShare(state: ProposeState, batch: Batch, share: Share): ProposeDecision | null {
  const items = itemsFor(state.order, batch, share);
  if (items.length === 0) return null;
  const ids = { id: randomUUID(), newId: randomUUID, batchId: batch.id };
  return decidePropose(state, { ...ids, items, note: batch.note });
}

/** Returns what of an order's lines is over its share. */
function itemsFor(
  order: OrderRow,
  { productId, reason }: Batch,
  { unit, shareMilli }: Share,
): ProposedItem[] {
  let leftMilli = shareMilli;
  return linesOf(order, productId).flatMap((line): ProposedItem[] => {
    const claimedMilli = convertMilli(line.quantityMilli, countedIn(line), unit);
    if (claimedMilli === null) return [];
    const sharedMilli = Math.min(claimedMilli, leftMilli);
    leftMilli -= sharedMilli;
    if (sharedMilli === claimedMilli) return [];
    // A share that the line cannot hold in its own unit is less than one thousandth of it.
    const keptMilli = convertMilli(sharedMilli, unit, countedIn(line)) ?? 0;
    const base = { lineId: line.id, reason, emptiesShelf: false };
    return keptMilli === 0
      ? [{ ...base, action: 'remove' }]
      : [{ ...base, action: 'reduce', newQuantity: fromMilli(keptMilli) }];
  });
}

/** The lines of a product that an order still has, the first price first. */
const linesOf = ({ lines }: OrderRow, productId: string) =>
  lines.filter((line) => line.productId === productId && line.quantityMilli > 0);

type Outcome = Pick<ShortageOutcome, 'outcome' | 'code' | 'message'>;

function toOutcome(
  decision: ProposeDecision | null,
  order: OrderRow,
  { productId }: Batch,
  share: Share,
): Outcome {
  // What has no more than its share got it by this batch, or by its consumer.
  if (!decision) {
    const [other] = share.quantityMilli === 0 ? linesOf(order, productId) : [];
    if (other) return { outcome: 'skipped', code: 'OTHER_UNIT', message: otherUnit(other) };
    return { outcome: share.shareMilli < share.quantityMilli ? 'applied' : 'unchanged' };
  }
  if ('plan' in decision) return { outcome: decision.proposal ? 'proposed' : 'applied' };
  const { code, sentence, status } = decision.refusal;
  if (status >= 500) throw decision.refusal;
  return { outcome: 'skipped', code, message: writeMessage(sentence) };
}

/** Says why an order has no share that has the product only in a unit that does not convert. */
const otherUnit = ({ unit, pieceMilli, quantityMilli, name }: LineRow): string =>
  t(
    'It has {quantity} of {name}, which you sell by another unit now. Propose a change of this order by hand.',
    {
      quantity: formatGoodsQuantity(
        { product: { unit }, isByPiece: pieceMilli !== null },
        fromMilli(quantityMilli),
      ),
      name,
    },
  );

const outcomeOf = (
  order: OrderRow,
  batch: Batch,
  share: Share,
  outcome: Outcome,
): ShortageOutcome => ({
  orderId: order.id,
  lineId: order.lines.find(({ productId }) => productId === batch.productId)?.id ?? order.id,
  customer: presentPerson(order.consumer),
  date: dayOf(order),
  time: order.time,
  quantity: fromMilli(share.quantityMilli),
  share: fromMilli(share.shareMilli),
  ...outcome,
});

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
    for (let start = 0; start < shares.length; start += ORDERS_PER_STATEMENT) {
      const slice = shares.slice(start, start + ORDERS_PER_STATEMENT);
      const rows = await readOrders(
        tx,
        slice.map(({ orderId }) => orderId),
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const share of slice) {
        const order = byId.get(share.orderId);
        if (!order) continue;
        const state = { now, by, order, products: new Map(), farm };
        const outcome = toOutcome(decideShare(state, batch, share), order, batch, share);
        outcomes.push(outcomeOf(order, batch, share, outcome));
      }
    }
    return outcomes;
  });
}
