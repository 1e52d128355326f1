import type { AgainOutcome } from '#contract/orders';
import { isListed } from '../products/policy.ts';
import type { ShelfRow } from '../products/stock-events.ts';
import type { LineRow } from './present.ts';

/** One product of an order, as it was ordered and as it could be ordered again. */
export interface AgainLine {
  /** The line as it was ordered; with several lines of one product, the first. */
  line: LineRow;
  orderedQuantity: number;
  /** The product as it is now; null when there is none any more. */
  product: ShelfRow | null;
  /** How many can be put into the cart. */
  quantity: number;
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
    const orderedQuantity = (before?.orderedQuantity ?? 0) + line.quantity;
    const first = before?.line ?? line;
    const product = (line.productId !== null && products.get(line.productId)) || null;
    const isAvailable =
      product !== null &&
      state.isFarmOpen &&
      product.quantityAvailable > 0 &&
      isListed(product, state.today);
    const quantity = isAvailable ? Math.min(orderedQuantity, product.quantityAvailable) : 0;
    again.set(line.productId ?? line.id, {
      line: first,
      orderedQuantity,
      product,
      quantity,
      outcome: outcomeOf(quantity, orderedQuantity, product?.priceMinor !== first.priceMinor),
    });
  }
  return [...again.values()];
}

function outcomeOf(quantity: number, ordered: number, isRepriced: boolean): AgainOutcome {
  if (quantity === 0) return 'gone';
  if (quantity < ordered) return 'fewer';
  return isRepriced ? 'price_changed' : 'added';
}
