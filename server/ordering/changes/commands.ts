import { randomUUID } from 'node:crypto';
import type {
  AnswerChange,
  ChangeItems,
  ProposeChange,
  RememberedPreference,
  SetPreference,
} from '#contract/ordering/changes/order-changes';
import type { Proposal } from '#contract/ordering/changes/order-lines';
import { partyTo } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import type { ShortagePreference } from '#contract/platform/orders/constants';
import { msg } from '#contract/platform/text/constants/texts';
import { dayIn } from '#contract/platform/time/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { dayRulesOf, zoneOf } from '../../farm/farmers/present.ts';
import { farmPaused, pausedUntilOf } from '../../farm/pause/policy.ts';
import { ordersUntil } from '../../farm/schedule/rules.ts';
import { invalidField, notFound, requireVersion } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { readClock } from '../../platform/time/clock.ts';
import { changeOrder } from '../model/change-order.ts';
import { dayOf, proposalTimers } from '../model/handover.ts';
import { lockOrderFor, lockStock, type OrderState, type StockedState } from '../model/lock.ts';
import { lockOpenOrdersOf } from '../model/open-orders.ts';
import { presentOrder, readOrders } from '../model/present.ts';
import { type OrderPlan, writeOrder } from '../model/write.ts';
import { decideAnswer, decideExpiry, decideWithdraw } from './decide-close.ts';
import { decideItems, OTHER_PRODUCT } from './decide-items.ts';
import { decidePropose, type ProposeDecision } from './decide-propose.ts';
import { linesChange, productIdsOf } from './lines.ts';
import { refuseClosed } from './refusals.ts';

/**
 * Replaces the lines of a consumer's order. The farm is notified of the difference.
 * @returns the order as it is after it
 * @throws 400 a quantity in which a product is not sold, too large a total or something instead that is no other
 *   product of the farm, 401, 404 not an own order, 409 it
 *   is not open, is packed, waits for an answer or has another version, its cut-off is over, or something is added
 *   that cannot be had, or while the farm takes no orders
 */
export const changeItems = (
  platform: Platform,
  user: SessionUser,
  id: string,
  input: ChangeItems,
): Promise<Order> =>
  changeOrder(
    platform,
    user,
    id,
    async (tx, state) => {
      const { order, now } = state;
      const asked = input.items.flatMap(({ product, preferredProduct }) =>
        preferredProduct === undefined ? [product] : [product, preferredProduct],
      );
      const stocked = await lockProductsOf(tx, state, asked);
      const farm = await tx.farmerProfile.findUnique({ where: { userId: order.farmerId } });
      const { onShortDefault } = await tx.user.findUniqueOrThrow({
        where: { id: user.id },
        select: { onShortDefault: true },
      });
      const date = dayOf(order);
      const timeZone = zoneOf(farm);
      const startsAt = order.startsAt === null ? undefined : new Date(order.startsAt);
      const changesUntil = ordersUntil(dayRulesOf(farm), date, timeZone, startsAt);
      const days = { today: dayIn(timeZone, now), date, changesUntil };
      const pausedUntil = pausedUntilOf(farm, now);
      const paused = pausedUntil && farmPaused(pausedUntil, timeZone, now);
      return decideItems({ ...stocked, ...days, paused, onShortDefault, newId: randomUUID }, input);
    },
    // A pause is either seen, or waits for this change.
    { holdsFarm: true },
  );

/**
 * Writes what a consumer wishes if the farm runs short of a line.
 * @returns the order as it is after it
 * @throws 400 the product to take instead is none of this farm, 401, 404 not an own order or no line of it, 409
 *   the order is not open, or has another version than expected
 */
export const setWish = (
  platform: Platform,
  user: SessionUser,
  { id, lineId }: { id: string; lineId: string },
  { onShort, preferredProduct, expectedVersion }: SetPreference,
): Promise<Order> =>
  changeOrder(platform, user, id, async (tx, { order: before, by, now }) => {
    const line = before.lines.find((each) => each.id === lineId);
    if (!line) throw notFound(msg('Line not found'));
    const closed = refuseClosed(before);
    if (closed) throw closed;
    await requireVersion(expectedVersion, before.version, () => presentOrder(before));
    const preferredProductId = (onShort === 'specific' && preferredProduct) || null;
    if (preferredProductId) {
      const where = { id: preferredProductId, farmerId: before.farmerId };
      const found = await tx.product.findFirst({ where, select: { id: true } });
      if (!found || preferredProductId === line.productId) {
        throw invalidField('preferredProduct', OTHER_PRODUCT);
      }
    }
    if (line.onShort === onShort && line.preferredProductId === preferredProductId) {
      return { unchanged: before };
    }
    const lines = before.lines.map((each) =>
      each.id === lineId ? { ...each, onShort, preferredProductId } : each,
    );
    const change = linesChange('wish', before.lines, lines);
    return { plan: { at: now, by, before, lines, change } };
  });

/**
 * Returns what a consumer wished last for a shortage of each of these products, as far as they ordered them. Other
 * people's products and unknown ones are left out, and so is a wish for something instead that is no longer sold.
 */
export async function readPreferences(
  { db }: Platform,
  userId: string,
  products: readonly string[],
): Promise<RememberedPreference[]> {
  const rows = await db.$queryRaw<
    { product: string; onShort: ShortagePreference; preferredProduct: string | null }[]
  >`SELECT DISTINCT ON (line.product_id) line.product_id AS product, line.on_short AS "onShort",
      instead.id AS "preferredProduct"
    FROM order_lines line JOIN orders o ON o.id = line.order_id
    LEFT JOIN products instead ON instead.id = line.preferred_product_id AND instead.is_active
    WHERE line.product_id = ANY (${[...products]}::uuid[]) AND o.consumer_id = ${userId}::uuid
      AND line.replaces_line_id IS NULL
    ORDER BY line.product_id, o.created_at DESC, o.id DESC, line.position`;
  return rows
    .filter(({ onShort, preferredProduct }) => onShort !== 'specific' || preferredProduct !== null)
    .map(({ preferredProduct, ...preference }) => ({
      ...preference,
      ...(preferredProduct === null ? {} : { preferredProduct }),
    }));
}

/** Locks the products of a locked order and of what its proposal offers, and others. */
export const lockProductsOf = async <State extends Pick<OrderState, 'order'>>(
  tx: Transaction,
  state: State,
  others: readonly string[] = [],
): Promise<State & Pick<StockedState, 'products'>> => ({
  ...state,
  products: await lockStock(tx, [...productIdsOf(state.order), ...others]),
});

/** Returns what was decided with the timers that end the proposal and remind of it. */
export const withTimers = ({
  plan,
  proposal,
}: Extract<ProposeDecision, { plan: unknown }>): OrderPlan => ({
  ...plan,
  timers: proposal ? proposalTimers(proposal) : [],
});

/**
 * Changes what the farm wants of an order's lines: at once where the consumer wished so beforehand, and by a
 * proposal for the rest. A repeat under the same `_id` makes no second one.
 * @returns the order as it is after it
 * @throws 400 an item that is none, 401, 404 not an order of this farm, 409 it is not open, another proposal is,
 *   it has another version than expected, a substitute is out of stock, or there is no time left to answer
 */
export const proposeChange = (
  platform: Platform,
  user: SessionUser,
  id: string,
  { _id, ...input }: ProposeChange,
): Promise<Order> =>
  changeOrder(platform, user, id, async (tx, state) => {
    if (state.proposed.some((each) => each.id === _id)) return { unchanged: state.order };
    const offered = input.items.flatMap((item) =>
      item.action === 'substitute' ? [item.substitute.productId] : [],
    );
    const ids = { id: _id ?? randomUUID(), newId: randomUUID, batchId: null };
    const decision = decidePropose(await lockProductsOf(tx, state, offered), { ...input, ...ids });
    return 'refusal' in decision ? decision : { plan: withTimers(decision) };
  });

/**
 * Takes a consumer's answer to a proposal, or cancels the order because of it.
 * @returns the order as it is after it
 * @throws 400 not each of its lines is answered, 401, 404 no proposal of an own order, 409 it is not open
 */
export const answerChange = (
  platform: Platform,
  user: SessionUser,
  { id, changeId }: { id: string; changeId: string },
  answer: AnswerChange,
): Promise<Order> =>
  changeOrder(platform, user, id, async (tx, state) => {
    await requireProposal(tx, id, changeId);
    return decideAnswer(await lockProductsOf(tx, state), changeId, answer);
  });

/**
 * Takes a proposal back that is not answered yet. What an admin does is noted in the audit.
 * @returns the order as it is after it
 * @throws 401, 404 no proposal of an order of this farm, 409 it is not open
 */
export const withdrawChange = (
  platform: Platform,
  user: SessionUser,
  { id, changeId }: { id: string; changeId: string },
): Promise<Order> =>
  changeOrder(platform, user, id, async (tx, state) => {
    await requireProposal(tx, id, changeId);
    const decision = decideWithdraw(await lockProductsOf(tx, state), changeId);
    if ('plan' in decision && partyTo(state.order, user) === 'admin') {
      await audit(tx, user, 'order.changeWithdrawn', id, { proposal: changeId });
    }
    return decision;
  });

/** @throws 404 when the order has no such proposal */
async function requireProposal(tx: Transaction, orderId: string, id: string): Promise<void> {
  const known = await tx.orderProposal.findFirst({
    where: { id, orderId },
    select: { id: true },
  });
  if (!known) throw notFound(msg('Proposal not found'));
}

/**
 * Ends a proposal that was not answered in time, in the transaction that has taken its timer. It looks at the
 * present state: what was answered, taken back or replaced stays as it is.
 */
export async function expireProposal(tx: Transaction, id: string): Promise<void> {
  const known = await tx.orderProposal.findUnique({
    where: { id },
    select: { id: true, orderId: true, createdById: true, status: true },
  });
  if (known?.status === 'open') await expire(tx, known);
}

/**
 * Ends the proposals on accepted orders of a consumer whose account is being deleted, as if they were not answered,
 * in that deletion; it cancels the pending ones. All their orders are locked first, then all products.
 */
export async function expireProposalsOf(tx: Transaction, consumerId: string): Promise<void> {
  const ids = await lockOpenOrdersOf(tx, consumerId, 'consumer');
  const open = await tx.orderProposal.findMany({
    where: { status: 'open', orderId: { in: ids } },
    select: { id: true, orderId: true, createdById: true, order: { select: { status: true } } },
    orderBy: { orderId: 'asc' },
  });
  if (open.length === 0) return;
  const orders = await readOrders(tx, ids);
  await lockStock(tx, orders.flatMap(productIdsOf));
  for (const { order, ...proposal } of open) {
    if (order.status === 'accepted') await expire(tx, proposal, { isAtOnce: true });
  }
}

async function expire(
  tx: Transaction,
  { id, orderId, createdById }: { id: string; orderId: string; createdById: string },
  when?: { isAtOnce: boolean },
): Promise<void> {
  const locked = await lockOrderFor(tx, createdById, orderId);
  if (!locked) return;
  const plan = decideExpiry(await lockProductsOf(tx, locked), id, when);
  if (plan) await writeOrder(tx, plan);
}

/**
 * Returns an order with the proposal that still waits for its consumer, and the database's clock; nothing where it does
 * not.
 */
export async function readWaiting(
  tx: Transaction,
  proposalId: string,
): Promise<{ order: Order; proposal: Proposal; now: Date } | undefined> {
  const known = await tx.orderProposal.findUnique({
    where: { id: proposalId },
    select: { orderId: true },
  });
  const [row] = known ? await readOrders(tx, [known.orderId]) : [];
  const order = row && presentOrder(row);
  const proposal = order?.openChange;
  if (!order || proposal?._id !== proposalId) return undefined;
  return { order, proposal, now: await readClock(tx) };
}
