import { WEIGHT_TOLERANCE_PERCENT } from '#contract/farm/farmers/constants';
import { fromMinor } from '#contract/platform/money/constants';
import {
  expectedMilli,
  fromMilli,
  MILLI,
} from '#contract/platform/quantities/constants/quantities';
import { isFinalLine, type LineRow, totalOf } from '../server/ordering/model/present-lines.ts';
import { decideWeight } from '../server/ordering/weights/decide-weight.ts';
import { type Planned, personOf, rowOf, withPlan } from './order-plans.ts';
import type { DemoOrder } from './orders.ts';
import { before, MINUTE_MS } from './times.ts';

/** How far a weight is from the expected one at most, as a part of it; within the tolerance of every farm. */
const SPREAD = 0.12;
/** So long before its handover an order is weighed, in milliseconds. */
const BEFORE_HANDOVER_MS = 45 * MINUTE_MS;

/** Returns what a line weighs, in thousandths. It follows from its id, so that it is the same on each run. */
function weightOf(line: LineRow): number {
  const part = Number.parseInt(line.id.slice(0, 8), 16) / 0xffffffff;
  return Math.round((expectedMilli(line) * (1 + (2 * part - 1) * SPREAD)) / 10) * 10;
}

/** Weighs lines of an accepted order, together and once. Throws where the server would not take such a weight. */
export function weigh(
  order: DemoOrder,
  isWeighed: (line: LineRow) => boolean,
  { at, byId }: { at: Date; byId: string },
): Planned {
  const row = rowOf(order);
  const lines = row.lines.map((line) => {
    if (!isWeighed(line)) return line;
    const decision = decideWeight(
      row,
      { lineId: line.id, packedMilli: weightOf(line) },
      { lines: row.lines, tolerancePercent: WEIGHT_TOLERANCE_PERCENT.standard, canAsk: false },
    );
    if (!('line' in decision)) throw new Error(`${line.name} cannot be weighed.`);
    return decision.line;
  });
  return withPlan(order, {
    at,
    by: personOf(byId),
    before: row,
    lines,
    change: {
      kind: 'weights',
      lines: lines.filter(isWeighed).map((line) => ({
        lineId: line.id,
        product: { _id: line.productId, name: line.name, unit: line.unit },
        ...(line.pieceMilli === null ? {} : { pieces: line.quantityMilli / MILLI }),
        from: null,
        to: fromMilli(line.packedMilli ?? 0),
      })),
      totalBefore: fromMinor(totalOf(row.lines)),
      totalAfter: fromMinor(totalOf(lines)),
      isTotalFinal: lines.every(isFinalLine),
    },
  });
}

/** Weighs a complete order before it was handed over; nothing where nothing of it is priced by weight. */
export function weighCompleted(order: DemoOrder): Planned | undefined {
  const { status } = order.order;
  const [completed, accepted] = order.timeline.toReversed();
  const isByWeight = ({ pieceMilli }: LineRow) => pieceMilli !== null;
  if (status !== 'completed' || !completed || !accepted || !order.lines.some(isByWeight)) {
    return undefined;
  }
  const open = {
    ...order,
    order: { ...order.order, status: 'accepted' as const, version: accepted.version },
    timeline: order.timeline.slice(0, -1),
  };
  const { order: weighed, event } = weigh(open, isByWeight, {
    at: before(completed.at, BEFORE_HANDOVER_MS),
    byId: completed.byId,
  });
  const version = completed.version + 1;
  return {
    event,
    order: {
      ...weighed,
      order: { ...weighed.order, status, version, updatedAt: completed.at },
      timeline: [...weighed.timeline, { ...completed, sequence: completed.sequence + 1, version }],
    },
  };
}
