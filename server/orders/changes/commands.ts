import { randomUUID } from 'node:crypto';
import { returnsToShelf } from '#contract/constants/order-lines';
import type { AnswerChange, ProposeChange, ProposedItem } from '#contract/order-changes';
import { type Order, partyTo } from '#contract/orders';
import type { Transaction } from '../../../prisma/client.ts';
import { notFound } from '../../http/errors.ts';
import type { Platform } from '../../http/platform.ts';
import type { SessionUser } from '../../http/sessions.ts';
import { audit } from '../../process/audit.ts';
import { transact } from '../../process/postgres.ts';
import type { NewTimer } from '../../process/timers.ts';
import type { ShelfRow } from '../../products/stock-events.ts';
import { canReadOrder } from '../policy.ts';
import { type OrderRow, presentOrder } from '../present.ts';
import type { ProposalRow } from '../present-lines.ts';
import { lockOrder, lockShelf, readShelf, writeOrder } from '../write-order.ts';
import { remindersOf } from './answer-by.ts';
import { decideAnswer, decideWithdraw } from './decide-close.ts';
import { decidePropose, type ProposeDecision } from './decide-propose.ts';
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
 * Changes what the farm wants of an order's lines: at once where the buyer wished so beforehand, and by a
 * proposal for the rest. A repeat under the same `_id` makes no second one.
 * @returns the order as it is after it
 * @throws 400 an item that is none, 401, 404 not an order of this farm, 409 it is not open, another proposal is,
 *   it has another version than expected, a substitute is out of stock, or there is no time left to answer
 */
export async function proposeChange(
  platform: Platform,
  user: SessionUser,
  id: string,
  { _id, ...input }: ProposeChange,
): Promise<Order> {
  return transact(platform.db, async (tx) => {
    const { order, by, now, farm, proposed } = await lockOwnOrder(tx, user, id);
    if (proposed.some((each) => each.id === _id)) return presentOrder(order);
    const products = await shelfFor(tx, order, input.items);
    const decision = decidePropose(
      { now, by, order, products, answerMinutes: farm.answerMinutes },
      { ...input, id: _id ?? randomUUID(), newId: randomUUID, batchId: null },
    );
    if ('refusal' in decision) throw decision.refusal;
    return presentOrder(await writeProposal(tx, decision));
  });
}

/** Returns whether stock may move by a proposal: what is asked moves none. */
export const movesStock = (order: OrderRow, items: readonly ProposedItem[]): boolean =>
  order.proposals.length > 0 ||
  items.some(
    ({ action, reason, emptiesShelf }) =>
      action === 'substitute' || emptiesShelf || returnsToShelf(reason),
  );

/** Returns the products that a proposal is decided on, locked only where their stock may move by it. */
export function shelfFor(
  tx: Transaction,
  order: OrderRow,
  items: readonly ProposedItem[],
): Promise<Map<string, ShelfRow>> {
  const offered = items.flatMap((item) =>
    item.action === 'substitute' ? [item.substitute.productId] : [],
  );
  const ids = [...productIdsOf(order), ...offered];
  return movesStock(order, items) ? lockShelf(tx, ids) : readShelf(tx, ids);
}

/** Writes what was decided, with the timers that end the proposal and remind of it. */
export const writeProposal = (
  tx: Transaction,
  { plan, proposal }: Extract<ProposeDecision, { plan: unknown }>,
): Promise<OrderRow> =>
  writeOrder(tx, { ...plan, timers: proposal ? proposalTimers(proposal) : [] });

/** The key of the timer that ends a proposal. */
export const expiryKey = (proposalId: string) => `order.change:${proposalId}` as const;

function proposalTimers({ id, createdAt, answerBy }: ProposalRow): NewTimer[] {
  const reminders = remindersOf(new Date(createdAt), new Date(answerBy));
  return [
    { kind: 'order.change', key: expiryKey(id), dueAt: new Date(answerBy) },
    ...reminders.map((dueAt, index) => ({
      kind: 'order.changeReminder' as const,
      key: `order.changeReminder:${id}:${index + 1}` as const,
      dueAt,
    })),
  ];
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
