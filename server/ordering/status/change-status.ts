import { ORDER_TRANSITIONS, type OrderCheck } from '#contract/ordering/orders/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type {
  Order,
  StatusResult,
  UpdateOrderStatus,
  UpdateOrderStatuses,
} from '#contract/ordering/orders/orders';
import type { PackOrder } from '#contract/ordering/picklist/picklist';
import { canActFor } from '#contract/platform/session/constants';
import { type Message, msg, writeMessage } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import type { StockRow } from '../../catalogue/stock/stock-events.ts';
import {
  type AppError,
  conflict,
  notFound,
  requireVersion,
  versionConflict,
} from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { withoutPermission } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { openStock, productIdsOf, reservedIn } from '../changes/lines.ts';
import { openChange, unweighed } from '../changes/refusals.ts';
import { changeOrder, type Decision } from '../model/change-order.ts';
import { lockOrders, lockStock, type StockedState } from '../model/lock.ts';
import {
  allowedTransition,
  canReadOrder,
  holdsSlot,
  isWithinRole,
  type Reader,
} from '../model/policy.ts';
import { checksOf, type OrderRow, presentOrder } from '../model/present.ts';
import { isFinalLine, type LineRow, lineCost } from '../model/present-lines.ts';
import { type OrderPlan, writeOrders } from '../model/write.ts';
import { lotsAfter } from './lots.ts';

/**
 * Moves an order to another status, if the table of transitions lets this party. The same status
 * again changes nothing. Stock that comes free goes back to the stock, both parties and admins are
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
  { ids, checked = [], ...input }: UpdateOrderStatuses,
): Promise<StatusResult[]> {
  const outcomes = await changeEach(platform, user, [...new Set(ids)], input, checked);
  return outcomes.map((outcome) =>
    'refusal' in outcome
      ? {
          _id: outcome.id,
          code: outcome.refusal.code,
          message: writeMessage(outcome.refusal.sentence),
        }
      : { _id: outcome.id, order: presentOrder(outcome.order) },
  );
}

type Outcome = { id: string; order: OrderRow } | { id: string; refusal: AppError };

async function changeEach(
  { db }: Platform,
  user: SessionUser,
  ids: readonly string[],
  input: UpdateOrderStatus,
  checked: readonly string[] = [],
): Promise<Outcome[]> {
  const { status: to } = input;
  const isAlone = ids.length === 1;
  const mayReturnStock = ORDER_TRANSITIONS.some((way) => way.to === to && way.returnsStock);
  return transact(db, async (tx) => {
    const { states, seen, membership } = await lockOrders(tx, user, ids);
    const orders = [...states.values()].map(({ order }) => order);
    const products = await lockStock(tx, mayReturnStock ? orders.flatMap(productIdsOf) : []);
    // The session may be from before somebody changed their role.
    const caller = { ...user, membership };
    const audited: Pick<OrderPlan, 'audit'> =
      user.role === 'admin' ? { audit: 'order.statusChanged' } : {};
    const decided = ids.map((id) => {
      const state = states.get(id);
      const known = state && { ...state, products };
      const isChecked = isAlone || checked.includes(id);
      return {
        id,
        decision: decideStatusChange(known, caller, input, { isChecked, seen: seen[id] }),
      };
    });
    const plans = decided.flatMap(({ decision }) =>
      'plan' in decision ? [{ ...decision.plan, ...audited }] : [],
    );
    const written = await writeOrders(tx, plans);
    const after = new Map(written.map((order) => [order.id, order]));
    return decided.map(({ id, decision }): Outcome => {
      if ('refusal' in decision) return { id, refusal: decision.refusal };
      const order = 'plan' in decision ? after.get(id) : decision.unchanged;
      if (!order) throw new Error('An order was not written');
      return { id, order };
    });
  });
}

/** What a change gives back that leaves the goods with the order. */
export const NOTHING_RETURNED = { stock: [], unreturned: [] } as const;

/**
 * Decides whether an order gets another status. The rules: only who may read the order knows of it; of the
 * farm only those whose role says so may change it; it has the version that the client expects, if it expects
 * one; the same status again changes nothing; the table of transitions says who may go where, and whether the
 * stock goes back. While a proposal waits for an answer an order is neither accepted nor completed; an end
 * takes the proposal back. What is priced by weight has to be weighed before an order is completed, or to cost what
 * was estimated, if that is said. Several at once are accepted without those that somebody has to look at, unless they
 * did. Of two people who act at once one wins: who finds that the order got another status
 * since they first looked (`seen`) is refused.
 */
function decideStatusChange(
  state: StockedState | undefined,
  user: Reader,
  { status: to, reason, expectedVersion, usesEstimates = false }: UpdateOrderStatus,
  { seen, isChecked }: { seen: OrderStatus | undefined; isChecked: boolean },
): Decision {
  if (!state || !canReadOrder(user, state.order))
    return { refusal: notFound(msg('Order not found')) };
  const { now, by, order, products } = state;
  const { status } = order;
  if (!isWithinRole(user, order, to)) return { refusal: withoutPermission() };
  if (expectedVersion !== undefined && expectedVersion !== order.version) {
    return { refusal: versionConflict(presentOrder(order)) };
  }
  if (status === to) return { unchanged: order };
  const hasChanged = seen !== undefined && seen !== status;
  const transition = hasChanged ? undefined : allowedTransition(user, order, to);
  if (!transition) {
    const message = hasChanged ? someoneWasQuicker(status, to) : notPossible(status, to);
    return { refusal: conflict('TRANSITION_NOT_ALLOWED', message) };
  }
  const [check] = isChecked || to !== 'accepted' ? [] : checksOf(order);
  if (check) return { refusal: conflict('CHECK_FIRST', checkFirst(check)) };
  // What holds room and goods goes on as it is, so it waits for the answer.
  if (order.proposals.length > 0 && holdsSlot(to)) return { refusal: openChange(order) };
  const open = to === 'completed' ? order.lines.filter((line) => !isFinalLine(line)) : [];
  if (open.length > 0 && !usesEstimates) return { refusal: unweighed(order) };
  return {
    plan: statusPlan(
      { at: now, by, before: order, to, reason: reason || null },
      transition.returnsStock ? returnedBy(order, products) : NOTHING_RETURNED,
      open,
    ),
  };
}

const checkFirst = (check: OrderCheck): Message =>
  msg(
    '{check, select, own_place {The customer wrote a place of their own for the pickup.} other {Nobody has said that this address is in your delivery area.}} Look at this order, then accept it by itself.',
    { check },
  );

const someoneWasQuicker = (from: OrderStatus, to: OrderStatus): Message =>
  msg(
    "Someone was quicker: this order is {from, select, pending {pending} accepted {accepted} rejected {rejected} completed {completed} other {cancelled}} now, so it can't become {to, select, pending {pending} accepted {accepted} rejected {rejected} completed {completed} other {cancelled}}.",
    { from, to },
  );

/** Says what to do first, for the one mistake that has a way on. */
const notPossible = (from: OrderStatus, to: OrderStatus): Message =>
  from === 'pending' && to === 'completed'
    ? msg("This order is pending, so it can't become completed. Accept it first, then complete it.")
    : msg(
        "This order is {from, select, pending {pending} accepted {accepted} rejected {rejected} completed {completed} other {cancelled}}, so it can't become {to, select, pending {pending} accepted {accepted} rejected {rejected} completed {completed} other {cancelled}}.",
        { from, to },
      );

/**
 * Returns the plan of a status. An end takes an open proposal back; lines that were not weighed cost what was estimated
 * from then on.
 */
export const statusPlan = (
  {
    to,
    ...plan
  }: Pick<OrderPlan, 'at' | 'by' | 'before' | 'reason' | 'cause'> & { to: OrderStatus },
  returned: Pick<OrderPlan, 'stock' | 'unreturned'>,
  unweighed: readonly LineRow[] = [],
): OrderPlan => ({
  ...plan,
  ...returned,
  change: { kind: 'status', from: plan.before.status, to },
  proposals: plan.before.proposals.map((proposal) => ({ ...proposal, status: 'withdrawn' })),
  ...(unweighed.length === 0
    ? {}
    : {
        lines: plan.before.lines.map((line) =>
          unweighed.includes(line) ? { ...line, finalMinor: lineCost(line) } : line,
        ),
      }),
});

/**
 * Returns how much of each product an order gives back that holds it, in its lines and for what its open proposal
 * offers instead; of a deleted product nothing.
 */
export function returnedBy(
  order: OrderRow,
  products: ReadonlyMap<string, StockRow>,
): Pick<OrderPlan, 'stock' | 'unreturned'> {
  const stock = openStock(products);
  for (const goods of [...order.lines, ...reservedIn(order.proposals)]) {
    stock.give(goods, goods.quantityMilli);
  }
  return stock.outcome();
}

/**
 * Says how far an order is packed, and into how many crates. What it is already is no change. Goods of an order that is
 * no longer packed are in no crates. An open proposal does not keep an order from being packed: the goods may be in the
 * crate while only the price of what they weigh is asked for. What the caller weighed themselves is known to them: who
 * presses "Packed" right after a weight may name the version before it.
 * @throws 400 a lot of a line that the order does not have, 401 the account was just deleted, 403 not within the caller's role, 404 not an order of the farm, 409 it is
 * not
 *   accepted, or has another version than expected
 */
export const packOrder = (
  platform: Platform,
  user: SessionUser,
  id: string,
  { packing, crates, lots, expectedVersion }: PackOrder,
): Promise<Order> =>
  changeOrder(platform, user, id, async (tx, { order, by, now }) => {
    if (!canActFor(user, order.farmerId, 'packOrders')) throw withoutPermission();
    if (!(await isOwnWeighing(tx, order, user.id, expectedVersion))) {
      await requireVersion(expectedVersion, order.version, () => presentOrder(order));
    }
    const counted = packing === 'none' ? null : crates === undefined ? order.crates : crates;
    const lines = await lotsAfter(tx, order, { packing, lots });
    if (order.packing === packing && order.crates === counted && !lines) {
      return { unchanged: order };
    }
    if (order.status !== 'accepted') {
      throw conflict(
        'ORDER_NOT_ACCEPTED',
        msg(
          "This order is {status, select, pending {pending} rejected {rejected} completed {completed} other {cancelled}}, so it can't be packed. Only accepted orders can.",
          { status: order.status },
        ),
      );
    }
    const change = {
      from: order.packing,
      to: packing,
      ...(counted === null ? {} : { crates: counted }),
    };
    return {
      plan: {
        ...{ at: now, by, before: order },
        change: { kind: 'packing', ...change },
        packing: { packing, crates: counted },
        ...(lines && { lines }),
      },
    };
  });

/**
 * Returns whether all that changed an order since a version is what one person weighed, and the questions to its
 * consumer that came of it. Goods and packing are as they were then.
 */
async function isOwnWeighing(
  tx: Transaction,
  order: OrderRow,
  userId: string,
  version: number | undefined,
): Promise<boolean> {
  if (version === undefined || version >= order.version) return false;
  const since = await tx.orderTimelineEntry.findMany({
    where: { orderId: order.id, version: { gt: version } },
    select: { version: true, kind: true, detail: true, byId: true },
  });
  const versions = new Set(since.map((entry) => entry.version));
  // A version without an entry is a change that nobody is named for.
  if (versions.size !== order.version - version) return false;
  return since.every(
    ({ kind, detail, byId }) =>
      byId === userId && (kind === 'weights' || (kind === 'proposal' && changesNoLine(detail))),
  );
}

const changesNoLine = (detail: unknown): boolean =>
  (detail as { differences?: unknown[] } | null)?.differences?.length === 0;
