import type { OrderChange } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import type { WeighedLine, WeighLine, WeighLines } from '#contract/ordering/weights/weights';
import { fromMinor } from '#contract/platform/money/constants';
import { fromMilli, MILLI, toMilli } from '#contract/platform/quantities/constants/quantities';
import { msg, writeMessage } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import { type AppError, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { withTimers } from '../changes/commands.ts';
import { answerByOf } from '../model/handover.ts';
import { lockOrder, type OrderState } from '../model/lock.ts';
import { type OrderRow, presentOrder } from '../model/present.ts';
import { isFinalLine, type LineRow, totalOf } from '../model/present-lines.ts';
import { writeOrder } from '../model/write.ts';
import { decideWeight, type Overweight, planAsking, type Weighing } from './decide-weight.ts';

/** Milliseconds; one call weighs lines of up to 200 orders. */
export const WEIGH_TIMES_MS = { maxWait: 15_000, timeout: 60_000 };

/**
 * Writes what a line of an order of the caller's farm weighs, and what it costs by that. The same weight again
 * changes nothing.
 * @throws 400 it cannot weigh that, 401 the account was just deleted, 404 not an order of this farm or not a line of
 *   it, 409 the order is not accepted, the line is not sold by weight or was removed, a proposal for it is open, or
 *   somebody else weighed it first (`VERSION_CONFLICT`, with the order)
 */
export async function weighLine(
  platform: Platform,
  user: SessionUser,
  orderId: string,
  line: WeighLine & { lineId: string },
): Promise<Order> {
  const [outcome] = await weighEach(platform, user, [{ ...line, orderId }]);
  if (!outcome) throw new Error('The weight has no outcome');
  if ('refusal' in outcome) throw outcome.refusal;
  return presentOrder(outcome.order);
}

/**
 * Writes what lines of orders of the caller's farm weigh. Each is decided for itself by the rules of
 * {@link weighLine}; lines of one order change it once, together.
 * @returns what became of each weight, in the order of the input
 * @throws 401 the account was just deleted
 */
export async function weighLines(
  platform: Platform,
  user: SessionUser,
  { items }: WeighLines,
): Promise<WeighedLine[]> {
  const outcomes = await weighEach(platform, user, items);
  return outcomes.map(({ orderId, lineId, ...outcome }) =>
    'refusal' in outcome
      ? {
          orderId,
          lineId,
          code: outcome.refusal.code,
          message: writeMessage(outcome.refusal.sentence),
        }
      : { orderId, lineId, order: presentOrder(outcome.order) },
  );
}

type Outcome = { orderId: string; lineId: string } & ({ order: OrderRow } | { refusal: AppError });

/** Weighs lines of several orders. @returns what became of each, in their order */
const weighEach = (
  { db }: Platform,
  user: SessionUser,
  items: WeighLines['items'],
): Promise<Outcome[]> =>
  transact(
    db,
    async (tx) => {
      const outcomes = new Map<string, { order: OrderRow; refusals: Map<string, AppError> }>();
      // By ascending id, as every command locks orders.
      for (const orderId of [...new Set(items.map((item) => item.orderId))].sort()) {
        const found = await lockOrder(tx, user, orderId);
        if (found?.order.farmerId !== actingFarm(user)) continue;
        const weighings = items.filter((item) => item.orderId === orderId).map(weighingOf);
        outcomes.set(orderId, await weighOrder(tx, found, weighings));
      }
      return items.map(({ orderId, lineId }): Outcome => {
        const outcome = outcomes.get(orderId);
        if (!outcome) return { orderId, lineId, refusal: notFound(msg('Order not found')) };
        const refusal = outcome.refusals.get(lineId);
        return { orderId, lineId, ...(refusal ? { refusal } : { order: outcome.order }) };
      });
    },
    WEIGH_TIMES_MS,
  );

/** Returns a weight as it is decided on: pieces are summed in thousandths, which is exact. */
const weighingOf = ({
  lineId,
  packed,
  pieces,
  expectedPacked,
  overweight,
}: WeighLines['items'][number]): Weighing => ({
  lineId,
  packedMilli: (pieces ?? [packed ?? 0]).reduce((sum, each) => sum + toMilli(each), 0),
  knownMilli: expectedPacked == null ? expectedPacked : toMilli(expectedPacked),
  overweight,
});

/** Weighs lines of one locked order. @returns the order after it, and why some weights were not taken */
async function weighOrder(
  tx: Transaction,
  { order, by, now, farm }: OrderState,
  weighings: readonly Weighing[],
): Promise<{ order: OrderRow; refusals: Map<string, AppError> }> {
  const answerBy = answerByOf(order, now, farm.answerMinutes);
  const refusals = new Map<string, AppError>();
  const asks: Overweight[] = [];
  const changed = new Map<string, LineRow>();
  for (const weighing of weighings) {
    const { lineId } = weighing;
    const decision = decideWeight(order, weighing, {
      lines: withLines(order.lines, changed),
      tolerancePercent: farm.weightTolerancePercent,
      canAsk: answerBy !== null,
    });
    if ('refusal' in decision) refusals.set(lineId, decision.refusal);
    if (!('line' in decision)) continue;
    changed.set(lineId, decision.line);
    const before = order.lines.find(({ id }) => id === lineId);
    if (before && decision.askedMinor !== null) {
      asks.push({ before, line: decision.line, askedMinor: decision.askedMinor });
    }
  }
  if (changed.size === 0) return { order, refusals };
  const lines = withLines(order.lines, changed);
  const plan = { at: now, by, before: order, lines };
  const weights = weightsChange(order, changed);
  const weighed = { order: { ...order, lines }, by, now };
  const asking = planAsking(weighed, asks, changed, answerBy ?? now);
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
