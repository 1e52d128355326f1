import { canBeHadOn, isListed } from '#contract/catalogue/products/constants/products';
import { linesByWish } from '#contract/ordering/changes/constants/wishes';
import type { ChangeItems } from '#contract/ordering/changes/order-changes';
import { TOTAL_MAX_MINOR } from '#contract/ordering/orders/constants/order-limits';
import type { LineProblemCode } from '#contract/ordering/orders/constants/orders';
import type { ShortWish } from '#contract/platform/orders/constants';
import { countedIn } from '#contract/platform/quantities/constants/pieces';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { isOffered, isOfSteps } from '#contract/platform/quantities/constants/steps';
import { presentStocked } from '../../catalogue/products/present.ts';
import type { ShelfRow } from '../../catalogue/stock/stock-events.ts';
import { isDraftFarm } from '../../farm/farmers/policy.ts';
import type { PersonRow } from '../../people/users/present.ts';
import {
  AppError,
  invalidField,
  type AppError as Refusal,
  versionConflict,
} from '../../platform/http/errors.ts';
import { type OrderRow, presentOrder } from '../model/present.ts';
import { type LineRow, NEW_LINE, totalOf } from '../model/present-lines.ts';
import { type LineProblem, lineRefusal, orderRefusal } from '../model/refusal.ts';
import type { OrderPlan } from '../model/write.ts';
import { isSeenBasis, isSeenPrice, rebasedTo } from '../place/seen-price.ts';
import { ALL_LEFT_OUT } from './decide-close.ts';
import { pieceOf } from './decide-propose.ts';
import { hasGoods, linesChange, nextPosition, withQuantity } from './lines.ts';
import { openChange, packingBegun, refuseClosed } from './refusals.ts';
import { openShelf, type ShelfStock } from './shelf-stock.ts';

/** What a buyer's new list is decided on; the order and the products are locked. */
export interface ItemsState {
  now: Date;
  by: PersonRow;
  order: OrderRow;
  products: ReadonlyMap<string, ShelfRow>;
  /** The farm's day, and that of the order, `YYYY-MM-DD`. */
  today: string;
  date: string;
  /** The last instant, exclusive, to change an order of that day; null where nothing limits it. */
  changesUntil: Date | null;
  /** What the buyer wishes for new lines that say nothing of a shortage. */
  onShortDefault: ShortWish;
  newId: () => string;
}

export type ItemsDecision =
  | { refusal: Refusal }
  /** It is so already. */
  | { unchanged: OrderRow }
  | { plan: OrderPlan };

type Item = ChangeItems['items'][number];

/**
 * Decides on the whole new list of a buyer's order. The rules: the order is open, nothing waits for an answer,
 * its cut-off is ahead and packing has not begun; but what came in the place of another line by the buyer's
 * wish can be left out until it is packed. Of a product that gets less the newest price goes first. What is
 * added is checked, taken and priced like a new order; what was there keeps its price. A product that was
 * deleted meanwhile cannot be named, and stays. A list of nothing is no change, but for an order in which
 * nothing else is left than what came by that wish: without it the order is cancelled.
 */
export function decideItems(
  state: ItemsState,
  { items, expectedVersion }: ChangeItems,
): ItemsDecision {
  const { order: before, now, by } = state;
  const closed = refuseClosed(before);
  if (closed) return { refusal: closed };
  if (expectedVersion !== undefined && expectedVersion !== before.version) {
    return { refusal: versionConflict(presentOrder(before)) };
  }
  if (before.proposals.length > 0) return { refusal: openChange(before) };

  const shelf = openShelf(state.products);
  const lines = new Map(before.lines.map((line) => [line.id, line]));
  const wanted = new Map(items.map((item) => [item.product, item]));
  const problems: LineProblem[] = [];
  // What comes free first, so that it can be taken again within the same list.
  for (const line of before.lines) {
    if (line.productId !== null && !wanted.has(line.productId)) lower(lines, line, 0, shelf);
  }
  for (const [index, item] of items.entries()) {
    const codes = changeItem(state, item, lines, shelf);
    const product = state.products.get(item.product) ?? null;
    const rebased = product ? rebasedTo(item, product) : undefined;
    problems.push(...codes.map((code) => ({ line: index, code, product, rebased })));
  }
  if (problems.length > 0) return { refusal: lineRefusal(problems) };

  const after = [...lines.values()];
  const unfit = items.findIndex((item) => !isFitWish(state, item, after));
  if (unfit >= 0) {
    return {
      refusal: invalidField(
        `items.${unfit}.preferredProduct`,
        'Choose another product of this farm.',
      ),
    };
  }
  const change = linesChange('buyer', before.lines, after);
  if (!hasGoods(after)) {
    if (!isWithdrawalOfWish(before, after)) {
      return {
        refusal: invalidField('items', 'Keep at least one product, or cancel the order.'),
      };
    }
    if (before.packing === 'packed') return { refusal: packingBegun(before) };
    // A cancelled order keeps its lines as they were.
    const status = { to: 'cancelled' as const, by, reason: ALL_LEFT_OUT };
    return { plan: { at: now, by, before, change, ...shelf.outcome(), status } };
  }
  const isSame = change.differences.length === 0;
  if (isSame && !wishesDiffer(before.lines, after)) return { unchanged: before };
  if (!isSame && !isWithdrawalOfWish(before, after)) {
    const late = refuseLate(state);
    if (late) return { refusal: late };
  }
  if (before.packing === 'packed') return { refusal: packingBegun(before) };
  const total = totalOf(after);
  if (total > TOTAL_MAX_MINOR) return { refusal: orderRefusal('TOTAL_TOO_LARGE') };
  if (total === 0) return { refusal: invalidField('items', 'That is too little for an order.') };
  return {
    plan: {
      at: now,
      by,
      before,
      lines: after,
      change: isSame ? linesChange('wish', before.lines, after) : change,
      ...shelf.outcome(),
    },
  };
}

function refuseLate({ order, now, changesUntil }: ItemsState): Refusal | undefined {
  if (order.packing !== 'none') return packingBegun(order);
  if (changesUntil === null || now < changesUntil) return undefined;
  return new AppError(
    409,
    'CUTOFF_PASSED',
    'It is too late to change this order. Write to the farm if something is wrong.',
    { data: presentOrder(order) },
  );
}

/** Takes from a line, back to the shelf. */
function lower(
  lines: Map<string, LineRow>,
  line: LineRow,
  toMilliQuantity: number,
  shelf: ShelfStock,
): void {
  if (line.quantityMilli === toMilliQuantity) return;
  shelf.give(line, line.quantityMilli - toMilliQuantity);
  lines.set(line.id, withQuantity(line, toMilliQuantity));
}

/** Makes the lines of a product as an item wants them. @returns what is wrong with it */
function changeItem(
  state: ItemsState,
  item: Item,
  lines: Map<string, LineRow>,
  shelf: ShelfStock,
): LineProblemCode[] {
  const own = [...lines.values()].filter(({ productId }) => productId === item.product);
  const presentMilli = own.reduce((sum, { quantityMilli }) => sum + quantityMilli, 0);
  const wantedMilli = toMilli(item.quantity);
  const product = state.products.get(item.product);
  if (wantedMilli !== presentMilli) {
    const codes = problemsOf(state, item, product, { own, presentMilli, shelf });
    if (codes.length > 0) return codes;
  }
  if (wantedMilli < presentMilli) takeOff(lines, own, presentMilli - wantedMilli, shelf);
  else if (product && wantedMilli > presentMilli) {
    addTo(state, product, wantedMilli - presentMilli, { lines, own, shelf });
  }
  writeWish(lines, item, state.onShortDefault, new Set(own.map(({ id }) => id)));
  return [];
}

/** Lowers the lines of a product, the newest price first. */
function takeOff(
  lines: Map<string, LineRow>,
  own: readonly LineRow[],
  lessMilli: number,
  shelf: ShelfStock,
): void {
  let leftMilli = lessMilli;
  for (const line of [...own].sort((one, other) => other.position - one.position)) {
    const offMilli = Math.min(leftMilli, line.quantityMilli);
    lower(lines, line, line.quantityMilli - offMilli, shelf);
    leftMilli -= offMilli;
  }
}

/** Adds goods at the price of today: to a line that has it, else in one of their own. */
function addTo(
  { newId }: ItemsState,
  product: ShelfRow,
  moreMilli: number,
  {
    lines,
    own,
    shelf,
  }: { lines: Map<string, LineRow>; own: readonly LineRow[]; shelf: ShelfStock },
): void {
  shelf.take(product.id, moreMilli);
  const pieces = pieceOf(product);
  const same = own.find(
    (line) =>
      line.priceMinor === product.priceMinor &&
      line.unit === product.unit &&
      line.pieceMilli === pieces.pieceMilli &&
      line.replacesLineId === null,
  );
  if (same) {
    lines.set(same.id, withQuantity(same, same.quantityMilli + moreMilli));
    return;
  }
  const id = newId();
  lines.set(id, {
    ...NEW_LINE,
    ...pieces,
    id,
    position: nextPosition([...lines.values()]),
    productId: product.id,
    name: product.name,
    image: product.images[0] ?? null,
    unit: product.unit,
    priceMinor: product.priceMinor,
    quantityMilli: moreMilli,
    orderedMilli: 0,
  });
}

/** Writes the wish of an item into the lines of its product; new ones without one get the buyer's own. */
function writeWish(
  lines: Map<string, LineRow>,
  { product, onShort, preferredProduct }: Item,
  onShortDefault: ShortWish,
  known: ReadonlySet<string>,
): void {
  for (const line of lines.values()) {
    if (line.productId !== product || (onShort === undefined && known.has(line.id))) continue;
    const wish = onShort ?? onShortDefault;
    const preferredProductId = (wish === 'specific' && preferredProduct) || null;
    if (line.onShort === wish && line.preferredProductId === preferredProductId) continue;
    lines.set(line.id, { ...line, onShort: wish, preferredProductId });
  }
}

/** Whether what is to come instead is another product of the farm. What was named before may be gone since. */
function isFitWish(
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

const wishesDiffer = (before: readonly LineRow[], after: readonly LineRow[]): boolean =>
  after.some((line) =>
    before.some(
      ({ id, onShort, preferredProductId }) =>
        id === line.id &&
        (onShort !== line.onShort || preferredProductId !== line.preferredProductId),
    ),
  );

function problemsOf(
  { order, today, date }: ItemsState,
  item: Item,
  product: ShelfRow | undefined,
  {
    own,
    presentMilli,
    shelf,
  }: { own: readonly LineRow[]; presentMilli: number; shelf: ShelfStock },
): LineProblemCode[] {
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
    if (shelf.leftOf(product.id) < addedMilli) codes.push('OUT_OF_STOCK');
  }
  if (product && !isSold(item.quantity, presentMilli, product)) codes.push('QUANTITY_NOT_OFFERED');
  return codes;
}

/** Whether a quantity is one in which the product is sold; what is off its steps already may lose whole ones. */
function isSold(quantity: number, presentMilli: number, product: ShelfRow): boolean {
  const stocked = presentStocked(product);
  if (isOffered(quantity, stocked)) return true;
  const lessMilli = presentMilli - toMilli(quantity);
  const wasOffered = isOffered(fromMilli(presentMilli), stocked);
  return lessMilli > 0 && !wasOffered && isOfSteps(fromMilli(lessMilli), stocked);
}

/**
 * Returns whether nothing changes but that goods go which came by the buyer's wish for a shortage. They were not
 * asked, so they may send these back until the order is packed.
 */
function isWithdrawalOfWish(before: OrderRow, after: readonly LineRow[]): boolean {
  const came = linesByWish(before.timeline);
  const known = new Map(before.lines.map((line) => [line.id, line.quantityMilli]));
  return after.every(({ id, quantityMilli }) => {
    const was = known.get(id);
    return was === quantityMilli || (came.has(id) && was !== undefined && quantityMilli < was);
  });
}
