import { randomUUID } from 'node:crypto';
import type { ProposeChange, ProposedItem } from '#contract/ordering/changes/order-changes';
import type { Order } from '#contract/ordering/orders/orders';
import type { Transaction } from '../../../prisma/client.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { lockShelf, type OrderState } from '../model/lock.ts';
import { type OrderRow, presentOrder } from '../model/present.ts';
import { type OrderPlan, writeOrder } from '../model/write.ts';
import { proposalTimers } from './answer-by.ts';
import { lockOwnOrder } from './commands.ts';
import { decidePropose, type ProposeDecision, type ProposeState } from './decide-propose.ts';
import { productIdsOf } from './lines.ts';

/** Proposes a change of a locked order. @returns the order as it is after it */
export const writeProposal = (tx: Transaction, decision: Proposing): Promise<OrderRow> =>
  writeOrder(tx, withTimers(decision));

/** Returns what a proposal is decided on, with what may be offered locked too. */
export const proposeStateOf = async (
  tx: Transaction,
  { order, by, now, farm }: OrderState,
  offered: readonly string[] = [],
): Promise<ProposeState> => ({
  ...{ order, by, now, answerMinutes: farm.answerMinutes },
  products: await lockShelf(tx, [...productIdsOf(order), ...offered]),
});

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
    const locked = await lockOwnOrder(tx, user, id);
    if (locked.proposed.some((each) => each.id === _id)) return presentOrder(locked.order);
    const decision = decidePropose(await proposeStateOf(tx, locked, offeredIn(input.items)), {
      ...input,
      id: _id ?? randomUUID(),
      newId: randomUUID,
      batchId: null,
    });
    if ('refusal' in decision) throw decision.refusal;
    return presentOrder(await writeProposal(tx, decision));
  });
}

const offeredIn = (items: readonly ProposedItem[]): string[] =>
  items.flatMap((item) => (item.action === 'substitute' ? [item.substitute.productId] : []));

type Proposing = Extract<ProposeDecision, { plan: unknown }>;

/** Returns what was decided with the timers that end the proposal and remind of it. */
export const withTimers = ({ plan, proposal }: Proposing): OrderPlan => ({
  ...plan,
  timers: proposal ? proposalTimers(proposal) : [],
});
