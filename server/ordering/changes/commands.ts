import type { AnswerChange } from '#contract/ordering/changes/order-changes';
import { partyTo } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import type { Transaction } from '../../../prisma/client.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { lockOrder, lockShelf } from '../model/lock.ts';
import { canReadOrder } from '../model/policy.ts';
import { presentOrder } from '../model/present.ts';
import { writeOrder } from '../model/write.ts';
import { decideAnswer, decideWithdraw } from './decide-close.ts';
import { productIdsOf } from './lines.ts';

/**
 * Locks an order that the caller knows of, and reads it.
 * @throws 401 the account was just deleted, 404 not this user's order
 */
export async function lockOwnOrder(tx: Transaction, user: SessionUser, id: string) {
  const locked = await lockOrder(tx, user, id);
  if (!locked || !canReadOrder(user, locked.order)) throw notFound('Order not found');
  return locked;
}

/**
 * Takes a buyer's answer to a proposal, or cancels the order because of it.
 * @returns the order as it is after it
 * @throws 400 not each of its lines is answered, 401, 404 no proposal of an own order, 409 it is not open
 */
export async function answerChange(
  platform: Platform,
  user: SessionUser,
  { id, changeId }: { id: string; changeId: string },
  answer: AnswerChange,
): Promise<Order> {
  return transact(platform.db, async (tx) => {
    const { order, by, now } = await lockOwnOrder(tx, user, id);
    await requireProposal(tx, id, changeId);
    const products = await lockShelf(tx, productIdsOf(order));
    const decision = decideAnswer({ now, by, order, products }, changeId, answer);
    if ('refusal' in decision) throw decision.refusal;
    return presentOrder(await writeOrder(tx, decision.plan));
  });
}

/**
 * Takes a proposal back that is not answered yet. What an admin does is noted in the audit.
 * @returns the order as it is after it
 * @throws 401, 404 no proposal of an order of this farm, 409 it is not open
 */
export async function withdrawChange(
  platform: Platform,
  user: SessionUser,
  { id, changeId }: { id: string; changeId: string },
): Promise<Order> {
  return transact(platform.db, async (tx) => {
    const { order, by, now } = await lockOwnOrder(tx, user, id);
    await requireProposal(tx, id, changeId);
    const products = await lockShelf(tx, productIdsOf(order));
    const decision = decideWithdraw({ now, by, order, products }, changeId);
    if ('refusal' in decision) throw decision.refusal;
    const after = await writeOrder(tx, decision.plan);
    if (partyTo(order, user) === 'admin') {
      await audit(tx, user, 'order.changeWithdrawn', id, { proposal: changeId });
    }
    return presentOrder(after);
  });
}

/** @throws 404 when the order has no such proposal */
async function requireProposal(tx: Transaction, orderId: string, id: string): Promise<void> {
  const known = await tx.orderProposal.findFirst({
    where: { id, orderId },
    select: { id: true },
  });
  if (!known) throw notFound('Proposal not found');
}
