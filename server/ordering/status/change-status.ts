import { ORDER_TRANSITIONS } from '#contract/ordering/orders/constants/orders';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type {
  Order,
  StatusResult,
  UpdateOrderStatus,
  UpdateOrderStatuses,
} from '#contract/ordering/orders/orders';
import type { Worker } from '#contract/platform/session/constants';
import { SHELF_ROW } from '../../catalogue/stock/stock-events.ts';
import {
  type AppError,
  conflict,
  notFound,
  unauthorized,
  versionConflict,
} from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { withoutPermission } from '../../platform/sessions/acting-farm.ts';
import { MAY_ACT } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { openChange } from '../changes/refusals.ts';
import { ORDER_ROW, ORDER_SOURCE, type OrderRow, presentOrder } from '../model/present.ts';
import { RESERVED_PRODUCT, RESERVED_SOURCE } from '../model/present-lines.ts';
import { type Run, runForCommand, untilDecided } from '../model/statement.ts';
import { unweighed } from '../weights/refusal.ts';
import { type ChangeState, decideStatusChange, type StatusDecision } from './decide-status.ts';
import { afterChange, writeStatusChanges } from './write-status.ts';

// The ids come out of a sub-select, for the reason given in `place.ts`.
const READ = {
  name: 'read_for_change',
  text: `SELECT
    to_json(clock_timestamp()) AS now,
    (SELECT json_build_object('id', id, 'name', name, 'role', role, 'deletedAt', deleted_at)
      FROM users WHERE id = $2::uuid AND ${MAY_ACT}) AS actor,
    (SELECT json_build_object('farmId', farm_id, 'role', role)
      FROM farm_members WHERE user_id = $2::uuid) AS membership,
    (SELECT COALESCE(json_agg(${ORDER_ROW}), '[]') FROM ${ORDER_SOURCE}
      WHERE o.id = ANY (ARRAY(SELECT unnest($1::uuid[])))) AS orders,
    (SELECT COALESCE(json_agg(${SHELF_ROW}), '[]') FROM products p
      WHERE p.id = ANY (ARRAY(
        SELECT product_id FROM order_lines
        WHERE order_id = ANY (ARRAY(SELECT unnest($1::uuid[]))) AND $3::boolean
        UNION ALL
        SELECT ${RESERVED_PRODUCT} FROM ${RESERVED_SOURCE}
        WHERE proposal.order_id = ANY (ARRAY(SELECT unnest($1::uuid[]))) AND $3::boolean))) AS products`,
};

/**
 * Moves an order to another status, if the table of transitions lets this party. The same status
 * again changes nothing. Stock that comes free goes back to the shelf, both parties and admins are
 * notified, and what an admin does is noted in the audit. Read, decide, write: see `place.ts`.
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
  platform: Platform,
  user: SessionUser,
  ids: readonly string[],
  input: UpdateOrderStatus,
): Promise<Outcome[]> {
  const run = runForCommand(platform.pool);
  const seen = new Map<string, OrderStatus>();
  return untilDecided(async () => {
    const { orders, membership, ...state } = await readState(run, user, ids, input.status);
    // The session may be from before somebody changed their role.
    const actor = { ...user, membership };
    const byId = new Map(orders.map((order) => [order.id, order]));
    const decided = ids.map((id) => ({
      id,
      decision: decideStatusChange(
        { ...state, order: byId.get(id) ?? null },
        actor,
        input,
        seen.get(id),
      ),
    }));
    const outcomes = decided.map(({ id, decision }) => outcomeOf(id, decision, input.status));
    const plans = decided.flatMap(({ decision }) => ('plan' in decision ? [decision.plan] : []));
    if (plans.length === 0) return outcomes;
    for (const { before } of plans) {
      if (!seen.has(before.id)) seen.set(before.id, before.status);
    }
    const isAudited = user.role === 'admin';
    return (await writeStatusChanges(run, plans, {
      isAudited,
      membership,
    }))
      ? outcomes
      : undefined;
  });
}

/** The outcome of a decision once its plan, if it has one, is written. */
function outcomeOf(id: string, decision: StatusDecision, to: OrderStatus): Outcome {
  if ('plan' in decision) return { id, order: afterChange(decision.plan) };
  if ('unchanged' in decision) return { id, order: decision.unchanged };
  if (decision.refusal === 'ACTOR_GONE') throw statusRefusal(decision, to);
  return { id, refusal: statusRefusal(decision, to) };
}

type ReadState = Omit<ChangeState, 'order'> & Worker & { orders: OrderRow[] };

async function readState(
  run: Run,
  user: SessionUser,
  orderIds: readonly string[],
  to: OrderStatus,
): Promise<ReadState> {
  const mayReturnStock = ORDER_TRANSITIONS.some((way) => way.to === to && way.returnsStock);
  const [state] = await run<Omit<ReadState, 'now'> & { now: string }>(READ, [
    orderIds,
    user.id,
    mayReturnStock,
  ]);
  if (!state) throw new Error('A statement that reads one row has read none');
  return { ...state, now: new Date(state.now) };
}

/** Returns what to do first, for the one mistake that has a way on. */
const hintFor = (from: OrderStatus, to: OrderStatus): string =>
  from === 'pending' && to === 'completed' ? ' Accept it first, then complete it.' : '';

function statusRefusal(
  decision: Extract<StatusDecision, { refusal: string }>,
  to: OrderStatus,
): AppError {
  switch (decision.refusal) {
    case 'ACTOR_GONE':
      return unauthorized('Your session has ended. Please sign in again.');
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
