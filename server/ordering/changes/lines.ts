import {
  type ProposalStatus,
  returnsToShelf,
  type ShortReason,
} from '#contract/ordering/changes/constants';
import type { LinesChange } from '#contract/ordering/changes/order-lines';
import { isOpenStatus } from '#contract/ordering/orders/constants';
import type { OrderChange } from '#contract/ordering/orders/order-timeline';
import { fromMinor } from '#contract/platform/money/constants';
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
  type SubstituteRow,
  totalOf,
} from '../model/present-lines.ts';
import type { ShelfStock } from './shelf-stock.ts';

/** Returns whether an order can change at all: it is neither refused nor over. */
export const isOpenOrder = ({ status }: Pick<OrderRow, 'status'>): boolean => isOpenStatus(status);

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
export const substituteLine = (
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
 * What becomes of one line of a proposal: the buyer accepts it or leaves the line out; it is applied as it is
 * without an answer; or nothing comes of it.
 */
export type LineOutcome = 'accept' | 'leave_out' | 'expire' | 'drop';

/**
 * Applies items of a proposal to lines, and to the shelf on which the goods of substitutes are reserved.
 * @returns the lines after it
 */
export function applyItems(
  lines: readonly LineRow[],
  items: readonly ProposalItemRow[],
  outcomeOf: (item: ProposalItemRow) => LineOutcome,
  { shelf, isThere }: { shelf: ShelfStock; isThere: (productId: string) => boolean },
): LineRow[] {
  const after = new Map(lines.map((line) => [line.id, line]));
  for (const item of items) {
    const line = after.get(item.lineId);
    const outcome = outcomeOf(item);
    const { substitute, reason } = item;
    if (substitute && outcome !== 'accept') shelf.give(substitute, substitute.quantityMilli);
    if (!line || outcome === 'drop') continue;
    if (item.action === 'overweight') {
      const changed = applyWeight(line, item, outcome);
      if (changed.quantityMilli === 0) shelf.give(line, line.quantityMilli);
      after.set(line.id, changed);
      continue;
    }
    // It may have lost goods since then by another way.
    const proposedMilli = Math.min(item.newQuantityMilli ?? 0, line.quantityMilli);
    const keptMilli = outcome === 'leave_out' ? 0 : proposedMilli;
    if (reason && returnsToShelf(reason)) shelf.give(line, line.quantityMilli - keptMilli);
    // Of a reduced line that is left out, what was not short is there.
    else shelf.give(line, proposedMilli - keptMilli);
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

/** Puts back all that stands in lines, as far as it is there. */
export function returnAll(
  lines: readonly LineRow[],
  shelf: ShelfStock,
  reasonOf: (line: LineRow) => ShortReason | undefined = () => undefined,
): void {
  for (const line of lines) {
    const reason = reasonOf(line);
    if (!reason || returnsToShelf(reason)) shelf.give(line, line.quantityMilli);
  }
}

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
