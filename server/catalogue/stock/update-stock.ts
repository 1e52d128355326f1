import type { Product } from '#contract/catalogue/products/product';
import type { StockResult, UpdateStock } from '#contract/catalogue/products/products';
import { quantityUnit } from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { stepsInWords } from '#contract/platform/quantities/constants/steps';
import type { Transaction } from '../../../prisma/client.ts';
import { refuseUnverifiedOwner } from '../../people/auth/service.ts';
import { record } from '../../platform/events/event-log.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm } from '../../platform/sessions/acting-farm.ts';
import { lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { setTimer } from '../../platform/stores/timers.ts';
import { readClock } from '../../platform/time/clock.ts';
import { productEvents } from '../products/events.ts';
import { PRODUCT_COLUMNS, PRODUCT_SOURCE, presentProduct } from '../products/present.ts';
import { withheldRefusal } from '../products/service.ts';
import {
  decideStockChange,
  type ProductRow,
  type StockDecision,
  type StockPlan,
} from './decide-stock.ts';
import { RETURN_TIMER, returnTimerKey } from './return-stock.ts';

interface Write extends StockPlan {
  id: string;
  /** The version that was decided on. */
  version: number;
}

/**
 * Changes stock, price or visibility of products of the signed-in farmer. Each product is decided for
 * itself, by {@link decideStockChange}; those that may change are written together.
 * @returns what became of each product, in the order of the changes
 * @throws 401 when the account was just deleted
 */
export function updateStock(
  platform: Platform,
  user: SessionUser,
  { changes }: UpdateStock,
): Promise<StockResult[]> {
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    const products = await lockProducts(
      tx,
      changes.map(({ product }) => product),
    );
    const now = await readClock(tx);
    const offerRefusal = changes.some(({ isActive }) => isActive)
      ? await refuseUnverifiedOwner(tx, actingFarm(user), user)
      : undefined;
    const writes: Write[] = [];
    const results: StockResult[] = [];
    for (const change of changes) {
      const decision = decideStockChange(products.get(change.product) ?? null, user, change, {
        now,
        offerRefusal,
      });
      if ('plan' in decision) {
        const { id, version } = decision.before;
        writes.push({ ...decision.plan, id, version });
      }
      results.push(resultOf(change.product, decision));
    }
    if (writes.length > 0) {
      await write(tx, writes);
      for (const { id, returnsAt } of writes) {
        if (returnsAt)
          await setTimer(tx, { kind: RETURN_TIMER, key: returnTimerKey(id), dueAt: returnsAt });
      }
      const written = new Set(writes.map(({ id }) => id));
      await record(
        tx,
        ...results.flatMap((result) => {
          const before = products.get(result._id);
          if (!before || !('product' in result) || !written.has(result._id)) return [];
          return productEvents(presentProduct(before), result.product);
        }),
      );
    }
    return results;
  });
}

/** Locks products until the transaction ends, by ascending id as every command does, and reads them. */
async function lockProducts(
  tx: Transaction,
  ids: readonly string[],
): Promise<Map<string, ProductRow>> {
  await tx.$queryRaw`
    SELECT 1 FROM products WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  // A separate statement, so that it sees what was committed while waiting for the locks.
  const rows = await tx.$queryRawUnsafe<ProductRow[]>(
    `SELECT ${PRODUCT_COLUMNS}, p.is_farm_suspended AS "isFarmSuspended" FROM ${PRODUCT_SOURCE}
     WHERE p.id = ANY ($1::uuid[]) AND farmer.deleted_at IS NULL`,
    ids,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function resultOf(_id: string, decision: StockDecision): StockResult {
  if ('plan' in decision) {
    const { before, plan } = decision;
    return { _id, product: presentProduct({ ...before, ...plan, version: before.version + 1 }) };
  }
  if ('unchanged' in decision) return { _id, product: presentProduct(decision.unchanged) };
  switch (decision.refusal) {
    case 'NOT_FOUND':
      return { _id, code: 'NOT_FOUND', message: 'Product not found' };
    case 'FORBIDDEN':
      return { _id, code: 'FORBIDDEN', message: 'This product belongs to another farm.' };
    case 'INVALID':
      return { _id, code: 'INVALID', message: problemSentence(decision) };
    case 'WITHHELD': {
      const [code, message] = withheldRefusal(decision.product);
      return { _id, code, message };
    }
    case 'MAY_NOT_OFFER': {
      const { code, message } = decision.because;
      return { _id, code, message };
    }
    case 'STOCK_CHANGED': {
      const current = presentProduct(decision.product);
      return { _id, code: 'STOCK_CHANGED', message: stockSentence(current), current };
    }
  }
}

const stockSentence = (product: Product): string =>
  `The stock of ${product.name} has just changed: ${formatQuantity(product.quantityAvailable, quantityUnit(product))} left now.`;

/** Says what is wrong by the product's name, since several may be changed at once. */
function problemSentence({
  product,
  problem: { path, message },
}: Extract<StockDecision, { refusal: 'INVALID' }>): string {
  if (path !== 'quantityAvailable') return `${product.name}: ${message}`;
  const { step, ...presented } = presentProduct(product);
  return `${product.name} is stocked ${stepsInWords({ step }, quantityUnit(presented))}.`;
}

/** @throws when a locked product is no longer as it was read */
async function write(tx: Transaction, writes: readonly Write[]): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    UPDATE products p
    SET stock_milli = change."stockMilli", price_minor = change."priceMinor",
        is_active = change."isActive", aside_milli = change."asideMilli", returns_at = change."returnsAt",
        is_active_unhidden = p.is_active_unhidden AND NOT change."staysInactive", version = p.version + 1, updated_at = now()
    FROM json_to_recordset(${JSON.stringify(writes)}::json) AS change (
      id uuid, version int, "stockMilli" bigint, "priceMinor" int, "isActive" boolean,
      "staysInactive" boolean, "asideMilli" bigint, "returnsAt" timestamptz(3))
    WHERE p.id = change.id AND p.version = change.version
    RETURNING p.id`;
  if (rows.length !== writes.length) throw new Error('Locked products have changed');
}
