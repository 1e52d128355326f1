import { isListed } from '#contract/catalogue/products/constants/products';
import type { AgainOutcome } from '#contract/ordering/orders/constants/orders';
import { aboutMilli } from '#contract/platform/quantities/constants/pieces';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { floorToStep, minimumOf, mostOf } from '#contract/platform/quantities/constants/steps';
import { presentStocked } from '../../catalogue/products/present.ts';
import type { ShelfRow } from '../../catalogue/stock/stock-events.ts';
import { type LineRow, orderedOf } from '../model/present-lines.ts';

/** One product of an order, as it was ordered and as it could be ordered again. */
export interface AgainLine {
  /** The line as it was ordered; with several lines of one product, the first. */
  line: LineRow;
  /** As the product is counted now, as far as what was ordered says how much that is; 0 where it does not. */
  orderedMilli: number;
  /** The same as it was counted then. */
  countedMilli: number;
  /** The product as it is now; null when there is none any more. */
  product: ShelfRow | null;
  /** How much can be put into the cart, in thousandths of the unit. */
  quantityMilli: number;
  outcome: AgainOutcome;
}

/**
 * Decides what of an order can be ordered again, in its order and each product once. A product is gone
 * when it was deleted, is hidden, past its last day or sold out, or when its farm is gone. What is sold in other steps
 * now is rounded down to one. A price by another unit, or for pieces of another weight, is another price. With fewer left
 * than were ordered, or another quantity, the price may have changed as well. What was ordered in a unit that says nothing of
 * the present one, such as bunches of kg, is offered in the smallest quantity.
 */
export function decideAgain(
  lines: readonly LineRow[],
  state: {
    products: readonly ShelfRow[];
    /** The farm still exists and is in the market. */
    isFarmOpen: boolean;
    /** The farm's day, `YYYY-MM-DD`. */
    today: string;
  },
): AgainLine[] {
  const products = new Map(state.products.map((product) => [product.id, product]));
  const again = new Map<string, AgainLine>();
  for (const line of lines) {
    // What came in the place of another line is no wish of the buyer's; what ran short still is.
    if (line.replacesLineId !== null) continue;
    const before = again.get(line.productId ?? line.id);
    const first = before?.line ?? line;
    const product = (line.productId !== null && products.get(line.productId)) || null;
    const lineMilli = Math.max(line.quantityMilli, orderedOf(line));
    const orderedMilli =
      (before?.orderedMilli ?? 0) +
      (product ? (aboutMilli(lineMilli, line, product) ?? 0) : lineMilli);
    const countedMilli = (before?.countedMilli ?? 0) + (isSoldAs(line, first) ? lineMilli : 0);
    const isForSale = product !== null && state.isFarmOpen && isListed(product, state.today);
    const quantityMilli = isForSale ? againMilli(orderedMilli, product) : 0;
    again.set(line.productId ?? line.id, {
      line: first,
      orderedMilli,
      countedMilli,
      product,
      quantityMilli,
      outcome: outcomeOf(quantityMilli, orderedMilli, product, first),
    });
  }
  return [...again.values()];
}

/** Returns how much can be ordered: as much as before, down to the next step, and no less than can be had at once. */
function againMilli(orderedMilli: number, product: ShelfRow): number {
  const stocked = presentStocked(product);
  const most = mostOf(stocked);
  const wanted = floorToStep(fromMilli(orderedMilli), stocked);
  return toMilli(Math.min(most, Math.max(minimumOf(stocked), wanted)));
}

function outcomeOf(
  quantityMilli: number,
  orderedMilli: number,
  product: ShelfRow | null,
  line: LineRow,
): AgainOutcome {
  if (quantityMilli === 0 || product === null) return 'gone';
  if (product.stockMilli < orderedMilli) return 'fewer';
  if (quantityMilli !== orderedMilli) return 'quantity_changed';
  const isSamePrice = product.priceMinor === line.priceMinor && isSoldAs(line, product);
  return isSamePrice ? 'added' : 'price_changed';
}

type SoldAs = Pick<LineRow, 'unit' | 'pieceMilli'>;

/** Returns whether both are priced by the same unit and sold in the same way, by pieces of the same weight. */
export const isSoldAs = (one: SoldAs, other: SoldAs): boolean =>
  one.unit === other.unit && one.pieceMilli === other.pieceMilli;
