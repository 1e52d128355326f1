import type { Order } from '#contract/ordering/orders/orders';
import type { Transaction } from '../../../prisma/client.ts';
import type { AppError } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { type LockOptions, lockOwnOrder, type OrderState } from './lock.ts';
import { type OrderRow, presentOrder } from './present.ts';
import { type OrderPlan, writeOrder } from './write.ts';

/** What a command decides on an order. */
export type Decision = { refusal: AppError } | { unchanged: OrderRow } | { plan: OrderPlan };

/**
 * Locks an order that the caller may read, and writes what is decided of it.
 * @returns the order as it is after it
 * @throws the refusal, 401 the account was just deleted, 403 not within the caller's role, 404 not this user's order
 */
export const changeOrder = (
  { db }: Platform,
  user: SessionUser,
  id: string,
  decide: (tx: Transaction, state: OrderState) => Promise<Decision>,
  options?: LockOptions,
): Promise<Order> =>
  transact(db, async (tx) => {
    const decision = await decide(tx, await lockOwnOrder(tx, user, id, options));
    if ('refusal' in decision) throw decision.refusal;
    return presentOrder(
      'plan' in decision ? await writeOrder(tx, decision.plan) : decision.unchanged,
    );
  });
