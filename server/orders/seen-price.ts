import { fromMinor, toMinor } from '#contract/constants/money';
import { estimateMinor } from '#contract/constants/order-lines';
import { toMilli } from '#contract/constants/quantities';
import type { PriceBasis } from '#contract/orders';
import { presentPieceWeight } from '../products/present.ts';
import type { ShelfRow } from '../products/stock-events.ts';

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

/** Returns how a product is sold now, and what so much of it is expected to cost. */
export const presentBasis = (
  product: Priced & Parameters<typeof presentPieceWeight>[0],
  quantity: number,
) => ({
  unit: product.unit,
  pieceWeight: presentPieceWeight(product) ?? null,
  estimate: fromMinor(estimateMinor({ ...product, quantityMilli: toMilli(quantity) })),
});
