import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import { limitMinor, weightDoubt } from '#contract/ordering/weights/constants';
import { TOTAL_MAX_MINOR } from '#contract/platform/orders/constants';
import {
  estimateMinor,
  lineCostMinor,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { isWeightUnit, QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import type { OrderRow } from '../model/present.ts';
import { itemsOf, type LineRow, lineCost, totalOf } from '../model/present-lines.ts';

/** What the database holds of one line; only the sum of many pieces can be more. */
const PACKED_MAX_MILLI = toMilli(QUANTITY_MAX);

/** What somebody says that a line weighs. */
export interface Weighing {
  lineId: string;
  packedMilli: number;
  /** What it weighed before as they know it, null for nothing; absent where they do not say. */
  knownMilli?: number | null | undefined;
  /** What is wanted where it costs more than the buyer expects; up to the limit alone if absent. */
  overweight?: 'limit' | 'ask' | undefined;
}

/** What the decision needs to know beside the order. */
export interface WeighingTerms {
  /** The farm's tolerance. */
  tolerancePercent: number;
  /** Whether the buyer still has time to answer a proposal. */
  canAsk: boolean;
}

/** Why a weight is not taken. */
export type WeightRefusal =
  | { code: 'NOT_FOUND' }
  | { code: 'ORDER_NOT_OPEN'; status: OrderStatus }
  | { code: 'LINE_REMOVED' | 'NOT_BY_WEIGHT' | 'OPEN_CHANGE' | 'TOO_LATE_TO_ASK'; line: LineRow }
  /** Somebody else has weighed it: it weighs something else than they know. */
  | { code: 'WEIGHED_MEANWHILE'; line: LineRow }
  /** It cannot weigh that: the decimal point or the unit is wrong. `costMinor` is what it would cost. */
  | { code: 'SLIP'; line: LineRow; costMinor: number }
  | { code: 'COSTS_NOTHING' | 'TOTAL_TOO_LARGE'; line: LineRow };

export type WeightDecision =
  | { refusal: WeightRefusal }
  /** It weighs that already. */
  | { unchanged: LineRow }
  /** The line as it is after it. `askedMinor` is the price that needs the buyer's yes, where they are asked. */
  | { line: LineRow; askedMinor: number | null };

/**
 * Decides what a line of an order costs by what it weighs. The rules, in this order: the order is accepted and not
 * handed over yet; the line is still there and sold by weight; the farm does not just propose something else for
 * it; it was not weighed by somebody else meanwhile; it does not weigh ten times what is expected, or a tenth; it
 * costs something. What is above the tolerance is not charged without the buyer's yes: the line costs as much as
 * the limit says, be they asked or not. Nor is it once the buyer has not said yes to a dearer line.
 */
export function decideWeight(
  order: Pick<OrderRow, 'status' | 'lines' | 'proposals'>,
  { lineId, packedMilli, knownMilli, overweight }: Weighing,
  { tolerancePercent, canAsk }: WeighingTerms,
): WeightDecision {
  const line = order.lines.find(({ id }) => id === lineId);
  if (!line) return { refusal: { code: 'NOT_FOUND' } };
  if (order.status !== 'accepted') {
    return { refusal: { code: 'ORDER_NOT_OPEN', status: order.status } };
  }
  if (line.quantityMilli === 0) return { refusal: { code: 'LINE_REMOVED', line } };
  if (!isWeightUnit(line.unit)) return { refusal: { code: 'NOT_BY_WEIGHT', line } };
  const isChanging = order.proposals.flatMap(itemsOf).some((item) => item.lineId === lineId);
  const isAsked = isChanging && isOverweightOnly(order);
  if (isChanging && !isAsked) return { refusal: { code: 'OPEN_CHANGE', line } };
  if (packedMilli === line.packedMilli && overweight === undefined) return { unchanged: line };
  if (knownMilli !== undefined && knownMilli !== line.packedMilli) {
    return { refusal: { code: 'WEIGHED_MEANWHILE', line } };
  }
  const costMinor = lineCostMinor(line.priceMinor, packedMilli);
  if (packedMilli > PACKED_MAX_MILLI || weightDoubt(line, packedMilli) === 'slip')
    return { refusal: { code: 'SLIP', line, costMinor } };
  if (costMinor === 0) return { refusal: { code: 'COSTS_NOTHING', line } };

  const limit = Math.min(limitMinor(estimateMinor(line), tolerancePercent), heldMinor(line));
  const needsYes = costMinor > limit;
  const asks = needsYes && overweight === 'ask';
  if (asks && !canAsk) return { refusal: { code: 'TOO_LATE_TO_ASK', line } };
  if (asks && order.proposals.length > 0 && !isOverweightOnly(order)) {
    return { refusal: { code: 'OPEN_CHANGE', line } };
  }
  // A limit below the smallest amount would make it free.
  const finalMinor = needsYes ? Math.max(1, limit) : costMinor;
  const rest = totalOf(order.lines) - lineCost(line);
  if (rest + costMinor > TOTAL_MAX_MINOR) return { refusal: { code: 'TOTAL_TOO_LARGE', line } };
  const isSame = packedMilli === line.packedMilli && finalMinor === Number(line.finalMinor);
  if (isSame && asks === isAsked) return { unchanged: line };
  return { line: { ...line, packedMilli, finalMinor }, askedMinor: asks ? costMinor : null };
}

/** Returns what a line is held to in minor units, because it would be dearer without: less of it, or what it weighs. */
function heldMinor({ priceMinor, packedMilli, finalMinor }: LineRow): number {
  if (finalMinor === null) return Number.POSITIVE_INFINITY;
  const isHeld =
    packedMilli === null || Number(finalMinor) < lineCostMinor(priceMinor, packedMilli);
  return isHeld ? Number(finalMinor) : Number.POSITIVE_INFINITY;
}

/** Whether what is open of an order asks for nothing but the price of goods that weigh more than expected. */
export const isOverweightOnly = ({ proposals }: Pick<OrderRow, 'proposals'>): boolean =>
  proposals.flatMap(itemsOf).every(({ action }) => action === 'overweight');
