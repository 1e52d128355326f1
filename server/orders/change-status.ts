import {
  ORDER_TRANSITIONS,
  type Order,
  type OrderStatus,
  type UpdateOrderStatus,
} from '#contract/orders';
import { conflict, notFound } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { retryConflicts } from '../platform/postgres.ts';
import { currentRequestId } from '../platform/request-context.ts';
import type { SessionUser } from '../platform/sessions.ts';

interface Outcome {
  order?: Order;
  refusal?: 'NOT_FOUND' | 'NOT_ALLOWED' | 'OVERTAKEN';
  /** The order's present status, where it is why. */
  status?: OrderStatus;
}

// Named, so that each connection plans it once.
const CHANGE_STATUS = {
  name: 'change_order_status',
  text: `SELECT change_order_status($1, $2, $3, $4, $5, $6::"OrderStatus"[], $7, $8) AS outcome`,
};

/**
 * Moves an order to another status, if the table of transitions lets this party. The same status
 * again changes nothing. Stock that comes free goes back to the shelf, both parties and admins are
 * told, and what an admin does is noted in the audit.
 * @throws 404 not this user's order; 409 not allowed, or somebody else changed it first
 */
export async function changeOrderStatus(
  platform: Platform,
  user: SessionUser,
  id: string,
  { status, reason }: UpdateOrderStatus,
): Promise<Order> {
  // Someone's role is the party they are to any order they may read.
  const ways = ORDER_TRANSITIONS.filter(({ to, by }) => to === status && by.includes(user.role));
  const { rows } = await retryConflicts(() =>
    platform.pool.query<{ outcome: Outcome }>({
      ...CHANGE_STATUS,
      values: [
        id,
        user.id,
        user.role === 'admin',
        status,
        reason || null,
        ways.map(({ from }) => from),
        ways.map(({ returnsStock }) => returnsStock),
        currentRequestId() ?? null,
      ],
    }),
  );
  const outcome = rows[0]?.outcome;
  if (outcome?.order) return outcome.order;
  if (outcome?.refusal === 'OVERTAKEN') {
    throw conflict(
      'TRANSITION_NOT_ALLOWED',
      `Somebody was quicker: this order is ${outcome.status} now, so it did not become ${status}.`,
    );
  }
  if (outcome?.refusal === 'NOT_ALLOWED') {
    throw conflict(
      'TRANSITION_NOT_ALLOWED',
      `This order is ${outcome.status}: it cannot become ${status}.`,
    );
  }
  throw notFound('Order not found');
}
