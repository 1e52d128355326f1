import { randomUUID } from 'node:crypto';
import { fromMinor } from '#contract/platform/money/constants';
import type { PersonRow } from '../../people/users/present.ts';
import type { OrderRow } from '../model/present.ts';
import {
  isFinalLine,
  itemsOf,
  type LineRow,
  lineCost,
  type ProposalItemRow,
  type ProposalRow,
  presentLine,
  totalOf,
} from '../model/present-lines.ts';
import type { OrderPlan } from '../model/write.ts';

/** What the buyer is asked for one line: the price of what it weighs. */
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
export const overweightItem = ({ before, line, askedMinor }: Overweight): ProposalItemRow => ({
  lineId: line.id,
  action: 'overweight',
  product: presentLine(line).product,
  priceMinor: line.priceMinor,
  quantityMilli: line.quantityMilli,
  packedMilli: line.packedMilli ?? 0,
  beforeMinor: lineCost(before),
  afterMinor: askedMinor,
});

/** What becomes of an order's proposals when some of its lines were weighed. */
interface Asking {
  /** The order as it was read, with its new weights. */
  order: OrderRow;
  /** What is asked for lines that were weighed. */
  asks: readonly Overweight[];
  /** Of the lines that were weighed: what was asked of them before no longer counts. */
  weighed: ReadonlySet<string>;
  by: PersonRow;
  at: Date;
  /** Until when the buyer can answer. */
  answerBy: Date;
}

/**
 * Plans the proposal that asks the buyer for the price of goods that weigh more than expected: a new one, one that
 * takes the place of the one before and asks for all of them, or none any more.
 * @returns nothing where the order's proposals stay as they are
 */
export function planAsking({
  order,
  asks,
  weighed,
  by,
  at,
  answerBy,
}: Asking):
  | { changes: Required<Pick<OrderPlan, 'change' | 'proposals'>>; proposal: ProposalRow | null }
  | undefined {
  const [open] = order.proposals;
  const known = open ? itemsOf(open) : [];
  const stillAsked = known.filter(({ lineId }) => !weighed.has(lineId));
  if (asks.length === 0 && stillAsked.length === known.length) return undefined;
  const items = [...stillAsked, ...asks.map(overweightItem)];
  const totalBeforeMinor = totalOf(order.lines);
  const closed: ProposalRow[] = open
    ? [{ ...open, status: items.length > 0 ? 'superseded' : 'withdrawn', answeredAt: at }]
    : [];
  const asked: ProposalRow | null =
    items.length === 0
      ? null
      : {
          id: randomUUID(),
          status: 'open',
          createdBy: by,
          createdAt: at,
          answerBy,
          answeredBy: null,
          answeredAt: null,
          baseVersion: order.version,
          note: '',
          batchId: null,
          totalBeforeMinor,
          totalAfterMinor: totalIfAccepted(order, items),
          items,
        };
  const current = asked ?? closed[0];
  if (!current) return undefined;
  return {
    proposal: asked,
    changes: {
      change: {
        kind: 'proposal',
        proposal: current.id,
        status: current.status,
        // No quantity changes, whatever the answer.
        differences: [],
        totalBefore: fromMinor(totalBeforeMinor),
        totalAfter: fromMinor(asked ? asked.totalAfterMinor : totalBeforeMinor),
        // What is asked for is weighed already; other lines may not be.
        ...(order.lines.every(isFinalLine)
          ? {}
          : { isBeforeEstimate: true as const, isAfterEstimate: true as const }),
      },
      proposals: asked ? [...closed, asked] : closed,
    },
  };
}

/** Returns what an order comes to if the buyer says yes to all of it, in minor units. */
const totalIfAccepted = (order: OrderRow, items: readonly ProposalItemRow[]): number =>
  items.reduce((total, { lineId, afterMinor }) => {
    const line = order.lines.find(({ id }) => id === lineId);
    return line ? total - lineCost(line) + afterMinor : total;
  }, totalOf(order.lines));
