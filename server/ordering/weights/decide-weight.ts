import { randomUUID } from 'node:crypto';
import { isWeighable, limitMinor, weightDoubt } from '#contract/ordering/weights/constants';
import { formatMoney, fromMinor } from '#contract/platform/money/constants';
import { TOTAL_MAX_MINOR } from '#contract/platform/orders/constants';
import { nameWithSize } from '#contract/platform/quantities/constants/pieces';
import {
  estimateMinor,
  formatQuantity,
  fromMilli,
  lineCostMinor,
  MILLI,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import { type Message, msg } from '#contract/platform/text/constants/texts';
import { type AppError, conflict, invalidField, notFound } from '../../platform/http/errors.ts';
import { newProposal, proposalChange } from '../changes/lines.ts';
import { openChange, refused } from '../changes/refusals.ts';
import type { OrderState } from '../model/lock.ts';
import type { OrderRow } from '../model/present.ts';
import {
  itemsOf,
  type LineRow,
  lineCost,
  type ProposalItemRow,
  type ProposalRow,
  presentLine,
  totalOf,
} from '../model/present-lines.ts';
import type { OrderPlan } from '../model/write.ts';

/** What the database holds of one line; only the sum of many pieces can be more. */
const PACKED_MAX_MILLI = toMilli(QUANTITY_MAX);

/** What somebody says that a line weighs. */
export interface Weighing {
  lineId: string;
  packedMilli: number;
  /** What it weighed before as they know it, null for nothing; absent where they do not say. */
  knownMilli?: number | null | undefined;
  /** What is wanted where it costs more than the consumer expects; up to the limit alone if absent. */
  overweight?: 'limit' | 'ask' | undefined;
}

/** What the decision needs to know beside the order. */
interface WeighingTerms {
  /** As they are after the weights before this one, so that their sum stays within the largest total. */
  lines: readonly LineRow[];
  /** The farm's tolerance. */
  tolerancePercent: number;
  /** Whether the consumer still has time to answer a proposal. */
  canAsk: boolean;
}

type WeightDecision =
  /** A conflict of two people brings the order as it is now. */
  | { refusal: AppError }
  /** It weighs that already. */
  | { unchanged: LineRow }
  /** The line as it is after it. `askedMinor` is the price that needs the consumer's yes, where they are asked. */
  | { line: LineRow; askedMinor: number | null };

/**
 * Decides what a line of an order costs by what it weighs. The rules, in this order: the order is accepted and not
 * handed over yet; the line is still there and sold by weight; the farm does not just propose something else for
 * it; it was not weighed by somebody else meanwhile; it does not weigh ten times what is expected, or a tenth; it
 * costs something. What is above the tolerance is not charged without the consumer's yes: the line costs as much as
 * the limit says, be they asked or not. Nor is it once the consumer has not said yes to a dearer line.
 */
export function decideWeight(
  order: OrderRow,
  { lineId, packedMilli, knownMilli, overweight }: Weighing,
  { lines, tolerancePercent, canAsk }: WeighingTerms,
): WeightDecision {
  const refuse = (code: string, message: Message) => ({ refusal: conflict(code, message) });
  const refuseWeight = (message: Message) => ({ refusal: invalidField('packed', message) });
  const { status } = order;
  const line = lines.find(({ id }) => id === lineId);
  if (!line) return { refusal: notFound(msg('Line not found')) };
  const { name } = line;
  if (status === 'pending') {
    const message = msg('This order is still pending. Accept it first, then weigh it.');
    return refuse('ORDER_NOT_OPEN', message);
  }
  if (status !== 'accepted') {
    return refuse(
      'ORDER_NOT_OPEN',
      msg(
        'This order is {status, select, rejected {rejected} completed {completed} other {cancelled}}, so its weights stay as they are.',
        { status },
      ),
    );
  }
  if (line.quantityMilli === 0) {
    return refuse('LINE_REMOVED', msg('{name} was taken out of this order.', { name }));
  }
  const { product, size } = presentLine(line);
  if (!isWeighable({ product, size })) {
    const message = size
      ? msg('{name} is packed in its size, so there is nothing to weigh.', {
          name: nameWithSize(name, size),
        })
      : msg('{name} is not sold by weight, so there is nothing to weigh.', { name });
    return refuse('NOT_BY_WEIGHT', message);
  }
  const isChanging = order.proposals.flatMap(itemsOf).some((item) => item.lineId === lineId);
  const isAsked = isChanging && isOverweightOnly(order);
  if (isChanging && !isAsked) return { refusal: openChange(order) };
  if (packedMilli === line.packedMilli && overweight === undefined) return { unchanged: line };
  if (knownMilli !== undefined && knownMilli !== line.packedMilli) {
    return { refusal: refused(order, 'VERSION_CONFLICT', weighedMeanwhile(line, packedMilli)) };
  }
  const costMinor = lineCostMinor(line.priceMinor, packedMilli);
  if (packedMilli > PACKED_MAX_MILLI || weightDoubt(line, packedMilli) === 'slip') {
    return refuseWeight(doubt(line, packedMilli, costMinor));
  }
  if (costMinor === 0) return refuseWeight(msg('So little would cost nothing. Check the weight.'));

  const limit = Math.min(limitMinor(estimateMinor(line), tolerancePercent), heldMinor(line));
  const needsYes = costMinor > limit;
  const asks = needsYes && overweight === 'ask';
  if (asks && !canAsk) {
    return refuse(
      'HANDOVER_BEGUN',
      msg(
        'The handover has begun, so it is too late to ask the customer. Charge up to the limit, or pack a lighter one.',
      ),
    );
  }
  if (asks && order.proposals.length > 0 && !isOverweightOnly(order)) {
    return { refusal: openChange(order) };
  }
  // A limit below the smallest amount would make it free.
  const finalMinor = needsYes ? Math.max(1, limit) : costMinor;
  if (totalOf(lines) - lineCost(line) + costMinor > TOTAL_MAX_MINOR) {
    return refuseWeight(msg("That's over the limit for one order. Check the weight."));
  }
  const isSame = packedMilli === line.packedMilli && finalMinor === Number(line.finalMinor);
  if (isSame && asks === isAsked) return { unchanged: line };
  return { line: { ...line, packedMilli, finalMinor }, askedMinor: asks ? costMinor : null };
}

const weight = (milli: number, { unit }: LineRow): string => formatQuantity(fromMilli(milli), unit);

function doubt(line: LineRow, packedMilli: number, costMinor: number): Message {
  const { name, quantityMilli, pieceMilli } = line;
  const own = {
    name,
    weight: weight(packedMilli, line),
    price: formatMoney(fromMinor(costMinor)),
  };
  return pieceMilli === null
    ? msg(
        '{weight} for {quantity} of {name}? The price would be {price}. Check the decimal point and the unit.',
        { ...own, quantity: weight(quantityMilli, line) },
      )
    : msg(
        '{weight} for {count} × {name}? The price would be {price}. Check the decimal point and the unit.',
        { ...own, count: quantityMilli / MILLI },
      );
}

function weighedMeanwhile(line: LineRow, packedMilli: number): Message {
  const { name } = line;
  const entered = weight(packedMilli, line);
  return line.packedMilli === null
    ? msg('The weight of {name} was taken back meanwhile; you entered {entered}.', {
        name,
        entered,
      })
    : msg('Someone else weighed {name} meanwhile: {present}. You entered {entered}.', {
        ...{ name, entered },
        present: weight(line.packedMilli, line),
      });
}

/** Returns what a line is held to in minor units, because it would be dearer without: less of it, or what it weighs. */
function heldMinor({ priceMinor, packedMilli, finalMinor }: LineRow): number {
  if (finalMinor === null) return Number.POSITIVE_INFINITY;
  const isHeld =
    packedMilli === null || Number(finalMinor) < lineCostMinor(priceMinor, packedMilli);
  return isHeld ? Number(finalMinor) : Number.POSITIVE_INFINITY;
}

/** Whether what is open of an order asks for nothing but the price of goods that weigh more than expected. */
const isOverweightOnly = ({ proposals }: Pick<OrderRow, 'proposals'>): boolean =>
  proposals.flatMap(itemsOf).every(({ action }) => action === 'overweight');

/** What the consumer is asked for one line: the price of what it weighs. */
export interface Overweight {
  before: LineRow;
  /** As it is weighed, at what may be charged without a yes. */
  line: LineRow;
  askedMinor: number;
}

/**
 * The item of a proposal that asks for the price of goods that weigh more than expected. Its line already weighs
 * `packedMilli` and costs as much as may be charged without a yes, so that no answer changes nothing. A yes makes
 * the line cost `afterMinor`; `leave_out` removes it.
 */
const overweightItem = ({ before, line, askedMinor }: Overweight): ProposalItemRow => ({
  lineId: line.id,
  action: 'overweight',
  product: presentLine(line).product,
  priceMinor: line.priceMinor,
  quantityMilli: line.quantityMilli,
  packedMilli: line.packedMilli ?? 0,
  beforeMinor: lineCost(before),
  afterMinor: askedMinor,
});

/**
 * Plans the proposal that asks the consumer for the price of goods that weigh more than expected: a new one, one that
 * takes the place of the one before and asks for all of them, or none any more. The order has its new weights; what was
 * asked of the lines `weighed` before no longer counts.
 * @returns nothing where the order's proposals stay as they are
 */
export function planAsking(
  state: Pick<OrderState, 'order' | 'by' | 'now'>,
  asks: readonly Overweight[],
  weighed: ReadonlyMap<string, LineRow>,
  answerBy: Date,
):
  | { changes: Required<Pick<OrderPlan, 'change' | 'proposals'>>; proposal: ProposalRow | null }
  | undefined {
  const { order, now } = state;
  const [open] = order.proposals;
  const known = open ? itemsOf(open) : [];
  const stillAsked = known.filter(({ lineId }) => !weighed.has(lineId));
  if (asks.length === 0 && stillAsked.length === known.length) return undefined;
  const items = [...stillAsked, ...asks.map(overweightItem)];
  const totalBeforeMinor = totalOf(order.lines);
  const closed: ProposalRow[] = open
    ? [{ ...open, status: items.length > 0 ? 'superseded' : 'withdrawn', answeredAt: now }]
    : [];
  const totalAfterMinor = totalIfAccepted(order, items);
  const asked: ProposalRow | null =
    items.length === 0
      ? null
      : {
          ...newProposal(state, answerBy),
          ...{ id: randomUUID(), note: '', batchId: null, items },
          ...{ totalBeforeMinor, totalAfterMinor },
        };
  const current = asked ?? closed[0];
  if (!current) return undefined;
  return {
    proposal: asked,
    changes: {
      // No quantity changes, whatever the answer. What is asked for is weighed already; other lines may not be.
      change: {
        ...proposalChange(current, order.lines, order.lines),
        totalAfter: fromMinor(totalAfterMinor),
      },
      proposals: asked ? [...closed, asked] : closed,
    },
  };
}

/** Returns what an order comes to if the consumer says yes to all of it, in minor units. */
const totalIfAccepted = (order: OrderRow, items: readonly ProposalItemRow[]): number =>
  items.reduce((total, { lineId, afterMinor }) => {
    const line = order.lines.find(({ id }) => id === lineId);
    return line ? total - lineCost(line) + afterMinor : total;
  }, totalOf(order.lines));
