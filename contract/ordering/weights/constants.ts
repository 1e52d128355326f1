import type { Calls } from '#contract/platform/http/constants';
import { expectedMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { isWeightUnit, SLIP_FACTOR } from '#contract/platform/quantities/constants/units';

export const weightsApi = {
  weigh: { method: 'PUT', path: '/orders/:id/lines/:lineId/weight' },
  weighAll: { method: 'PUT', path: '/farm/weights' },
} as const satisfies Calls;

/** A slip makes ten times of what something really weighs, which may be half or twice of what is expected. */
const UNLIKELY_FACTOR = 5;
/** Where a farm does not say what a piece weighs at least and most, a weight this many times off is worth a look. */
const ODD_FACTOR = 2;

/** Returns whether a line of an order can be weighed: it is priced by weight, and in no size, which is packed beforehand. */
export const isWeighable = ({
  product,
  size,
}: {
  product: { unit: string };
  size?: unknown;
}): boolean => isWeightUnit(product.unit) && size === undefined;

/** A line of an order that is weighed, in thousandths. */
export interface WeighableLine {
  /** Of pieces where `pieceMilli` says what one weighs, else of the unit. */
  quantityMilli: number;
  pieceMilli: number | null;
  pieceMinMilli: number | null;
  pieceMaxMilli: number | null;
}

/** Returns a line of the wire as what is weighed. */
export const weighableLine = ({
  quantity,
  pieceWeight,
}: {
  quantity: number;
  pieceWeight?: { average: number; min?: number | undefined; max?: number | undefined } | undefined;
}): WeighableLine => ({
  quantityMilli: toMilli(quantity),
  pieceMilli: pieceWeight ? toMilli(pieceWeight.average) : null,
  pieceMinMilli: pieceWeight?.min === undefined ? null : toMilli(pieceWeight.min),
  pieceMaxMilli: pieceWeight?.max === undefined ? null : toMilli(pieceWeight.max),
});

/**
 * Returns what is wrong with a weight: `slip` for one that cannot be, which is refused, `unlikely` for one that is so
 * far off that the decimal point may have slipped, which needs confirming, and `odd` for one that is outside what its
 * pieces usually weigh, which is worth a second look. Undefined for nothing.
 */
export function weightDoubt(
  line: WeighableLine,
  packedMilli: number,
): 'slip' | 'unlikely' | 'odd' | undefined {
  const { quantityMilli, pieceMinMilli, pieceMaxMilli } = line;
  const expected = expectedMilli(line);
  if (packedMilli > expected * SLIP_FACTOR || packedMilli * SLIP_FACTOR < expected) return 'slip';
  if (packedMilli >= expected * UNLIKELY_FACTOR || packedMilli * UNLIKELY_FACTOR <= expected) {
    return 'unlikely';
  }
  const least =
    pieceMinMilli === null
      ? expected / ODD_FACTOR
      : expectedMilli({ quantityMilli, pieceMilli: pieceMinMilli });
  const most =
    pieceMaxMilli === null
      ? expected * ODD_FACTOR
      : expectedMilli({ quantityMilli, pieceMilli: pieceMaxMilli });
  return packedMilli < least || packedMilli > most ? 'odd' : undefined;
}

/**
 * Returns what a line may cost without the consumer's yes, in minor units: its estimate and the tolerance of the farm
 * on top, rounded down.
 */
export const limitMinor = (estimateMinor: number, tolerancePercent: number): number =>
  Number((BigInt(estimateMinor) * BigInt(100 + tolerancePercent)) / 100n);
