import { countedIn } from '#contract/platform/quantities/constants/pieces';
import { MILLI } from '#contract/platform/quantities/constants/quantities';
import type { Stocked } from '#contract/platform/quantities/constants/steps';
import { presentStocked, type StockedRow } from '../../catalogue/products/present.ts';
import { findSize, type SizeRow, sizesOf } from '../../catalogue/products/sizes.ts';
import type { StockRow } from '../../catalogue/stock/stock-events.ts';
import type { LineRow } from './present-lines.ts';

// How a product is sold by now, in one of its sizes where it has some.

/**
 * Returns how much of a product can be ordered while so much is left of its stock, and in which steps: of a size so many
 * pieces.
 */
export const stockedIn = (
  product: StockedRow,
  size: SizeRow | undefined,
  leftMilli = Number(product.stockMilli),
): Stocked =>
  size
    ? { quantityAvailable: Math.floor(leftMilli / size.contentMilli), minimum: size.minimum }
    : presentStocked({ ...product, stockMilli: leftMilli });

/** Returns why a product cannot be ordered in a size, or without one; nothing where it can. */
export function refuseSize(
  product: Pick<StockRow, 'sizes'>,
  size: string | undefined,
): 'SIZE_REQUIRED' | 'SIZE_UNAVAILABLE' | undefined {
  if (size === undefined) return sizesOf(product).length > 0 ? 'SIZE_REQUIRED' : undefined;
  return findSize(product, size)?.isActive ? undefined : 'SIZE_UNAVAILABLE';
}

/** What of goods says what a quantity of them is. */
type Counted = Pick<LineRow, 'unit' | 'pieceMilli' | 'contentMilli'>;

/** Returns whether quantities of both can be added up: they count the same unit, or pieces of the same content. */
export const isCountedAs = (one: Counted, other: Counted): boolean =>
  countedIn(one) === countedIn(other) && one.contentMilli === other.contentMilli;

/**
 * Returns the largest whole part of a thousand that quantities are made of: 500 of 2,500. Of what was ordered in the unit
 * and is sold in sizes by now, nothing else says in which steps it was sold.
 */
export const partOf = (quantities: readonly number[]): number =>
  quantities.reduce((divisor, milli) => {
    let [whole, part] = [milli, divisor];
    while (whole % part !== 0) [whole, part] = [part, whole % part];
    return part;
  }, MILLI);
