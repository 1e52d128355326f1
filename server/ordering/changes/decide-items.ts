import { canBeHadOn, isListed } from '#contract/catalogue/products/constants/products';
import { linesByPreference } from '#contract/ordering/changes/constants';
import type { ChangeItems } from '#contract/ordering/changes/order-changes';
import { type ShortagePreference, TOTAL_MAX_MINOR } from '#contract/platform/orders/constants';
import { inStockOf, takenMilli } from '#contract/platform/quantities/constants/pieces';
import { fromMilli, MILLI, toMilli } from '#contract/platform/quantities/constants/quantities';
import { goodsKey } from '#contract/platform/quantities/constants/sizes';
import { isOffered, isOfSteps, type Stocked } from '#contract/platform/quantities/constants/steps';
import { type Message, msg } from '#contract/platform/text/constants/texts';
import { findSize, type SizeRow } from '../../catalogue/products/sizes.ts';
import type { StockRow } from '../../catalogue/stock/stock-events.ts';
import { isDraftFarm } from '../../farm/farmers/policy.ts';
import { type AppError, invalidField, versionConflict } from '../../platform/http/errors.ts';
import type { Decision } from '../model/change-order.ts';
import type { StockedState } from '../model/lock.ts';
import { type OrderRow, presentOrder } from '../model/present.ts';
import { goodsOf, type LineRow, NEW_LINE, totalOf } from '../model/present-lines.ts';
import {
  isOverMaximum,
  isSeenBasis,
  isSeenPrice,
  type LineProblem,
  lineRefusal,
  orderRefusal,
  priceOf,
  rebasedTo,
} from '../model/refusal.ts';
import { isCountedAs, refuseSize, stockedIn } from '../model/sold.ts';
import {
  hasGoods,
  linesChange,
  nextPosition,
  type OpenStock,
  openStock,
  withQuantity,
} from './lines.ts';
import { openChange, packingBegun, refuseClosed, refused } from './refusals.ts';

/** What a consumer's new list is decided on. */
interface ItemsState extends StockedState {
  /** The farm's day, and that of the order, `YYYY-MM-DD`. */
  today: string;
  date: string;
  /** The last instant, exclusive, to change an order of that day; null where nothing limits it. */
  changesUntil: Date | null;
  /** The refusal of what is added, while the farm takes no orders. */
  paused: AppError | null;
  /** What the consumer wishes for new lines that say nothing of a shortage. */
  onShortDefault: ShortagePreference;
  newId: () => string;
}

export const OTHER_PRODUCT = msg('Choose another product of this farm.');

type Item = ChangeItems['items'][number];

/**
 * Decides on the whole new list of a consumer's order. The rules: the order is open, nothing waits for an answer, its
 * cut-off is ahead and packing has not begun; but what came in the place of another line by the consumer's wish can be
 * left out until it is packed. Nothing is added while the farm takes no orders. Each product stands in it once, in each
 * of its sizes. Of one that gets less the newest price goes first. What is added is checked, taken and priced like a
 * new order; what was there keeps its price, and can get less in a size in which nothing is sold any more. A product
 * that was deleted meanwhile cannot be named, and stays. A list of nothing is no change, but for an order in which
 * nothing else is left than what came by that wish: without it the order is cancelled.
 */
export function decideItems(state: ItemsState, { items, expectedVersion }: ChangeItems): Decision {
  const { order: before, now, by } = state;
  const closed = refuseClosed(before);
  if (closed) return { refusal: closed };
  if (expectedVersion !== undefined && expectedVersion !== before.version) {
    return { refusal: versionConflict(presentOrder(before)) };
  }
  if (before.proposals.length > 0) return { refusal: openChange(before) };
  if (state.paused && items.some((item) => addedMilliOf(before.lines, item) > 0)) {
    return { refusal: state.paused };
  }

  const stock = openStock(state.products);
  const lines = new Map(before.lines.map((line) => [line.id, line]));
  const draft: Draft = { ...state, lines, stock };
  const wanted = new Set(items.map(goodsKey));
  const problems: LineProblem[] = [];
  // What comes free first, so that it can be taken again within the same list.
  for (const line of before.lines) {
    const key = keyOf(line);
    if (key !== null && !wanted.has(key)) lower(draft, line, 0);
  }
  const getsMore = (item: Item) => Number(addedMilliOf(before.lines, item) > 0);
  const inTurn = [...items.entries()].sort(([, one], [, other]) => getsMore(one) - getsMore(other));
  for (const [line, item] of inTurn) {
    const product = state.products.get(item.product) ?? null;
    const size = product ? findSize(product, item.size) : undefined;
    const rebased = product ? rebasedTo(item, product, size) : undefined;
    const found = changeItem(draft, item, size);
    problems.push(...found.map((problem) => ({ line, product, size, rebased, ...problem })));
  }
  if (problems.length > 0) {
    return { refusal: lineRefusal(problems.sort((one, other) => one.line - other.line)) };
  }

  const after = [...lines.values()];
  const unfit = items.findIndex((item) => !isFitPreference(state, item, after));
  if (unfit >= 0) {
    return { refusal: invalidField(`items.${unfit}.preferredProduct`, OTHER_PRODUCT) };
  }
  const change = linesChange('buyer', before.lines, after);
  if (!hasGoods(after)) {
    if (!isWithdrawalOfPreference(before, after)) {
      return refuseItems(msg('Keep at least one product, or cancel the order.'));
    }
    if (before.packing === 'packed') return { refusal: packingBegun(before) };
    // A cancelled order keeps its lines as they were.
    const status = { to: 'cancelled', by, cause: 'all_left_out' } as const;
    return { plan: { at: now, by, before, change, ...stock.outcome(), status } };
  }
  const isSame = change.differences.length === 0;
  if (isSame && !preferencesDiffer(before.lines, after)) return { unchanged: before };
  if (!isSame && !isWithdrawalOfPreference(before, after)) {
    const late = refuseLate(state);
    if (late) return { refusal: late };
  }
  if (before.packing === 'packed') return { refusal: packingBegun(before) };
  const total = totalOf(after);
  if (total > TOTAL_MAX_MINOR) return { refusal: orderRefusal('TOTAL_TOO_LARGE') };
  if (total === 0) return refuseItems(msg('That is too little for an order.'));
  return {
    plan: {
      at: now,
      by,
      before,
      lines: after,
      change: isSame ? linesChange('wish', before.lines, after) : change,
      ...stock.outcome(),
    },
  };
}

const refuseItems = (message: Message) => ({ refusal: invalidField('items', message) });

function refuseLate({ order, now, changesUntil }: ItemsState): AppError | undefined {
  if (order.packing !== 'none') return packingBegun(order);
  if (changesUntil === null || now < changesUntil) return undefined;
  const message = msg(
    'It is too late to change this order. Write to the farm if something is wrong.',
  );
  return refused(order, 'CUTOFF_PASSED', message);
}

/** The new list while it is made: its lines, and what they take from the stock and give back. */
interface Draft extends ItemsState {
  lines: Map<string, LineRow>;
  stock: OpenStock;
}

/** Takes from a line, back to the stock. */
function lower({ lines, stock }: Draft, line: LineRow, quantityMilli: number): void {
  if (line.quantityMilli === quantityMilli) return;
  stock.give(line, line.quantityMilli - quantityMilli);
  lines.set(line.id, withQuantity(line, quantityMilli));
}

/** Returns the product and size of a line; null where the product is gone. */
const keyOf = ({ productId, sizeId }: LineRow): string | null =>
  productId === null ? null : goodsKey({ product: productId, size: sizeId ?? undefined });

/** Returns the lines of an item's product and size. */
const ownLines = (lines: readonly LineRow[], item: Item): LineRow[] =>
  lines.filter((line) => keyOf(line) === goodsKey(item));

const presentIn = (own: readonly LineRow[]): number =>
  own.reduce((sum, { quantityMilli }) => sum + quantityMilli, 0);

/** Returns how much more of its goods an item wants than the order has; less than 0 for less. */
const addedMilliOf = (lines: readonly LineRow[], item: Item): number =>
  toMilli(item.quantity) - presentIn(ownLines(lines, item));

/** What is wrong with an item. */
type Problem = Pick<LineProblem, 'code' | 'othersMilli'>;

/** Makes the lines of a product and size as an item wants them. @returns what is wrong with it */
function changeItem(draft: Draft, item: Item, size: SizeRow | undefined): Problem[] {
  const own = ownLines([...draft.lines.values()], item);
  const moreMilli = toMilli(item.quantity) - presentIn(own);
  const problems = moreMilli === 0 ? [] : problemsOf(draft, item, own, size);
  if (problems.length > 0) return problems;
  if (moreMilli < 0) takeOff(draft, own, -moreMilli);
  if (moreMilli > 0) addTo(draft, item, own, size);
  writePreference(draft, item, new Set(own.map(({ id }) => id)));
  return [];
}

/** Lowers the lines of a product, the newest price first. */
function takeOff(draft: Draft, own: readonly LineRow[], lessMilli: number): void {
  let leftMilli = lessMilli;
  for (const line of [...own].sort((one, other) => other.position - one.position)) {
    const offMilli = Math.min(leftMilli, line.quantityMilli);
    lower(draft, line, line.quantityMilli - offMilli);
    leftMilli -= offMilli;
  }
}

/** Adds goods at the price of today: to a line that has it, else in one of their own. */
function addTo(
  { products, lines, stock, newId }: Draft,
  item: Item,
  own: readonly LineRow[],
  size: SizeRow | undefined,
): void {
  const product = products.get(item.product);
  if (!product) return;
  const goods = goodsOf(product, size);
  const moreMilli = toMilli(item.quantity) - presentIn(own);
  stock.take(item.product, takenMilli(goods, moreMilli));
  const same = own.find(
    (line) =>
      line.priceMinor === goods.priceMinor &&
      line.unit === goods.unit &&
      line.pieceMilli === goods.pieceMilli &&
      line.contentMilli === goods.contentMilli &&
      line.takesStock === goods.takesStock &&
      line.replacesLineId === null,
  );
  if (same) {
    lines.set(same.id, withQuantity(same, same.quantityMilli + moreMilli));
    return;
  }
  const id = newId();
  const position = nextPosition([...lines.values()]);
  const quantities = { quantityMilli: moreMilli, orderedMilli: 0 };
  lines.set(id, { ...NEW_LINE, ...goods, id, position, ...quantities });
}

/** Writes the wish of an item into its lines; new ones without one get the consumer's own. */
function writePreference(
  { lines, onShortDefault }: Draft,
  item: Item,
  known: ReadonlySet<string>,
): void {
  const { onShort, preferredProduct } = item;
  for (const line of ownLines([...lines.values()], item)) {
    if (onShort === undefined && known.has(line.id)) continue;
    const preference = onShort ?? onShortDefault;
    const preferredProductId = (preference === 'specific' && preferredProduct) || null;
    if (line.onShort === preference && line.preferredProductId === preferredProductId) continue;
    lines.set(line.id, { ...line, onShort: preference, preferredProductId });
  }
}

/** Whether what is to come instead is another product of the farm. What was named before may be gone since. */
function isFitPreference(
  { order, products }: ItemsState,
  item: Item,
  after: readonly LineRow[],
): boolean {
  const { onShort, preferredProduct } = item;
  if (onShort !== 'specific' || preferredProduct === undefined) return true;
  const isKnown = ownLines(after, item).every(({ id }) =>
    order.lines.some((line) => line.id === id && line.preferredProductId === preferredProduct),
  );
  if (isKnown) return true;
  return (
    preferredProduct !== item.product && products.get(preferredProduct)?.farmerId === order.farmerId
  );
}

function preferencesDiffer(before: readonly LineRow[], after: readonly LineRow[]): boolean {
  const known = new Map(before.map((line) => [line.id, line]));
  return after.some(({ id, onShort, preferredProductId }) => {
    const was = known.get(id);
    return was && (was.onShort !== onShort || was.preferredProductId !== preferredProductId);
  });
}

function problemsOf(
  { order, products, today, date, stock, lines }: Draft,
  item: Item,
  own: readonly LineRow[],
  size: SizeRow | undefined,
): Problem[] {
  const product = products.get(item.product);
  const presentMilli = presentIn(own);
  const addedMilli = toMilli(item.quantity) - presentMilli;
  const problems: Problem[] = [];
  const unfit = product && refuseSize(product, item.size);
  const now = product && { ...product, contentMilli: size?.contentMilli ?? null };
  // Sums over what is counted otherwise are none: what is by now only gets less, as long as all of it is counted alike.
  if (now && !own.every((line) => isCountedAs(line, now))) {
    if (addedMilli > 0) return [{ code: unfit ?? 'PRICE_CHANGED' }];
    const isAlike = own.every((line) => own[0] && isCountedAs(line, own[0]));
    const isWhole = item.size === undefined || toMilli(item.quantity) % MILLI === 0;
    return isAlike && isWhole ? [] : [{ code: 'QUANTITY_NOT_OFFERED' }];
  }
  if (addedMilli > 0) {
    if (!product || !isListed(product, today) || isDraftFarm(product.farmer.farm)) {
      return [{ code: 'PRODUCT_UNAVAILABLE' }];
    }
    if (product.farmerId !== order.farmerId) return [{ code: 'OTHER_FARM' }];
    if (!canBeHadOn(product, date)) problems.push({ code: 'NOT_AVAILABLE_THEN' });
    if (unfit) return [...problems, { code: unfit }];
    if (!isSeenBasis(item.priceBasis, { ...product, ...size })) {
      return [...problems, { code: 'PRICE_CHANGED' }];
    }
    if (!isSeenPrice(item.price, { priceMinor: priceOf(product, size) })) {
      problems.push({ code: 'PRICE_CHANGED' });
    }
    const inStock = (milli: number) => takenMilli({ contentMilli: size?.contentMilli }, milli);
    const leftMilli = stock.leftOf(product.id);
    const othersMilli = othersOf([...lines.values()], product, own);
    if (leftMilli < inStock(addedMilli) && !product.isAlways) {
      problems.push({ code: 'OUT_OF_STOCK', othersMilli: product.stockMilli - leftMilli });
    } else if (isOverMaximum(product, othersMilli + inStock(toMilli(item.quantity)))) {
      problems.push({ code: 'OVER_MAXIMUM', othersMilli });
    }
  }
  // What is not sold so any more can get less by whole ones.
  const sold = product && (unfit ? { quantityAvailable: 0 } : stockedIn(product, size));
  if (sold && !isSold(item.quantity, presentMilli, sold)) {
    problems.push({ code: 'QUANTITY_NOT_OFFERED' });
  }
  return problems;
}

/** Returns what lines of a product have but an item's own, in thousandths of its stock. */
const othersOf = (lines: readonly LineRow[], product: StockRow, own: readonly LineRow[]): number =>
  lines
    .filter((line) => line.productId === product.id && !own.includes(line))
    .reduce((sum, line) => sum + (inStockOf(product, line, line.quantityMilli) ?? 0), 0);

/** Whether a quantity is one in which the product is sold; what is off its steps already may lose whole ones. */
function isSold(quantity: number, presentMilli: number, stocked: Stocked): boolean {
  if (isOffered(quantity, stocked)) return true;
  const lessMilli = presentMilli - toMilli(quantity);
  const wasOffered = isOffered(fromMilli(presentMilli), stocked);
  return lessMilli > 0 && !wasOffered && isOfSteps(fromMilli(lessMilli), stocked);
}

/**
 * Returns whether nothing changes but that goods go which came by the consumer's wish for a shortage. They were not
 * asked, so they may send these back until the order is packed.
 */
function isWithdrawalOfPreference(before: OrderRow, after: readonly LineRow[]): boolean {
  const came = linesByPreference(before.timeline);
  const known = new Map(before.lines.map((line) => [line.id, line.quantityMilli]));
  return after.every(({ id, quantityMilli }) => {
    const was = known.get(id);
    return was === quantityMilli || (came.has(id) && was !== undefined && quantityMilli < was);
  });
}
