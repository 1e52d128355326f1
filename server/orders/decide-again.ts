import type { AgainOutcome } from '#contract/orders';
import { isListed } from '../products/policy.ts';
import type { ShelfRow } from '../products/stock-events.ts';
import type { LineRow } from './present.ts';

/** One product of an order, as it was ordered and as it could be ordered again. */
export interface AgainLine {
  /** The line as it was ordered; with several lines of one product, the first. */
  line: LineRow;
  orderedMilli: number;
  /** The product as it is now; null when there is none any more. */
  product: ShelfRow | null;
  /** How much can be put into the cart, in thousandths of the unit. */
  quantityMilli: number;
  outcome: AgainOutcome;
}

/**
 * Decides what of an order can be ordered again, in its order and each product once. A product is gone
 * when it was deleted, is hidden, past its last day or sold out, or when its farm is gone. With fewer left
 * than were ordered, the price may have changed as well.
 */
export function decideAgain(
  lines: readonly LineRow[],
  state: {
    products: readonly ShelfRow[];
    /** The farm's account still exists. */
    isFarmOpen: boolean;
    /** The farm's day, `YYYY-MM-DD`. */
    today: string;
  },
): AgainLine[] {
  const products = new Map(state.products.map((product) => [product.id, product]));
  const again = new Map<string, AgainLine>();
  for (const line of lines) {
    const before = again.get(line.productId ?? line.id);
    const orderedMilli = (before?.orderedMilli ?? 0) + line.quantityMilli;
    const first = before?.line ?? line;
    const product = (line.productId !== null && products.get(line.productId)) || null;
    const isAvailable =
      product !== null &&
      state.isFarmOpen &&
      product.stockMilli > 0 &&
      isListed(product, state.today);
    const quantityMilli = isAvailable ? Math.min(orderedMilli, product.stockMilli) : 0;
    again.set(line.productId ?? line.id, {
      line: first,
      orderedMilli,
      product,
      quantityMilli,
      outcome: outcomeOf(quantityMilli, orderedMilli, product?.priceMinor !== first.priceMinor),
    });
  }
  return [...again.values()];
}

function outcomeOf(quantityMilli: number, orderedMilli: number, isRepriced: boolean): AgainOutcome {
  if (quantityMilli === 0) return 'gone';
  if (quantityMilli < orderedMilli) return 'fewer';
  return isRepriced ? 'price_changed' : 'added';
}
