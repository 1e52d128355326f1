import { canBeHadOn, isListed } from '#contract/catalogue/products/constants/products';
import { linesByPreference } from '#contract/ordering/changes/constants';
import type { ChangeItems } from '#contract/ordering/changes/order-changes';
import type { LineProblemCode } from '#contract/ordering/orders/constants';
import { type ShortagePreference, TOTAL_MAX_MINOR } from '#contract/platform/orders/constants';
import { countedIn } from '#contract/platform/quantities/constants/pieces';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { isOffered, isOfSteps } from '#contract/platform/quantities/constants/steps';
import { type Message, msg } from '#contract/platform/text/constants/texts';
import { presentStocked } from '../../catalogue/products/present.ts';
import type { StockRow } from '../../catalogue/stock/stock-events.ts';
import { isDraftFarm } from '../../farm/farmers/policy.ts';
import { type AppError, invalidField, versionConflict } from '../../platform/http/errors.ts';
import type { Decision } from '../model/change-order.ts';
import type { StockedState } from '../model/lock.ts';
import { type OrderRow, presentOrder } from '../model/present.ts';
import { goodsOf, type LineRow, NEW_LINE, totalOf } from '../model/present-lines.ts';
import {
  isSeenBasis,
  isSeenPrice,
  type LineProblem,
  lineRefusal,
  orderRefusal,
  rebasedTo,
} from '../model/refusal.ts';
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
 * Decides on the whole new list of a consumer's order. The rules: the order is open, nothing waits for an answer,
 * its cut-off is ahead and packing has not begun; but what came in the place of another line by the consumer's
 * wish can be left out until it is packed. Nothing is added while the farm takes no orders. Of a product that gets
 * less the newest price goes first. What is added is checked, taken and priced like a new order; what was there keeps
 * its price. A product that was deleted meanwhile cannot be named, and stays. A list of nothing is no change, but for an
 * order in which nothing else is left than what came by that wish: without it the order is cancelled.
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
  const wanted = new Map(items.map((item) => [item.product, item]));
  const problems: LineProblem[] = [];
  // What comes free first, so that it can be taken again within the same list.
  for (const line of before.lines) {
    if (line.productId !== null && !wanted.has(line.productId)) lower(draft, line, 0);
  }
  for (const [index, item] of items.entries()) {
    const codes = changeItem(draft, item);
    const product = state.products.get(item.product) ?? null;
    const rebased = product ? rebasedTo(item, product) : undefined;
    problems.push(...codes.map((code) => ({ line: index, code, product, rebased })));
  }
  if (problems.length > 0) return { refusal: lineRefusal(problems) };

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

/** Returns how much more of a product an item wants than the order has; less than 0 for less. */
const addedMilliOf = (lines: readonly LineRow[], item: Item): number =>
  lines
    .filter(({ productId }) => productId === item.product)
    .reduce((more, { quantityMilli }) => more - quantityMilli, toMilli(item.quantity));

/** Makes the lines of a product as an item wants them. @returns what is wrong with it */
function changeItem(draft: Draft, item: Item): LineProblemCode[] {
  const own = [...draft.lines.values()].filter(({ productId }) => productId === item.product);
  const presentMilli = own.reduce((sum, { quantityMilli }) => sum + quantityMilli, 0);
  const moreMilli = toMilli(item.quantity) - presentMilli;
  const codes = moreMilli === 0 ? [] : problemsOf(draft, item, own, presentMilli);
  if (codes.length > 0) return codes;
  if (moreMilli < 0) takeOff(draft, own, -moreMilli);
  if (moreMilli > 0) addTo(draft, item.product, own, moreMilli);
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
  productId: string,
  own: readonly LineRow[],
  moreMilli: number,
): void {
  const product = products.get(productId);
  if (!product) return;
  stock.take(productId, moreMilli);
  const goods = goodsOf(product);
  const same = own.find(
    (line) =>
      line.priceMinor === goods.priceMinor &&
      line.unit === goods.unit &&
      line.pieceMilli === goods.pieceMilli &&
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

/** Writes the wish of an item into the lines of its product; new ones without one get the consumer's own. */
function writePreference(
  { lines, onShortDefault }: Draft,
  { product, onShort, preferredProduct }: Item,
  known: ReadonlySet<string>,
): void {
  for (const line of lines.values()) {
    if (line.productId !== product || (onShort === undefined && known.has(line.id))) continue;
    const preference = onShort ?? onShortDefault;
    const preferredProductId = (preference === 'specific' && preferredProduct) || null;
    if (line.onShort === preference && line.preferredProductId === preferredProductId) continue;
    lines.set(line.id, { ...line, onShort: preference, preferredProductId });
  }
}

/** Whether what is to come instead is another product of the farm. What was named before may be gone since. */
function isFitPreference(
  { order, products }: ItemsState,
  { product, onShort, preferredProduct }: Item,
  after: readonly LineRow[],
): boolean {
  if (onShort !== 'specific' || preferredProduct === undefined) return true;
  const isKnown = after
    .filter(({ productId }) => productId === product)
    .every(({ id }) =>
      order.lines.some((line) => line.id === id && line.preferredProductId === preferredProduct),
    );
  if (isKnown) return true;
  return (
    preferredProduct !== product && products.get(preferredProduct)?.farmerId === order.farmerId
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
  { order, products, today, date, stock }: Draft,
  item: Item,
  own: readonly LineRow[],
  presentMilli: number,
): LineProblemCode[] {
  const product = products.get(item.product);
  const addedMilli = toMilli(item.quantity) - presentMilli;
  const codes: LineProblemCode[] = [];
  const units = new Set([...own, ...(product ? [product] : [])].map(countedIn));
  // Sums over several units are none: what is counted otherwise by now only gets less, as long as it has one unit.
  if (product && units.size > 1) {
    const isOneUnit = new Set(own.map(countedIn)).size === 1;
    return addedMilli > 0 ? ['PRICE_CHANGED'] : isOneUnit ? [] : ['QUANTITY_NOT_OFFERED'];
  }
  if (addedMilli > 0) {
    if (!product || !isListed(product, today) || isDraftFarm(product.farmer.farm)) {
      return ['PRODUCT_UNAVAILABLE'];
    }
    if (product.farmerId !== order.farmerId) return ['OTHER_FARM'];
    if (!canBeHadOn(product, date)) codes.push('NOT_AVAILABLE_THEN');
    if (!isSeenBasis(item.priceBasis, product)) return [...codes, 'PRICE_CHANGED'];
    if (!isSeenPrice(item.price, product)) codes.push('PRICE_CHANGED');
    if (stock.leftOf(product.id) < addedMilli) codes.push('OUT_OF_STOCK');
  }
  if (product && !isSold(item.quantity, presentMilli, product)) codes.push('QUANTITY_NOT_OFFERED');
  return codes;
}

/** Whether a quantity is one in which the product is sold; what is off its steps already may lose whole ones. */
function isSold(quantity: number, presentMilli: number, product: StockRow): boolean {
  const stocked = presentStocked(product);
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
