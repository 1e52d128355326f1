import type { StockChange } from '#contract/catalogue/products/products';
import { toMinor } from '#contract/platform/money/constants';
import { toMilli } from '#contract/platform/quantities/constants/quantities';
import type { StepProblem } from '#contract/platform/quantities/quantity';
import { zoneOf } from '../../farm/farmers/present.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { changeProblems } from '../products/change-problems.ts';
import {
  canChangeProduct,
  canSeeProduct,
  isHiddenByAdmin,
  isWithheld,
} from '../products/policy.ts';
import { type ProductRow as PresentedRow, visibilityOf } from '../products/present.ts';
import { nextMorning } from './return-stock.ts';

/** A product as its change is decided on. */
export interface ProductRow extends PresentedRow {
  isFarmSuspended: boolean;
}

/** What a change sets; every field is as it will be, changed or not. */
export interface StockPlan {
  stockMilli: number;
  /** What returns the next morning, and when; null in both or neither. */
  asideMilli: number | null;
  returnsAt: Date | null;
  priceMinor: number;
  isActive: boolean;
  /** The farmer took off the market what an admin has hidden: it stays inactive when it is shown again. */
  staysInactive: boolean;
}

/** Why a farm may not offer anything yet, for programs and for people. */
type Refusal = Record<'code' | 'message', string>;

export type StockDecision =
  | { refusal: 'NOT_FOUND' | 'FORBIDDEN' }
  /** Another stock was seen than there is: something was sold, or changed elsewhere. */
  | { refusal: 'STOCK_CHANGED'; product: ProductRow }
  /** An admin has hidden the product or suspended its farm, so it cannot be active. */
  | { refusal: 'WITHHELD'; product: ProductRow }
  /** It would come to the market, and the farm may not offer anything yet. */
  | { refusal: 'MAY_NOT_OFFER'; because: Refusal }
  /** The stock is no multiple of the product's step, or the price too low for its smallest order. */
  | { refusal: 'INVALID'; product: ProductRow; problem: StepProblem }
  /** The product is so already: nothing is to be done. */
  | { unchanged: ProductRow }
  | { plan: StockPlan; before: ProductRow };

/**
 * Decides whether a product gets another stock, price or visibility. A stock replaces only the one that
 * was seen, so that a sale at the same moment is never overwritten. The same stock again changes
 * nothing, whatever was seen: a repeat whose first answer was lost does no harm. Sold out (0 without
 * what was seen) always holds. Sold out until the morning sets the stock aside until then; another stock,
 * or sold out without an end, leaves nothing to return.
 */
export function decideStockChange(
  product: ProductRow | null,
  user: Pick<SessionUser, 'role' | 'membership'>,
  change: StockChange,
  { now, offerRefusal }: { now: Date; offerRefusal?: Refusal | undefined },
): StockDecision {
  const { quantityAvailable, seen, price, isActive } = change;
  const owned = product && visibilityOf(product);
  if (!product || !owned || !canSeeProduct(user, owned)) return { refusal: 'NOT_FOUND' };
  if (!canChangeProduct(user, owned)) return { refusal: 'FORBIDDEN' };
  if (isActive && isWithheld(product)) return { refusal: 'WITHHELD', product };
  if (isActive && !product.isActive && offerRefusal) {
    return { refusal: 'MAY_NOT_OFFER', because: offerRefusal };
  }
  const leftMilli = Number(product.stockMilli);
  const stockMilli = quantityAvailable === undefined ? leftMilli : toMilli(quantityAvailable);
  const isOther = stockMilli !== leftMilli;
  if (isOther && seen !== undefined && toMilli(seen) !== leftMilli) {
    return { refusal: 'STOCK_CHANGED', product };
  }
  const [problem] = changeProblems(product, { quantityAvailable, price });
  if (problem) return { refusal: 'INVALID', product, problem };
  const plan = {
    stockMilli,
    ...asideAfter(product, change, now),
    priceMinor: price === undefined ? product.priceMinor : toMinor(price),
    isActive: isActive ?? product.isActive,
    staysInactive: isActive === false && isHiddenByAdmin(product),
  };
  const isSame =
    !isOther &&
    !plan.staysInactive &&
    plan.priceMinor === product.priceMinor &&
    plan.isActive === product.isActive &&
    plan.asideMilli === asideOf(product).asideMilli;
  return isSame ? { unchanged: product } : { plan, before: product };
}

type Aside = Pick<StockPlan, 'asideMilli' | 'returnsAt'>;
const NOTHING: Aside = { asideMilli: null, returnsAt: null };

const asideOf = ({ asideMilli, returnsAt }: ProductRow): Aside =>
  asideMilli === null || returnsAt === null
    ? NOTHING
    : { asideMilli: Number(asideMilli), returnsAt: new Date(returnsAt) };

/** What returns in the morning after a change. A stock that was set without an end is all there is. */
function asideAfter(
  product: ProductRow,
  { quantityAvailable, untilMorning }: StockChange,
  now: Date,
): Aside {
  if (quantityAvailable === undefined) return asideOf(product);
  const leftMilli = Number(product.stockMilli);
  const isOther = toMilli(quantityAvailable) !== leftMilli;
  if (untilMorning && isOther) {
    return { asideMilli: leftMilli, returnsAt: nextMorning(zoneOf(product.farmer.farm), now) };
  }
  return isOther || (quantityAvailable === 0 && !untilMorning) ? NOTHING : asideOf(product);
}
