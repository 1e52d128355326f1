import { ORDER_TRANSITIONS } from '#contract/ordering/orders/constants/orders';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type {
  Order,
  StatusResult,
  UpdateOrderStatus,
  UpdateOrderStatuses,
} from '#contract/ordering/orders/orders';
import { type AppError, conflict, notFound, versionConflict } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { withoutPermission } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { productIdsOf } from '../changes/lines.ts';
import { openChange } from '../changes/refusals.ts';
import { lockOrders, lockShelf } from '../model/lock.ts';
import { type OrderRow, presentOrder } from '../model/present.ts';
import { type OrderPlan, writeOrders } from '../model/write.ts';
import { unweighed } from '../weights/refusal.ts';
import { decideStatusChange, type StatusDecision } from './decide-status.ts';

/**
 * Moves an order to another status, if the table of transitions lets this party. The same status
 * again changes nothing. Stock that comes free goes back to the shelf, both parties and admins are
 * notified, and what an admin does is noted in the audit.
 * @throws 401 the account is gone, 403 not within their role on the farm, 404 not this user's order, 409
 *   not allowed, or somebody else changed it first (`VERSION_CONFLICT` when it is not of the expected
 *   version), 503 too many others changed the same things at once
 */
export async function changeOrderStatus(
  platform: Platform,
  user: SessionUser,
  id: string,
  input: UpdateOrderStatus,
): Promise<Order> {
  const [outcome] = await changeEach(platform, user, [id], input);
  if (!outcome) throw new Error('The order has no outcome');
  if ('refusal' in outcome) throw outcome.refusal;
  return presentOrder(outcome.order);
}

/**
 * Moves several orders to one status. Each is decided for itself, by the rules of
 * {@link changeOrderStatus}; those that may change are written together, so that none is half done.
 * A repeat finds them changed and answers the same.
 * @returns what became of each order, in the order of the ids, an id that is there twice only once
 * @throws 401 the account is gone, 503 too many others changed the same things at once; then nothing changed
 */
export async function changeOrderStatuses(
  platform: Platform,
  user: SessionUser,
  { ids, ...input }: UpdateOrderStatuses,
): Promise<StatusResult[]> {
  const outcomes = await changeEach(platform, user, [...new Set(ids)], input);
  return outcomes.map((outcome) =>
    'refusal' in outcome
      ? { _id: outcome.id, code: outcome.refusal.code, message: outcome.refusal.message }
      : { _id: outcome.id, order: presentOrder(outcome.order) },
  );
}

type Outcome = { id: string; order: OrderRow } | { id: string; refusal: AppError };

async function changeEach(
  { db }: Platform,
  user: SessionUser,
  ids: readonly string[],
  input: UpdateOrderStatus,
): Promise<Outcome[]> {
  const { status: to } = input;
  const mayReturnStock = ORDER_TRANSITIONS.some((way) => way.to === to && way.returnsStock);
  return transact(db, async (tx) => {
    const { states, seen, membership } = await lockOrders(tx, user, ids);
    const orders = [...states.values()].map(({ order }) => order);
    const products = await lockShelf(tx, mayReturnStock ? orders.flatMap(productIdsOf) : []);
    // The session may be from before somebody changed their role.
    const caller = { ...user, membership };
    const audited: Pick<OrderPlan, 'audit'> =
      user.role === 'admin' ? { audit: 'order.statusChanged' } : {};
    const decided = ids.map((id) => ({
      id,
      decision: decideStatusChange({ state: states.get(id), products }, caller, input, seen[id]),
    }));
    const plans = decided.flatMap(({ decision }) =>
      'plan' in decision ? [{ ...decision.plan, ...audited }] : [],
    );
    const written = await writeOrders(tx, plans);
    const after = new Map(written.map((order) => [order.id, order]));
    return decided.map(({ id, decision }): Outcome => {
      if ('refusal' in decision) return { id, refusal: statusRefusal(decision, to) };
      const order = 'plan' in decision ? after.get(id) : decision.unchanged;
      if (!order) throw new Error('An order was not written');
      return { id, order };
    });
  });
}

/** Returns what to do first, for the one mistake that has a way on. */
const hintFor = (from: OrderStatus, to: OrderStatus): string =>
  from === 'pending' && to === 'completed' ? ' Accept it first, then complete it.' : '';

function statusRefusal(
  decision: Extract<StatusDecision, { refusal: string }>,
  to: OrderStatus,
): AppError {
  switch (decision.refusal) {
    case 'NOT_FOUND':
      return notFound('Order not found');
    case 'VERSION_CONFLICT':
      return versionConflict(presentOrder(decision.order));
    case 'OPEN_CHANGE':
      return openChange(decision.order);
    case 'UNWEIGHED':
      return unweighed(decision.order);
    case 'ROLE':
      return withoutPermission();
    case 'NOT_ALLOWED':
      return conflict(
        'TRANSITION_NOT_ALLOWED',
        decision.hasChanged
          ? `Someone was quicker: this order is ${decision.status} now, so it can't become ${to}.`
          : `This order is ${decision.status}, so it can't become ${to}.${hintFor(decision.status, to)}`,
      );
  }
}
