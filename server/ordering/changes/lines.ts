import { type ProposalStatus, returnsToStock } from '#contract/ordering/changes/constants';
import type { LinesChange, UnreturnedGoods } from '#contract/ordering/changes/order-lines';
import type { OrderChange } from '#contract/ordering/orders/order-timeline';
import { fromMinor } from '#contract/platform/money/constants';
import { type CountedRow, inStockOf } from '#contract/platform/quantities/constants/pieces';
import { fromMilli } from '#contract/platform/quantities/constants/quantities';
import { presentOrderedSize } from '../../catalogue/products/sizes.ts';
import type { StockRow } from '../../catalogue/stock/stock-events.ts';
import type { StockedState } from '../model/lock.ts';
import type { OrderRow } from '../model/present.ts';
import {
  differencesOf,
  isFinalLine,
  itemsOf,
  type LineRow,
  lineCost,
  NEW_LINE,
  orderedOf,
  type ProposalItemRow,
  type ProposalRow,
  presentNamed,
  type SubstituteRow,
  totalOf,
} from '../model/present-lines.ts';
import type { StockChange } from '../model/write.ts';

/** Returns whether something stands in an order. */
export const hasGoods = (lines: readonly LineRow[]): boolean =>
  lines.some(({ quantityMilli }) => quantityMilli > 0);

/** Returns a line with another quantity. What it weighed holds no more. */
export const withQuantity = (line: LineRow, quantityMilli: number): LineRow => ({
  ...line,
  orderedMilli: orderedOf(line),
  quantityMilli,
  packedMilli: null,
  finalMinor: null,
});

/** Returns the line of a substitute. A product that was deleted meanwhile is left out of it. */
const substituteLine = (
  { lineId, ...substitute }: SubstituteRow,
  replaced: LineRow,
  position: number,
  isThere: boolean,
): LineRow => ({
  ...NEW_LINE,
  ...substitute,
  id: lineId,
  position,
  productId: isThere ? substitute.productId : null,
  orderedMilli: 0,
  replacesLineId: replaced.id,
});

/** Returns the next free position after lines. */
export const nextPosition = (lines: readonly LineRow[]): number =>
  Math.max(0, ...lines.map(({ position }) => position)) + 1;

/**
 * What becomes of one line of a proposal: the consumer accepts it or leaves the line out; it is applied as it is
 * without an answer; or nothing comes of it.
 */
export type LineOutcome = 'accept' | 'leave_out' | 'expire' | 'drop';

/**
 * Applies items of a proposal to lines, and to the stock on which the goods of substitutes are reserved.
 * @returns the lines after it
 */
export function applyItems(
  lines: readonly LineRow[],
  items: readonly ProposalItemRow[],
  outcomeOf: (item: ProposalItemRow) => LineOutcome,
  { stock, isThere }: { stock: OpenStock; isThere: (productId: string) => boolean },
): LineRow[] {
  const after = new Map(lines.map((line) => [line.id, line]));
  for (const item of items) {
    const line = after.get(item.lineId);
    const outcome = outcomeOf(item);
    const { substitute, reason } = item;
    if (substitute && outcome !== 'accept') stock.give(substitute, substitute.quantityMilli);
    if (!line || outcome === 'drop') continue;
    if (item.action === 'overweight') {
      const changed = applyWeight(line, item, outcome);
      if (changed.quantityMilli === 0) stock.give(line, line.quantityMilli);
      after.set(line.id, changed);
      continue;
    }
    // It may have lost goods since then by another way.
    const proposedMilli = Math.min(item.newQuantityMilli ?? 0, line.quantityMilli);
    const keptMilli = outcome === 'leave_out' ? 0 : proposedMilli;
    if (reason && returnsToStock(reason)) stock.give(line, line.quantityMilli - keptMilli);
    // Of a reduced line that is left out, what was not short is there.
    else stock.give(line, proposedMilli - keptMilli);
    if (keptMilli !== line.quantityMilli) {
      const less = withQuantity(line, keptMilli);
      after.set(line.id, outcome === 'expire' ? notDearer(less, lineCost(line)) : less);
    }
    if (substitute && outcome === 'accept') {
      const all = [...after.values()];
      const added = substituteLine(
        substitute,
        line,
        nextPosition(all),
        isThere(substitute.productId),
      );
      after.set(added.id, added);
    }
  }
  return [...after.values()];
}

/** Less of what was weighed light can be dearer by its estimate. Without a yes it costs no more than before. */
const notDearer = (line: LineRow, costMinor: number): LineRow =>
  lineCost(line) > costMinor ? { ...line, finalMinor: costMinor } : line;

/** A yes takes the dearer weight; without an answer the line stays as it was weighed, up to the limit. */
function applyWeight(line: LineRow, item: ProposalItemRow, outcome: LineOutcome): LineRow {
  if (outcome === 'leave_out') return withQuantity(line, 0);
  if (outcome !== 'accept' || line.quantityMilli === 0) return line;
  return {
    ...line,
    packedMilli: item.packedMilli ?? line.packedMilli,
    finalMinor: item.afterMinor,
  };
}

/** Returns what all proposals have that are made of an order. */
export const newProposal = (
  { order, by, now }: Omit<StockedState, 'products'>,
  answerBy: Date,
) => ({
  status: 'open' as const,
  createdBy: by,
  createdAt: now.toISOString(),
  answerBy: answerBy.toISOString(),
  answeredBy: null,
  answeredAt: null,
  baseVersion: order.version,
});

const totals = (before: readonly LineRow[], after: readonly LineRow[]) => ({
  differences: differencesOf(before, after),
  totalBefore: fromMinor(totalOf(before)),
  totalAfter: fromMinor(totalOf(after)),
  ...(before.every(isFinalLine) ? {} : { isBeforeEstimate: true as const }),
  ...(after.every(isFinalLine) ? {} : { isAfterEstimate: true as const }),
});

/** Returns what happened to a proposal, as the timeline and events have it. */
export const proposalChange = (
  { id, status }: { id: string; status: ProposalStatus },
  before: readonly LineRow[],
  after: readonly LineRow[],
): Extract<OrderChange, { kind: 'proposal' }> => ({
  kind: 'proposal',
  proposal: id,
  status,
  ...totals(before, after),
});

/** Returns how lines changed without asking, as the timeline and events have it. */
export const linesChange = (
  cause: LinesChange['cause'],
  before: readonly LineRow[],
  after: readonly LineRow[],
): Extract<OrderChange, { kind: 'lines' }> => ({
  kind: 'lines',
  cause,
  ...totals(before, after),
});

/** Returns the products of an order's lines and of what its open proposal offers. */
export const productIdsOf = ({
  lines,
  proposals,
}: Pick<OrderRow, 'lines' | 'proposals'>): string[] =>
  [
    ...lines.map(({ productId }) => productId),
    ...proposals.flatMap(itemsOf).map(({ substitute }) => substitute?.productId ?? null),
  ].filter((id) => id !== null);

/** Returns the goods that open proposals of an order hold back. */
export const reservedIn = (proposals: readonly ProposalRow[]): SubstituteRow[] =>
  proposals
    .filter(({ status }) => status === 'open')
    .flatMap(itemsOf)
    .flatMap(({ substitute }) => substitute ?? []);

/** Goods of an order: a line of it, or what its proposal holds back. */
interface HeldGoods extends CountedRow {
  productId: string | null;
  name: string;
  sizeId?: string | null;
  sizeLabel?: string | null;
  unitLabel?: readonly string[];
  /** Absent of what an older server kept: they come from a stock. */
  takesStock?: boolean;
}

/** What a command does to the stock, added up in its order. Products that are gone take and give nothing. */
export interface OpenStock {
  /** Puts goods back, in thousandths of what they are counted in; see {@link inStockOf}. */
  give: (goods: HeldGoods, milli: number) => void;
  /** Takes from the stock, in thousandths of its unit. @returns false, with nothing taken, where there is too little */
  take: (productId: string, milli: number) => boolean;
  /** Takes all that is left. */
  empty: (productId: string | null) => void;
  leftOf: (productId: string) => number;
  /** Returns what changed, and what could not go back. */
  outcome: () => { stock: StockChange[]; unreturned: UnreturnedGoods[] };
}

/** Opens a book of products with the stock that was read of them. */
export function openStock(products: ReadonlyMap<string, StockRow>): OpenStock {
  const left = new Map([...products].map(([id, { stockMilli }]) => [id, Number(stockMilli)]));
  const leftOf = (id: string) => left.get(id) ?? 0;
  const emptied = new Set<string>();
  const unreturned: UnreturnedGoods[] = [];
  return {
    give: (goods, milli) => {
      const product = products.get(goods.productId ?? '');
      if (!product || milli === 0 || goods.takesStock === false || product.isAlways) return;
      const returnedMilli = inStockOf(product, goods, milli);
      if (returnedMilli === null) unreturned.push(presentUnreturned(goods, milli));
      else left.set(product.id, leftOf(product.id) + returnedMilli);
    },
    take: (id, milli) => {
      if (leftOf(id) < milli) return false;
      if (products.get(id)?.isAlways) return true;
      left.set(id, leftOf(id) - milli);
      return true;
    },
    empty: (id) => {
      if (id === null || !left.has(id) || products.get(id)?.isAlways) return;
      left.set(id, 0);
      emptied.add(id);
    },
    leftOf,
    outcome: () => ({
      unreturned,
      stock: [...products.values()].flatMap((product) => {
        const changeMilli = leftOf(product.id) - Number(product.stockMilli);
        const leavesNone = emptied.has(product.id) && leftOf(product.id) === 0;
        return changeMilli === 0 ? [] : [{ product, changeMilli, leavesNone }];
      }),
    }),
  };
}

const presentUnreturned = (goods: HeldGoods, milli: number): UnreturnedGoods => ({
  product: presentNamed(goods),
  ...presentOrderedSize(goods),
  quantity: fromMilli(milli),
  ...(goods.pieceMilli === null ? {} : { isByPiece: true }),
});
