import type { Product } from '#contract/catalogue/products/product';
import type { StockChange, StockResult, UpdateStock } from '#contract/catalogue/products/products';
import { toMinor } from '#contract/platform/money/constants';
import { quantityUnit } from '#contract/platform/quantities/constants/pieces';
import { formatQuantity, toMilli } from '#contract/platform/quantities/constants/quantities';
import { formatSteps } from '#contract/platform/quantities/constants/step-fields';
import type { StepProblem } from '#contract/platform/quantities/quantity';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import { zoneOf } from '../../farm/farmers/present.ts';
import { refuseUnverifiedOwner } from '../../people/auth/verify-email.ts';
import { record } from '../../platform/events/event-log.ts';
import type { AppError } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { setTimer } from '../../platform/stores/timers.ts';
import { readClock } from '../../platform/time/clock.ts';
import {
  canChangeProduct,
  canSeeProduct,
  isHiddenByAdmin,
  isWithheld,
  PRODUCT_COLUMNS,
  PRODUCT_SOURCE,
  type ProductRow as PresentedRow,
  presentProduct,
  productEvents,
  visibilityOf,
} from '../products/present.ts';
import { isStockOfAlways, saleAfter, saleProblems } from '../products/sale.ts';
import { withheldRefusal } from '../products/service.ts';
import { type SizeRow, sizesOf, toSizesRow } from '../products/sizes.ts';
import { nextMorning, RETURN_TIMER, returnTimerKey } from './stock-events.ts';

/**
 * Changes stock, price or visibility of products of the signed-in farmer. Each change is decided for itself, by
 * {@link decideStockChange}, after those before it of the same product; those that may be made are written together.
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
    /** What is written, by product: it has all that its changes set so far. */
    const writes = new Map<string, Planned>();
    const nowOf = (id: string) => writes.get(id) ?? products.get(id) ?? null;
    const decisions = changes.map((change) => {
      const product = nowOf(change.product);
      const decision = decideStockChange(product, user, change, { now, offerRefusal });
      if (product && 'plan' in decision) {
        const { staysInactive } = decision.plan;
        const { version } = products.get(product.id) ?? product;
        writes.set(product.id, {
          ...{ ...product, ...decision.plan, version: version + 1 },
          staysInactive: staysInactive || writes.get(product.id)?.staysInactive === true,
        });
      }
      return decision;
    });
    if (writes.size > 0) await write(tx, [...writes.values()]);
    for (const { id, returnsAt } of writes.values()) {
      const dueAt = returnsAt && new Date(returnsAt);
      if (dueAt) await setTimer(tx, { kind: RETURN_TIMER, key: returnTimerKey(id), dueAt });
    }
    const events = [...writes.values()].flatMap((product) => {
      const before = products.get(product.id);
      return before ? productEvents(presentProduct(before), presentProduct(product)) : [];
    });
    if (events.length > 0) await record(tx, ...events);
    return decisions.map((decision, index) =>
      resultOf(changes[index]?.product ?? '', decision, nowOf),
    );
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

/** `nowOf` returns a product as all changes have left it. */
function resultOf(
  _id: string,
  decision: StockDecision,
  nowOf: (id: string) => ProductRow | null,
): StockResult {
  if ('plan' in decision || 'unchanged' in decision) {
    return { _id, product: presentProduct(nowOf(_id) ?? decision.product) };
  }
  switch (decision.refusal) {
    case 'NOT_FOUND':
      return { _id, code: 'NOT_FOUND', message: t('Product not found') };
    case 'FORBIDDEN':
      return { _id, code: 'FORBIDDEN', message: t('This product belongs to another farm.') };
    case 'INVALID':
      return { _id, code: 'INVALID', message: problemSentence(decision) };
    case 'ALWAYS_AVAILABLE': {
      const { name } = decision.product;
      const message = t('{name} is always available. To give it a stock, edit the product.', {
        name,
      });
      return { _id, code: 'ALWAYS_AVAILABLE', message };
    }
    case 'WITHHELD': {
      const [code, message] = withheldRefusal(decision.product);
      return { _id, code, message: writeMessage(message) };
    }
    case 'MAY_NOT_OFFER': {
      const { code, sentence } = decision.because;
      return { _id, code, message: writeMessage(sentence) };
    }
    case 'STOCK_CHANGED': {
      const current = presentProduct(nowOf(_id) ?? decision.product);
      return { _id, code: 'STOCK_CHANGED', message: stockSentence(current), current };
    }
  }
}

const stockSentence = (product: Product): string =>
  t('The stock of {name} has just changed: {quantity} left now.', {
    name: product.name,
    quantity: formatQuantity(product.quantityAvailable, quantityUnit(product)),
  });

/** Says what is wrong by the product's name, since several may be changed at once. */
function problemSentence({
  product,
  problem: { path, message },
}: Extract<StockDecision, { refusal: 'INVALID' }>): string {
  if (path !== 'quantityAvailable')
    return t('{name}: {problem}', { name: product.name, problem: message });
  const { step, ...presented } = presentProduct(product);
  return t('{name} is stocked {steps}.', {
    name: product.name,
    steps: formatSteps({ step }, quantityUnit(presented)),
  });
}

/** @throws when a locked product is no longer as it was read */
async function write(tx: Transaction, writes: readonly Planned[]): Promise<void> {
  const changes = writes.map(
    ({ id, version, stockMilli, priceMinor, sizes, isActive, staysInactive, ...aside }) => ({
      ...{ id, version, stockMilli, priceMinor, sizes, isActive, staysInactive },
      ...{ asideMilli: aside.asideMilli, returnsAt: aside.returnsAt },
    }),
  );
  const rows = await tx.$queryRaw<unknown[]>`
    UPDATE products p
    SET stock_milli = change."stockMilli", price_minor = change."priceMinor", sizes = change.sizes,
        is_active = change."isActive", aside_milli = change."asideMilli", returns_at = change."returnsAt",
        is_active_unhidden = p.is_active_unhidden AND NOT change."staysInactive", version = change.version, updated_at = now()
    FROM json_to_recordset(${JSON.stringify(changes)}::json) AS change (
      id uuid, version int, "stockMilli" bigint, "priceMinor" int, sizes jsonb, "isActive" boolean,
      "staysInactive" boolean, "asideMilli" bigint, "returnsAt" timestamptz(3))
    WHERE p.id = change.id AND p.version = change.version - 1
    RETURNING p.id`;
  if (rows.length !== writes.length) throw new Error('Locked products have changed');
}

/** A product as its change is decided on. */
export interface ProductRow extends PresentedRow {
  isFarmSuspended: boolean;
}

/** What a change sets; every field is as it will be, changed or not. */
interface StockPlan {
  stockMilli: number;
  /** What returns the next morning, and when; null in both or neither. */
  asideMilli: number | null;
  returnsAt: Date | null;
  /** Of a product with sizes the lowest of theirs. */
  priceMinor: number;
  sizes: SizeRow[];
  isActive: boolean;
  /** The farmer took off the market what an admin has hidden: it stays inactive when it is shown again. */
  staysInactive: boolean;
}

/** A product with what its changes set, in the version that they make. */
interface Planned extends ProductRow {
  stockMilli: number;
  staysInactive: boolean;
}

/** Why a farm may not offer anything yet, for programs and for people. */
type Refusal = Pick<AppError, 'code' | 'sentence'>;

type StockDecision =
  | { refusal: 'NOT_FOUND' | 'FORBIDDEN' }
  /** Another stock was seen than there is: something was sold, or changed elsewhere. */
  | { refusal: 'STOCK_CHANGED'; product: ProductRow }
  /** It has no stock that could be set. */
  | { refusal: 'ALWAYS_AVAILABLE'; product: ProductRow }
  /** An admin has hidden the product or suspended its farm, so it cannot be active. */
  | { refusal: 'WITHHELD'; product: ProductRow }
  /** It would come to the market, and the farm may not offer anything yet. */
  | { refusal: 'MAY_NOT_OFFER'; because: Refusal }
  /** The stock is no multiple of the product's step, the price too low for its smallest order, or the size unknown. */
  | { refusal: 'INVALID'; product: ProductRow; problem: StepProblem }
  /** The product is so already: nothing is to be done. */
  | { unchanged: true; product: ProductRow }
  | { plan: StockPlan; product: ProductRow };

/**
 * Decides whether a product gets another stock, price or visibility. A stock replaces only the one that
 * was seen, so that a sale at the same moment is never overwritten. The same stock again changes
 * nothing, whatever was seen: a repeat whose first answer was lost does no harm. Sold out (0 without
 * what was seen) always holds. Sold out until the morning sets the stock aside until then; another stock,
 * or sold out without an end, leaves nothing to return.
 */
function decideStockChange(
  product: ProductRow | null,
  user: Pick<SessionUser, 'role' | 'membership'>,
  change: StockChange,
  { now, offerRefusal }: { now: Date; offerRefusal?: Refusal | undefined },
): StockDecision {
  const { size, quantityAvailable, seen, price, isActive } = change;
  const owned = product && visibilityOf(product);
  if (!product || !owned || !canSeeProduct(user, owned)) return { refusal: 'NOT_FOUND' };
  if (!canChangeProduct(user, owned)) return { refusal: 'FORBIDDEN' };
  if (isActive && isWithheld(product)) return { refusal: 'WITHHELD', product };
  if (isActive && !product.isActive && offerRefusal) {
    return { refusal: 'MAY_NOT_OFFER', because: offerRefusal };
  }
  if (isStockOfAlways(product, change)) return { refusal: 'ALWAYS_AVAILABLE', product };
  const leftMilli = Number(product.stockMilli);
  const stockMilli = quantityAvailable === undefined ? leftMilli : toMilli(quantityAvailable);
  const isOther = stockMilli !== leftMilli;
  if (isOther && seen !== undefined && toMilli(seen) !== leftMilli) {
    return { refusal: 'STOCK_CHANGED', product };
  }
  const priced = pricesAfter(product, change);
  if (!priced) {
    const message = t('This size was removed meanwhile.');
    return { refusal: 'INVALID', product, problem: { path: 'price', message } };
  }
  const sold = { quantityAvailable, ...(size === undefined ? { price } : {}) };
  const [problem] = saleProblems(product, sold, saleAfter(product, sold));
  if (problem) return { refusal: 'INVALID', product, problem };
  const plan = {
    stockMilli,
    ...asideAfter(product, change, now),
    ...priced,
    isActive: isActive ?? product.isActive,
    staysInactive: isActive === false && isHiddenByAdmin(product),
  };
  const sizes = sizesOf(product);
  const isSame =
    !isOther &&
    !plan.staysInactive &&
    plan.priceMinor === product.priceMinor &&
    plan.sizes.every(({ priceMinor }, index) => priceMinor === sizes[index]?.priceMinor) &&
    plan.isActive === product.isActive &&
    plan.asideMilli === asideOf(product).asideMilli;
  return isSame ? { unchanged: true, product } : { plan, product };
}

/** Returns the prices of a product after a change of one of them; undefined for one of a size that it does not have. */
function pricesAfter(
  product: ProductRow,
  { size, price }: StockChange,
): Pick<StockPlan, 'priceMinor' | 'sizes'> | undefined {
  const sizes = [...sizesOf(product)];
  if (price === undefined) return { priceMinor: product.priceMinor, sizes };
  if (size === undefined) return { priceMinor: toMinor(price), sizes };
  const index = sizes.findIndex(({ id }) => id === size);
  const priced = sizes[index];
  if (!priced) return undefined;
  sizes[index] = { ...priced, priceMinor: toMinor(price) };
  const { priceMinor } = toSizesRow(sizes);
  return { priceMinor, sizes };
}

type Aside = Pick<StockPlan, 'asideMilli' | 'returnsAt'>;
const NOTHING: Aside = { asideMilli: null, returnsAt: null };

const asideOf = ({ asideMilli, returnsAt }: ProductRow): Aside =>
  asideMilli === null || returnsAt === null
    ? NOTHING
    : { asideMilli: Number(asideMilli), returnsAt: new Date(returnsAt) };

/** What returns in the morning after a change. A stock that was set without an end is all there is. */
function asideAfter(
  product: ProductRow,
  { quantityAvailable, untilMorning }: StockChange,
  now: Date,
): Aside {
  if (quantityAvailable === undefined) return asideOf(product);
  const leftMilli = Number(product.stockMilli);
  const isOther = toMilli(quantityAvailable) !== leftMilli;
  if (untilMorning && isOther) {
    return { asideMilli: leftMilli, returnsAt: nextMorning(zoneOf(product.farmer.farm), now) };
  }
  return isOther || (quantityAvailable === 0 && !untilMorning) ? NOTHING : asideOf(product);
}
