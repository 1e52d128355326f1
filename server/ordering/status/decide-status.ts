import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { UpdateOrderStatus } from '#contract/ordering/orders/orders';
import type { ShelfRow } from '../../catalogue/stock/stock-events.ts';
import { reservedIn } from '../changes/lines.ts';
import { openShelf } from '../changes/shelf-stock.ts';
import type { OrderState } from '../model/lock.ts';
import {
  allowedTransition,
  canReadOrder,
  holdsSlot,
  isWithinRole,
  type Reader,
} from '../model/policy.ts';
import type { OrderRow } from '../model/present.ts';
import { isFinalLine, type LineRow, lineCost } from '../model/present-lines.ts';
import type { OrderPlan } from '../model/write.ts';

/** What the decision needs to know, read under the order's lock. */
export interface ChangeState {
  /** Undefined where there is no such order. */
  state: Pick<OrderState, 'order' | 'by' | 'now'> | undefined;
  /** The order's products that still exist, as far as stock may go back to them. */
  products: ReadonlyMap<string, ShelfRow>;
}

/** What a change gives back that leaves the goods with the order. */
export const NOTHING_RETURNED = { shelf: [], unreturned: [] } as const;

export type StatusDecision =
  | { refusal: 'NOT_FOUND' | 'ROLE' }
  /**
   * The order has another version than the client expected, a proposal waits for its buyer's answer, or not
   * everything in it is weighed. */
  | { refusal: 'VERSION_CONFLICT' | 'OPEN_CHANGE' | 'UNWEIGHED'; order: OrderRow }
  /** `status` is why it is not allowed; `hasChanged`: somebody else has just changed it. */
  | { refusal: 'NOT_ALLOWED'; status: OrderStatus; hasChanged: boolean }
  /** The order has this status already: nothing is to be done. */
  | { unchanged: OrderRow }
  | { plan: OrderPlan };

/**
 * Decides whether an order gets another status. The rules: only who may read the order knows of it; of the
 * farm only those whose role says so may change it; it has the version that the client expects, if it expects
 * one; the same status again changes nothing; the table of transitions says who may go where, and whether the
 * stock goes back. While a proposal waits for an answer an order is neither accepted nor completed; an end
 * takes the proposal back. What is priced by weight has to be weighed before an order is completed, or to cost what
 * was estimated, if that is said. Of two people who act at once one wins: who finds that the order got another status
 * since they first looked (`seen`) is refused.
 */
export function decideStatusChange(
  { state, products }: ChangeState,
  user: Reader,
  { status: to, reason, expectedVersion, usesEstimates = false }: UpdateOrderStatus,
  seen?: OrderStatus,
): StatusDecision {
  if (!state || !canReadOrder(user, state.order)) return { refusal: 'NOT_FOUND' };
  const { now, by, order } = state;
  if (!isWithinRole(user, order, to)) return { refusal: 'ROLE' };
  if (expectedVersion !== undefined && expectedVersion !== order.version) {
    return { refusal: 'VERSION_CONFLICT', order };
  }
  if (order.status === to) return { unchanged: order };
  const hasChanged = seen !== undefined && seen !== order.status;
  const transition = hasChanged ? undefined : allowedTransition(user, order, to);
  if (!transition) return { refusal: 'NOT_ALLOWED', status: order.status, hasChanged };
  // What holds room and goods goes on as it is, so it waits for the answer.
  if (order.proposals.length > 0 && holdsSlot(to)) return { refusal: 'OPEN_CHANGE', order };
  const unweighed = to === 'completed' ? order.lines.filter((line) => !isFinalLine(line)) : [];
  if (unweighed.length > 0 && !usesEstimates) return { refusal: 'UNWEIGHED', order };
  return {
    plan: statusPlan(
      { at: now, by, before: order, to, reason: reason || null },
      transition.returnsStock ? returnedBy(order, products) : NOTHING_RETURNED,
      unweighed,
    ),
  };
}

/**
 * Returns the plan of a status. An end takes an open proposal back; lines that were not weighed cost what was estimated from
 * then on.
 */
export const statusPlan = (
  { to, ...plan }: Pick<OrderPlan, 'at' | 'by' | 'before' | 'reason'> & { to: OrderStatus },
  returned: Pick<OrderPlan, 'shelf' | 'unreturned'>,
  unweighed: readonly LineRow[] = [],
): OrderPlan => ({
  ...plan,
  ...returned,
  change: { kind: 'status', from: plan.before.status, to },
  proposals: plan.before.proposals.map((proposal) => ({ ...proposal, status: 'withdrawn' })),
  ...(unweighed.length === 0
    ? {}
    : {
        lines: plan.before.lines.map((line) =>
          unweighed.includes(line) ? { ...line, finalMinor: lineCost(line) } : line,
        ),
      }),
});

/**
 * Returns how much of each product an order gives back that holds it, in its lines and for what its open proposal
 * offers instead; of a deleted product nothing.
 */
export function returnedBy(
  order: OrderRow,
  products: ReadonlyMap<string, ShelfRow>,
): Pick<OrderPlan, 'shelf' | 'unreturned'> {
  const shelf = openShelf(products);
  for (const goods of [...order.lines, ...reservedIn(order.proposals)]) {
    shelf.give(goods, goods.quantityMilli);
  }
  return shelf.outcome();
}
