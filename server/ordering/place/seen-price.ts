import type { PriceBasis } from '#contract/catalogue/products/product';
import { fromMinor, toMinor } from '#contract/platform/money/constants';
import { aboutMilli } from '#contract/platform/quantities/constants/pieces';
import {
  estimateMinor,
  fromMilli,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { nearestOffered } from '#contract/platform/quantities/constants/steps';
import { QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import {
  presentPieceWeight,
  presentStocked,
  type StockedRow,
} from '../../catalogue/products/present.ts';
import type { ShelfRow } from '../../catalogue/stock/stock-events.ts';

type Priced = Pick<ShelfRow, 'priceMinor' | 'unit' | 'pieceMilli'>;

/** Returns whether the price that somebody saw is the one of a product; what they do not say is not held to it. */
export const isSeenPrice = (
  price: number | undefined,
  { priceMinor }: Pick<Priced, 'priceMinor'>,
): boolean => price === undefined || toMinor(price) === priceMinor;

/** Returns whether a product is sold as somebody saw it: per the same unit, and a piece of it weighs as much. */
export const isSeenBasis = (
  basis: PriceBasis | undefined,
  { unit, pieceMilli }: Pick<Priced, 'unit' | 'pieceMilli'>,
): boolean =>
  basis === undefined ||
  (basis.unit === unit &&
    (basis.pieceWeight ? toMilli(basis.pieceWeight.average) : null) === pieceMilli);

/**
 * Returns how much of a product somebody wants who saw it sold otherwise: the nearest quantity in which it can be
 * ordered now, null where what they asked for does not say how much that is.
 * @returns nothing where it is sold as they saw it
 */
export function rebasedTo(
  { quantity, priceBasis: basis }: { quantity: number; priceBasis?: PriceBasis | undefined },
  product: Priced & StockedRow,
): { quantity: number | null } | undefined {
  if (!basis || isSeenBasis(basis, product)) return undefined;
  const { unit, pieceWeight } = basis;
  const seen = { unit, pieceMilli: pieceWeight ? toMilli(pieceWeight.average) : null };
  const milli = aboutMilli(toMilli(quantity), seen, product);
  const stocked = { ...presentStocked(product), quantityAvailable: QUANTITY_MAX };
  return { quantity: milli === null ? null : nearestOffered(fromMilli(milli), stocked) };
}

/** Returns how a product is sold now, and what so much of it is expected to cost. */
export const presentBasis = (
  product: Priced & Parameters<typeof presentPieceWeight>[0],
  quantity: number | null,
) => ({
  unit: product.unit,
  pieceWeight: presentPieceWeight(product) ?? null,
  ...(quantity === null
    ? {}
    : { estimate: fromMinor(estimateMinor({ ...product, quantityMilli: toMilli(quantity) })) }),
});
