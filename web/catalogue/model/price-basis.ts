import type { Unit } from '#contract/catalogue/products/products';
import type { PriceBasis } from '#contract/ordering/orders/orders';

/** Returns how a buyer saw goods sold, for the server to compare; nothing where that is not known. */
export const basisOf = ({
  unit,
  pieceWeight,
}: {
  unit?: Unit | undefined;
  pieceWeight?: { average: number } | undefined;
}): { priceBasis?: PriceBasis } =>
  unit
    ? {
        priceBasis: { unit, ...(pieceWeight && { pieceWeight: { average: pieceWeight.average } }) },
      }
    : {};
