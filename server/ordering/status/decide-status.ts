import type { UnreturnedGoods } from '#contract/ordering/changes/order-lines';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { UpdateOrderStatus } from '#contract/ordering/orders/orders';
import type { ShelfRow } from '../../catalogue/stock/stock-events.ts';
import type { PersonRow } from '../../people/users/present.ts';
import { reservedIn } from '../changes/lines.ts';
import { openShelf } from '../changes/shelf-stock.ts';
import {
  allowedTransition,
  canReadOrder,
  holdsSlot,
  isWithinRole,
  type Reader,
} from '../model/policy.ts';
import type { OrderRow } from '../model/present.ts';
import { isFinalLine, type LineRow, lineCost } from '../model/present-lines.ts';

/** What the decision needs to know, read in one statement. */
export interface ChangeState {
  /** The database's clock. */
  now: Date;
  /** Whoever wants the change; null when the account is gone or suspended. */
  actor: PersonRow | null;
  order: OrderRow | null;
  /** The order's products that still exist, as far as stock may go back to them. */
  products: readonly ShelfRow[];
}

/** One change of an order's status, ready to be written. */
export interface StatusPlan {
  at: Date;
  by: PersonRow;
  /** The order as it was read: the change is only written if it still is so. */
  before: OrderRow;
  to: OrderStatus;
  reason: string | null;
  /** Lines that were not weighed and cost what was estimated, for good. */
  finalLines: readonly LineRow[];
  /** What goes back to the shelf; of deleted products nothing does. */
  returned: readonly { product: ShelfRow; quantityMilli: number }[];
  /** What should go back and cannot, because its product is counted in another unit by now. */
  unreturned: readonly UnreturnedGoods[];
}

/** What a change gives back that leaves the goods with the order. */
export const NOTHING_RETURNED = { returned: [], unreturned: [] } as const;

export type StatusDecision =
  | { refusal: 'ACTOR_GONE' | 'NOT_FOUND' | 'ROLE' }
  /**
   * The order has another version than the client expected, a proposal waits for its buyer's answer, or not
   * everything in it is weighed. */
  | { refusal: 'VERSION_CONFLICT' | 'OPEN_CHANGE' | 'UNWEIGHED'; order: OrderRow }
  /** `status` is why it is not allowed; `hasChanged`: somebody else has just changed it. */
  | { refusal: 'NOT_ALLOWED'; status: OrderStatus; hasChanged: boolean }
  /** The order has this status already: nothing is to be done. */
  | { unchanged: OrderRow }
  | { plan: StatusPlan };

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
  state: ChangeState,
  user: Reader,
  { status: to, reason, expectedVersion, usesEstimates = false }: UpdateOrderStatus,
  seen?: OrderStatus,
): StatusDecision {
  const { now, actor, order } = state;
  if (!actor || actor.deletedAt !== null) return { refusal: 'ACTOR_GONE' };
  if (!order || !canReadOrder(user, order)) return { refusal: 'NOT_FOUND' };
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
    plan: {
      at: now,
      by: actor,
      before: order,
      to,
      reason: reason || null,
      finalLines: unweighed.map((line) => ({ ...line, finalMinor: lineCost(line) })),
      ...(transition.returnsStock ? returnedBy(order, state.products) : NOTHING_RETURNED),
    },
  };
}

/**
 * Returns how much of each product an order gives back that holds it, in its lines and for what its open proposal
 * offers instead; of a deleted product nothing.
 */
export function returnedBy(
  order: OrderRow,
  products: readonly ShelfRow[],
): Pick<StatusPlan, 'returned' | 'unreturned'> {
  const shelf = openShelf(new Map(products.map((product) => [product.id, product])));
  for (const goods of [...order.lines, ...reservedIn(order.proposals)]) {
    shelf.give(goods, goods.quantityMilli);
  }
  const { shelf: changes, unreturned } = shelf.outcome();
  return {
    returned: changes.map(({ product, changeMilli }) => ({ product, quantityMilli: changeMilli })),
    unreturned,
  };
}
