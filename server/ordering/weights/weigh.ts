import type { OrderChange } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import type { WeighedLine, WeighLine, WeighLines } from '#contract/ordering/weights/weights';
import { fromMinor } from '#contract/platform/money/constants/money';
import { fromMilli, MILLI, toMilli } from '#contract/platform/quantities/constants/quantities';
import type { Transaction } from '../../../prisma/client.ts';
import { type AppError, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { answerByOf, withTimers } from '../changes/service.ts';
import { lockOrder } from '../model/lock.ts';
import { type OrderRow, presentOrder } from '../model/present.ts';
import { isFinalLine, type LineRow, totalOf } from '../model/present-lines.ts';
import { writeOrder } from '../model/write.ts';
import { type Overweight, planAsking } from './ask.ts';
import { decideWeight, type Weighing } from './decide-weight.ts';
import { weightRefusal } from './refusal.ts';

/** Milliseconds; one call weighs lines of up to 200 orders. */
export const WEIGH_TIMES_MS = { maxWait: 15_000, timeout: 60_000 };

/**
 * Writes what a line of an order of the caller's farm weighs, and what it costs by that. The same weight again
 * changes nothing.
 * @throws 400 it cannot weigh that, 401 the account was just deleted, 404 not an order of this farm or not a line of
 *   it, 409 the order is not accepted, the line is not sold by weight or was removed, a proposal for it is open, or
 *   somebody else weighed it first (`VERSION_CONFLICT`, with the order)
 */
export function weighLine(
  platform: Platform,
  user: SessionUser,
  orderId: string,
  { lineId, ...input }: WeighLine & { lineId: string },
): Promise<Order> {
  return transact(platform.db, async (tx) => {
    const found = await lockOwnOrder(tx, user, orderId);
    if (!found) throw notFound('Order not found');
    const { order, refusals } = await weighOrder(tx, found, [weighingOf(lineId, input)]);
    const refusal = refusals.get(lineId);
    if (refusal) throw refusal;
    return presentOrder(order);
  });
}

/**
 * Writes what lines of orders of the caller's farm weigh. Each is decided for itself by the rules of
 * {@link weighLine}; lines of one order change it once, together.
 * @returns what became of each weight, in the order of the input
 * @throws 401 the account was just deleted
 */
export function weighLines(
  platform: Platform,
  user: SessionUser,
  { items }: WeighLines,
): Promise<WeighedLine[]> {
  return transact(
    platform.db,
    async (tx) => {
      const outcomes = new Map<string, { order: OrderRow; refusals: Map<string, AppError> }>();
      // By ascending id, as every command locks orders.
      for (const orderId of [...new Set(items.map((item) => item.orderId))].sort()) {
        const found = await lockOwnOrder(tx, user, orderId);
        if (!found) continue;
        const weighings = items
          .filter((item) => item.orderId === orderId)
          .map(({ lineId, ...input }) => weighingOf(lineId, input));
        outcomes.set(orderId, await weighOrder(tx, found, weighings));
      }
      return items.map(({ orderId, lineId }) => {
        const outcome = outcomes.get(orderId);
        const refusal = outcome ? outcome.refusals.get(lineId) : notFound('Order not found');
        if (!outcome || refusal) {
          const { code, message } = refusal ?? notFound('Order not found');
          return { orderId, lineId, code, message };
        }
        return { orderId, lineId, order: presentOrder(outcome.order) };
      });
    },
    WEIGH_TIMES_MS,
  );
}

/** Returns a weight as it is decided on: pieces are summed in thousandths, which is exact. */
const weighingOf = (
  lineId: string,
  { packed, pieces, expectedPacked, overweight }: WeighLine,
): Weighing => ({
  lineId,
  packedMilli: (pieces ?? [packed ?? 0]).reduce((sum, each) => sum + toMilli(each), 0),
  knownMilli: expectedPacked == null ? expectedPacked : toMilli(expectedPacked),
  overweight,
});

type Locked = NonNullable<Awaited<ReturnType<typeof lockOrder>>>;

/** Locks an order of the caller's farm; nothing where there is none of this id. */
async function lockOwnOrder(
  tx: Transaction,
  user: SessionUser,
  id: string,
): Promise<Locked | undefined> {
  const found = await lockOrder(tx, user, id);
  return found?.order.farmerId === actingFarm(user) ? found : undefined;
}

/** Weighs lines of one locked order. @returns the order after it, and why some weights were not taken */
async function weighOrder(
  tx: Transaction,
  { order, by, now, farm }: Locked,
  weighings: readonly Weighing[],
): Promise<{ order: OrderRow; refusals: Map<string, AppError> }> {
  const answerBy = answerByOf(order, now, farm.answerMinutes);
  const terms = {
    tolerancePercent: farm.weightTolerancePercent,
    canAsk: answerBy !== null,
  };
  const refusals = new Map<string, AppError>();
  const asks: Overweight[] = [];
  const changed = new Map<string, LineRow>();
  for (const weighing of weighings) {
    const { lineId, packedMilli } = weighing;
    // As it is after the weights before this one, so that their sum stays within the largest total.
    const present = { ...order, lines: withLines(order.lines, changed) };
    const decision = decideWeight(present, weighing, terms);
    if ('refusal' in decision) {
      refusals.set(lineId, weightRefusal(decision.refusal, order, packedMilli));
    } else if ('line' in decision) {
      changed.set(lineId, decision.line);
      const before = order.lines.find(({ id }) => id === lineId);
      if (before && decision.askedMinor !== null) {
        asks.push({ before, line: decision.line, askedMinor: decision.askedMinor });
      }
    }
  }
  if (changed.size === 0) return { order, refusals };
  const lines = withLines(order.lines, changed);
  const plan = { at: now, by, before: order, lines };
  const weights = weightsChange(order, changed);
  const asking = planAsking({
    order: { ...order, lines },
    asks,
    weighed: new Set(changed.keys()),
    by,
    at: now,
    answerBy: answerBy ?? now,
  });
  // One event has both, so that nobody is notified of a total that they are about to be asked about.
  const after = await writeOrder(
    tx,
    asking
      ? withTimers({
          proposal: asking.proposal,
          plan: { ...plan, earlier: [weights], ...asking.changes },
        })
      : { ...plan, change: weights },
  );
  return { order: after, refusals };
}

const withLines = (lines: readonly LineRow[], changed: ReadonlyMap<string, LineRow>): LineRow[] =>
  lines.map((line) => changed.get(line.id) ?? line);

/** Returns new weights of an order, as the timeline and events have them. */
function weightsChange(
  order: OrderRow,
  changed: ReadonlyMap<string, LineRow>,
): Extract<OrderChange, { kind: 'weights' }> {
  const lines = withLines(order.lines, changed);
  return {
    kind: 'weights',
    lines: order.lines.flatMap((before) => {
      const after = changed.get(before.id);
      return after ? [weighedDifference(before, after)] : [];
    }),
    totalBefore: fromMinor(totalOf(order.lines)),
    totalAfter: fromMinor(totalOf(lines)),
    isTotalFinal: lines.every(isFinalLine),
  };
}

const weighedDifference = (before: LineRow, after: LineRow) => ({
  lineId: after.id,
  product: { _id: after.productId, name: after.name, unit: after.unit },
  ...(after.pieceMilli === null ? {} : { pieces: Math.round(after.quantityMilli / MILLI) }),
  from: before.packedMilli === null ? null : fromMilli(before.packedMilli),
  to: after.packedMilli === null ? null : fromMilli(after.packedMilli),
});
