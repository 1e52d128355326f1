import {
  ORDER_TRANSITIONS,
  type Order,
  type OrderStatus,
  type UpdateOrderStatus,
} from '#contract/orders';
import { type AppError, conflict, notFound, unauthorized } from '../http/errors.ts';
import type { Platform } from '../http/platform.ts';
import type { SessionUser } from '../http/sessions.ts';
import { SHELF_ROW } from '../products/stock-events.ts';
import { type ChangeState, decideStatusChange, type StatusDecision } from './decide-status.ts';
import { ORDER_ROW, ORDER_SOURCE, presentOrder } from './present.ts';
import { type Run, runAlone, untilDecided } from './statement.ts';
import { afterChange, writeStatusChanges } from './write-status.ts';

const READ = {
  name: 'read_for_change',
  text: `SELECT
    to_json(clock_timestamp()) AS now,
    (SELECT json_build_object('id', id, 'name', name, 'role', role, 'deletedAt', deleted_at)
      FROM users WHERE id = $2::uuid) AS actor,
    (SELECT ${ORDER_ROW} FROM ${ORDER_SOURCE} WHERE o.id = $1::uuid) AS order,
    (SELECT COALESCE(json_agg(${SHELF_ROW}), '[]') FROM products p
      WHERE p.id = ANY (ARRAY(
        SELECT product_id FROM order_lines WHERE order_id = $1::uuid AND $3::boolean))) AS products`,
};

/**
 * Moves an order to another status, if the table of transitions lets this party. The same status
 * again changes nothing. Stock that comes free goes back to the shelf, both parties and admins are
 * notified, and what an admin does is noted in the audit. Read, decide, write: see `place.ts`.
 * @throws 401 the account is gone, 404 not this user's order, 409 not allowed, or somebody else changed
 *   it first, 503 too many others changed the same things at once
 */
export async function changeOrderStatus(
  platform: Platform,
  user: SessionUser,
  id: string,
  input: UpdateOrderStatus,
): Promise<Order> {
  const run = runAlone(platform.pool);
  let seen: OrderStatus | undefined;
  return untilDecided(async () => {
    const decision = decideStatusChange(
      await readState(run, user, id, input.status),
      user,
      input,
      seen,
    );
    if ('refusal' in decision) throw statusRefusal(decision, input.status);
    if ('unchanged' in decision) return presentOrder(decision.unchanged);
    seen ??= decision.plan.before.status;
    const isAudited = user.role === 'admin';
    return (await writeStatusChanges(run, [decision.plan], { isAudited }))
      ? presentOrder(afterChange(decision.plan))
      : undefined;
  });
}

async function readState(
  run: Run,
  user: SessionUser,
  orderId: string,
  to: OrderStatus,
): Promise<ChangeState> {
  const mayReturnStock = ORDER_TRANSITIONS.some((way) => way.to === to && way.returnsStock);
  const [state] = await run<Omit<ChangeState, 'now'> & { now: string }>(READ, [
    orderId,
    user.id,
    mayReturnStock,
  ]);
  if (!state) throw new Error('A statement that reads one row has read none');
  return { ...state, now: new Date(state.now) };
}

function statusRefusal(
  decision: Extract<StatusDecision, { refusal: string }>,
  to: OrderStatus,
): AppError {
  switch (decision.refusal) {
    case 'ACTOR_GONE':
      return unauthorized('Your session has ended. Please sign in again.');
    case 'NOT_FOUND':
      return notFound('Order not found');
    case 'NOT_ALLOWED':
      return conflict(
        'TRANSITION_NOT_ALLOWED',
        decision.wasOvertaken
          ? `Somebody was quicker: this order is ${decision.status} now, so it did not become ${to}.`
          : `This order is ${decision.status}: it cannot become ${to}.`,
      );
  }
}
