import { toMilli } from '#contract/constants/quantities';
import { toMinor } from '#contract/http';
import type { StockChange } from '#contract/products';
import type { SessionUser } from '../http/sessions.ts';
import { changeProblems } from './change-problems.ts';
import { canChangeProduct, canSeeProduct, isHiddenByAdmin } from './policy.ts';
import type { ProductRow } from './present.ts';

/** What a change sets; every field is as it will be, changed or not. */
export interface StockPlan {
  stockMilli: number;
  priceMinor: number;
  isActive: boolean;
  /** The farmer took off the market what an admin has hidden: it stays inactive when it is shown again. */
  staysInactive: boolean;
}

export type StockDecision =
  | { refusal: 'NOT_FOUND' | 'FORBIDDEN' }
  /** Another stock was seen than there is: something was sold, or changed elsewhere. */
  | { refusal: 'STOCK_CHANGED'; product: ProductRow }
  /** An admin has hidden the product, so it cannot be active. */
  | { refusal: 'PRODUCT_HIDDEN'; product: ProductRow }
  /** The stock is no multiple of the product's step, or the price too low for its smallest order. */
  | { refusal: 'INVALID'; message: string }
  /** The product is so already: nothing is to be done. */
  | { unchanged: ProductRow }
  | { plan: StockPlan; before: ProductRow };

/**
 * Decides whether a product gets another stock, price or visibility. A stock replaces only the one that
 * was seen, so that a sale at the same moment is never overwritten. The same stock again changes
 * nothing, whatever was seen: a repeat whose first answer was lost does no harm. Sold out (0 without
 * what was seen) always holds.
 */
export function decideStockChange(
  product: ProductRow | null,
  user: Pick<SessionUser, 'role' | 'membership'>,
  { quantityAvailable, seen, price, isActive }: StockChange,
): StockDecision {
  const owned = product && { farmerId: product.farmer.id, isActive: product.isActive };
  if (!product || !owned || !canSeeProduct(user, owned)) return { refusal: 'NOT_FOUND' };
  if (!canChangeProduct(user, owned)) return { refusal: 'FORBIDDEN' };
  if (isActive && isHiddenByAdmin(product)) return { refusal: 'PRODUCT_HIDDEN', product };
  const leftMilli = Number(product.stockMilli);
  const stockMilli = quantityAvailable === undefined ? leftMilli : toMilli(quantityAvailable);
  const isOther = stockMilli !== leftMilli;
  if (isOther && seen !== undefined && toMilli(seen) !== leftMilli) {
    return { refusal: 'STOCK_CHANGED', product };
  }
  const [problem] = changeProblems(product, { quantityAvailable, price });
  if (problem) return { refusal: 'INVALID', message: problem.message };
  const plan = {
    stockMilli,
    priceMinor: price === undefined ? product.priceMinor : toMinor(price),
    isActive: isActive ?? product.isActive,
    staysInactive: isActive === false && isHiddenByAdmin(product),
  };
  const isSame =
    !isOther &&
    !plan.staysInactive &&
    plan.priceMinor === product.priceMinor &&
    plan.isActive === product.isActive;
  return isSame ? { unchanged: product } : { plan, before: product };
}
