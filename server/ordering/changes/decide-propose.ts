import { isListed } from '#contract/catalogue/products/constants/products';
import { followsPreference } from '#contract/ordering/changes/constants';
import type { ProposedItem } from '#contract/ordering/changes/order-changes';
import { TOTAL_MAX_MINOR } from '#contract/platform/orders/constants';
import {
  countedIn,
  nameWithSize,
  quantityUnit,
  takenMilli,
} from '#contract/platform/quantities/constants/pieces';
import {
  estimateMinor,
  formatQuantity,
  fromMilli,
  MILLI,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { formatSteps } from '#contract/platform/quantities/constants/step-fields';
import { isOfSteps, type Steps } from '#contract/platform/quantities/constants/steps';
import { type Message, msg } from '#contract/platform/text/constants/texts';
import {
  type PieceRow,
  presentPieceWeight,
  presentStocked,
} from '../../catalogue/products/present.ts';
import {
  findSize,
  presentOrderedSize,
  presentUnitLabel,
  sizesOf,
} from '../../catalogue/products/sizes.ts';
import type { StockRow } from '../../catalogue/stock/stock-events.ts';
import {
  type AppError,
  conflict,
  invalidField,
  versionConflict,
} from '../../platform/http/errors.ts';
import { answerByOf, dayOf } from '../model/handover.ts';
import type { OrderState, StockedState } from '../model/lock.ts';
import { type OrderRow, presentOrder } from '../model/present.ts';
import {
  goodsOf,
  type LineRow,
  lineCost,
  type ProposalItemRow,
  type ProposalRow,
  presentLine,
  totalOf,
} from '../model/present-lines.ts';
import { isOverMaximum } from '../model/refusal.ts';
import { partOf, refuseSize, stockedIn } from '../model/sold.ts';
import type { OrderPlan } from '../model/write.ts';
import {
  applyItems,
  hasGoods,
  linesChange,
  newProposal,
  type OpenStock,
  openStock,
  proposalChange,
  reservedIn,
} from './lines.ts';
import { emptyStatusOf, handoverBegun, openChange, refuseClosed } from './refusals.ts';

/** What a proposal is decided on. */
export interface ProposeState extends StockedState {
  /** Minutes that the farm gives its consumers to answer. */
  farm: Pick<OrderState['farm'], 'answerMinutes'>;
}

/** What is proposed; ids are made beforehand. */
interface Proposing {
  id: string;
  items: readonly ProposedItem[];
  /** Returns a new id for the line of a substitute. */
  newId: () => string;
  note: string;
  batchId: string | null;
  expectedVersion?: number | undefined;
}

export type ProposeDecision =
  | { refusal: AppError }
  /** `proposal` is what now waits for an answer; none where all went by the consumer's wishes. */
  | { plan: OrderPlan; proposal: ProposalRow | null };

/**
 * Decides on what a farm wants to change of an order. The rules: the order is open; a proposal that is open
 * gives way only to somebody who has seen it, by the order's version; each line is one of the order, gets less
 * than it has or something else of the same farm that is there; what the consumer wished beforehand is applied at
 * once, and for the rest they are asked. Goods that are offered instead are taken off the stock by this.
 */
export function decidePropose(state: ProposeState, input: Proposing): ProposeDecision {
  const { now, by, order: before, products } = state;
  const closed = refuseClosed(before);
  if (closed) return { refusal: closed };
  const [open] = before.proposals;
  if (input.expectedVersion !== before.version) {
    if (open) return { refusal: openChange(before) };
    if (input.expectedVersion !== undefined) {
      return { refusal: versionConflict(presentOrder(before)) };
    }
  }

  const stock = openStock(products);
  for (const goods of reservedIn(before.proposals)) stock.give(goods, goods.quantityMilli);
  const items: Decided[] = [];
  for (const [index, item] of input.items.entries()) {
    const decided = decideItem(state, item, { index, newId: input.newId });
    if ('refusal' in decided) return decided;
    items.push(decided);
  }
  const applied = items.filter(({ isByPreference }) => isByPreference).map(({ row }) => row);
  const asked = items.filter(({ isByPreference }) => !isByPreference).map(({ row }) => row);

  const isThere = (id: string) => products.has(id);
  let lines = applyItems(before.lines, applied, () => 'accept', { stock, isThere });
  for (const [index, item] of input.items.entries()) {
    const line = before.lines.find(({ id }) => id === item.lineId);
    if (item.emptiesShelf) stock.empty(line?.productId ?? null);
    const taken = takeSubstitute(stock, items[index]?.row, products, index);
    if (taken) return { refusal: taken };
  }
  const isEmpty = !hasGoods(lines);
  // A refused order keeps its lines, as they were ordered.
  if (isEmpty) lines = [...before.lines];
  else if (lines.length > 0 && totalOf(lines) > TOTAL_MAX_MINOR) return { refusal: tooLarge() };

  const answerBy = asked.length > 0 ? answerByOf(before, now, state.farm.answerMinutes) : null;
  if (asked.length > 0 && answerBy === null) return { refusal: handoverBegun() };
  const proposed = applyItems(lines, asked, () => 'accept', {
    stock: openStock(new Map()),
    isThere,
  });
  if (totalOf(proposed) > TOTAL_MAX_MINOR) return { refusal: tooLarge() };
  const proposal: ProposalRow | null = answerBy && {
    ...newProposal(state, answerBy),
    ...{ id: input.id, note: input.note, batchId: input.batchId, items: asked },
    totalBeforeMinor: totalOf(lines),
    totalAfterMinor: totalOf(proposed),
  };
  const superseded = before.proposals.map((row) => ({ ...row, status: 'superseded' as const }));
  const byPreference = linesChange(
    'shortage',
    before.lines,
    isEmpty ? without(before.lines) : lines,
  );
  return {
    proposal,
    plan: {
      at: now,
      by,
      before,
      lines,
      change: proposal ? proposalChange(proposal, lines, proposed) : byPreference,
      earlier: proposal && applied.length > 0 ? [byPreference] : [],
      reason: input.note || null,
      proposals: [...superseded, ...(proposal ? [proposal] : [])],
      ...stock.outcome(),
      ...(isEmpty
        ? { status: { to: emptyStatusOf(before.status), by, cause: 'nothing_left' } }
        : {}),
    },
  };
}

const without = (lines: readonly LineRow[]) =>
  lines.map((line) => ({ ...line, quantityMilli: 0, finalMinor: null }));

const tooLarge = () =>
  invalidField('items', msg("That's over the limit for one order. Offer less of it."));

/** Takes the goods of a substitute. @returns why it cannot */
function takeSubstitute(
  stock: OpenStock,
  row: ProposalItemRow | undefined,
  products: ProposeState['products'],
  index: number,
): AppError | undefined {
  if (!row?.substitute) return undefined;
  const { substitute } = row;
  const { productId, quantityMilli } = substitute;
  const product = products.get(productId);
  if (!product || stock.take(productId, takenMilli(substitute, quantityMilli))) return undefined;
  const size = findSize(product, substitute.sizeId ?? undefined);
  const left = stockedIn(product, size, stock.leftOf(productId)).quantityAvailable;
  const name = nameOf(substitute);
  const message =
    left === 0
      ? msg('{name} is sold out.', { name })
      : msg('Only {quantity} of {name} left.', { quantity: countedOf(substitute, left), name });
  return conflict('OUT_OF_STOCK', message, [
    { path: `items.${index}.substitute.quantity`, message },
  ]);
}

/** What of a line, or of what is offered for one, says how it is counted. */
type Goods = PieceRow &
  Pick<LineRow, 'name' | 'unit' | 'unitLabel' | 'sizeId' | 'sizeLabel' | 'contentMilli'>;

/** Returns in what goods are counted: pieces of what is sold by the piece, and of sizes. */
const unitOf = (goods: Goods) =>
  quantityUnit({
    unit: goods.unit,
    ...presentUnitLabel(goods),
    pieceWeight: presentPieceWeight(goods),
    ...presentOrderedSize(goods),
  });

/** Returns so much of goods in words. */
const countedOf = (goods: Goods, quantity: number): string =>
  formatQuantity(quantity, unitOf(goods));

const nameOf = (goods: Goods): string => nameWithSize(goods.name, presentOrderedSize(goods).size);

interface Decided {
  row: ProposalItemRow;
  /** Whether the consumer wished for just this beforehand. */
  isByPreference: boolean;
}

function decideItem(
  state: ProposeState,
  item: ProposedItem,
  { index, newId }: { index: number; newId: () => string },
): Decided | { refusal: AppError } {
  const { order, products } = state;
  const refuse = (field: string, message: Message) => ({
    refusal: invalidField(`items.${index}.${field}`, message),
  });
  const line = order.lines.find(({ id }) => id === item.lineId);
  if (!line) return refuse('lineId', msg('Choose a line of this order.'));
  if (line.quantityMilli === 0)
    return refuse('lineId', msg('{name} was taken out already.', { name: nameOf(line) }));
  const base = {
    lineId: line.id,
    action: item.action,
    product: presentLine(line).product,
    ...presentOrderedSize(line),
    priceMinor: line.priceMinor,
    quantityMilli: line.quantityMilli,
    reason: item.reason,
    beforeMinor: lineCost(line),
  };
  const own = line.productId === null ? undefined : products.get(line.productId);
  const isByPreference = (afterMinor: number, isSameCategory = false) =>
    followsPreference(line.onShort, item.action, {
      isSameCategory,
      isDearer: afterMinor > base.beforeMinor,
    });

  if (item.action === 'remove') {
    return { row: { ...base, afterMinor: 0 }, isByPreference: isByPreference(0) };
  }
  if (item.action === 'reduce') {
    const newQuantityMilli = toMilli(item.newQuantity);
    if (newQuantityMilli >= line.quantityMilli) {
      return refuse(
        'newQuantity',
        msg('Enter less than {quantity} of {name}.', {
          quantity: countedOf(line, fromMilli(line.quantityMilli)),
          name: nameOf(line),
        }),
      );
    }
    if (!keepsSteps(order, line, newQuantityMilli, own)) {
      return refuse('newQuantity', howSold(order, line, own));
    }
    const afterMinor = estimateMinor({ ...line, quantityMilli: newQuantityMilli });
    if (afterMinor === 0) return refuse('newQuantity', msg('Take the line out instead.'));
    return {
      row: { ...base, newQuantityMilli, afterMinor },
      isByPreference: isByPreference(afterMinor),
    };
  }

  const { productId, quantity } = item.substitute;
  const product = products.get(productId);
  if (!product || product.farmerId !== order.farmerId) {
    return refuse('substitute.productId', msg('Choose one of your own products.'));
  }
  if (productId === line.productId) {
    return refuse(
      'substitute.productId',
      msg('Choose another product than the one that is missing.'),
    );
  }
  if (!isListed(product, dayOf(order))) {
    return refuse(
      'substitute.productId',
      msg('{name} is not for sale on that day.', { name: product.name }),
    );
  }
  const unfit = refuseSize(product, item.substitute.size);
  if (unfit) return refuse('substitute.size', whichSize(product, unfit));
  const size = findSize(product, item.substitute.size);
  const goods = goodsOf(product, size);
  const stocked = stockedIn(product, size);
  if (!isOfSteps(quantity, stocked)) {
    return refuse(
      'substitute.quantity',
      msg('You sell {name} {steps}.', {
        name: nameOf(goods),
        steps: formatSteps(stocked, unitOf(goods)),
      }),
    );
  }
  const substitute = { ...goods, lineId: newId(), quantityMilli: toMilli(quantity) };
  if (isOverMaximum({ maxOrderMilli: null }, takenMilli(goods, substitute.quantityMilli))) {
    return { refusal: tooLarge() };
  }
  const afterMinor = estimateMinor(substitute);
  if (afterMinor === 0) return refuse('substitute.quantity', msg('Offer more of it.'));
  return {
    row: { ...base, substitute, afterMinor },
    isByPreference: isByPreference(
      afterMinor,
      own?.category != null && own.category.id === product.category?.id,
    ),
  };
}

/**
 * Returns whether a line could be of a quantity, as its product is sold; of what is gone, or counted in another unit by
 * now, every one will do.
 */
function keepsSteps(
  order: OrderRow,
  line: LineRow,
  milli: number,
  product: StockRow | undefined,
): boolean {
  if (isInPieces(line)) return milli % MILLI === 0;
  if (!product || countedIn(product) !== countedIn(line)) return true;
  const steps = stepsFor(order, product);
  return isOfSteps(fromMilli(milli), steps) || !isOfSteps(fromMilli(line.quantityMilli), steps);
}

/** Returns in which steps lines of an order get less that are sold in the unit of a product. */
function stepsFor({ lines }: OrderRow, product: StockRow): Steps {
  if (sizesOf(product).length === 0) return presentStocked(product);
  const own = lines.filter((line) => line.productId === product.id && !isInPieces(line));
  return { step: fromMilli(partOf(own.map(({ quantityMilli }) => quantityMilli))) };
}

const isInPieces = ({ pieceMilli, contentMilli }: LineRow): boolean =>
  pieceMilli !== null || contentMilli !== null;

/** Returns a sentence on the quantities in which a line's product is sold. */
const howSold = (order: OrderRow, line: LineRow, product: StockRow | undefined): Message =>
  isInPieces(line) || !product
    ? msg('{name} is sold in whole pieces.', { name: nameOf(line) })
    : msg('{name} is sold {steps}.', {
        name: line.name,
        steps: formatSteps(stepsFor(order, product), unitOf(line)),
      });

const whichSize = ({ name }: StockRow, unfit: ReturnType<typeof refuseSize>): Message =>
  unfit === 'SIZE_REQUIRED'
    ? msg('{name} is sold in sizes. Choose one.', { name })
    : msg('You do not sell {name} in this size. Choose another one.', { name });
