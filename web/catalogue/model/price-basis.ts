import type { PriceBasis, Unit } from '#contract/catalogue/products/product';

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
