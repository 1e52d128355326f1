import { randomUUID } from 'node:crypto';
import type { ProposeChange, ProposedItem } from '#contract/ordering/changes/order-changes';
import type { Order } from '#contract/ordering/orders/orders';
import { SHELF_ROW, type ShelfRow } from '../../catalogue/stock/stock-events.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { CALLER, type LockedWorker, requireWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { ORDER_STATE, type OrderState } from '../model/lock-order.ts';
import { canReadOrder } from '../model/policy.ts';
import { ORDER_SOURCE, type OrderRow, presentOrder } from '../model/present.ts';
import { RESERVED_PRODUCT, RESERVED_SOURCE } from '../model/present-lines.ts';
import { type Run, runForCommand, untilDecided } from '../model/statement.ts';
import { type OrderPlan, writeOrderIfUnchanged } from '../model/write-order.ts';
import { proposalTimers } from './answer-by.ts';
import { decidePropose, type ProposeDecision, type ProposeState } from './decide-propose.ts';

// $1 the order, $2 whoever proposes, $3 products that may be offered.
const READ = {
  name: 'read_for_proposing',
  text: `SELECT caller.*, state.*, to_json(clock_timestamp()) AS now
  FROM (SELECT ${CALLER}) AS caller
  LEFT JOIN LATERAL (
    SELECT ${ORDER_STATE},
      (SELECT COALESCE(json_agg(${SHELF_ROW}), '[]') FROM products p WHERE p.id = ANY (ARRAY(
        SELECT product_id FROM order_lines WHERE order_id = $1::uuid
        UNION ALL
        SELECT ${RESERVED_PRODUCT} FROM ${RESERVED_SOURCE} WHERE proposal.order_id = $1::uuid
        UNION ALL
        SELECT unnest($3::uuid[])))) AS products
    FROM ${ORDER_SOURCE} WHERE o.id = $1::uuid
  ) AS state ON true`,
};

/** What a proposal is decided on, and by whom. */
interface Proposable extends ProposeState, Pick<OrderState, 'proposed'> {
  caller: Pick<SessionUser, 'id' | 'membership'>;
}

type ReadRow = LockedWorker &
  Omit<OrderState, 'order' | 'now'> & { order: OrderRow | null; products: ShelfRow[]; now: string };

/**
 * Reads what a proposal is decided on, in one statement and without locks: see `place.ts`.
 * @returns nothing where there is no such order
 * @throws as `lockWorker`
 */
export async function readForProposing(
  run: Run,
  { id, membership }: SessionUser,
  orderId: string,
  offered: readonly string[] = [],
): Promise<Proposable | undefined> {
  const [row] = await run<ReadRow>(READ, [orderId, id, offered]);
  requireWorker(row, { membership });
  if (!row?.order) return undefined;
  const { order, by, farm, proposed, products } = row;
  return {
    ...{ order, by, proposed, answerMinutes: farm.answerMinutes },
    now: new Date(row.now),
    products: new Map(products.map((product) => [product.id, product])),
    // By the role that they have now, which may include more than when the command began.
    caller: { id, membership: membership && row.role },
  };
}

/**
 * Changes what the farm wants of an order's lines: at once where the buyer wished so beforehand, and by a
 * proposal for the rest. A repeat under the same `_id` makes no second one. Read, decide, write: see `place.ts`.
 * @returns the order as it is after it
 * @throws 400 an item that is none, 401, 404 not an order of this farm, 409 it is not open, another proposal is,
 *   it has another version than expected, a substitute is out of stock, or there is no time left to answer, 503 too
 *   many others changed the same things at once
 */
export async function proposeChange(
  platform: Platform,
  user: SessionUser,
  id: string,
  { _id, ...input }: ProposeChange,
): Promise<Order> {
  const run = runForCommand(platform.pool);
  return untilDecided(async () => {
    const state = await readForProposing(run, user, id, offeredIn(input.items));
    if (!state || !canReadOrder(user, state.order)) throw notFound('Order not found');
    if (state.proposed.some((each) => each.id === _id)) return presentOrder(state.order);
    const decision = decidePropose(state, {
      ...input,
      id: _id ?? randomUUID(),
      newId: randomUUID,
      batchId: null,
    });
    if ('refusal' in decision) throw decision.refusal;
    const after = await writeProposal(run, decision, state.caller);
    return after && presentOrder(after);
  });
}

const offeredIn = (items: readonly ProposedItem[]): string[] =>
  items.flatMap((item) => (item.action === 'substitute' ? [item.substitute.productId] : []));

type Proposing = Extract<ProposeDecision, { plan: unknown }>;

/**
 * Writes what was decided.
 * @returns the order as it is after it; undefined, with nothing written, when something is no longer as it was read
 */
export const writeProposal = (
  run: Run,
  decision: Proposing,
  caller: Proposable['caller'],
): Promise<OrderRow | undefined> => writeOrderIfUnchanged(run, withTimers(decision), caller);

/** Returns what was decided with the timers that end the proposal and remind of it. */
export const withTimers = ({ plan, proposal }: Proposing): OrderPlan => ({
  ...plan,
  timers: proposal ? proposalTimers(proposal) : [],
});
