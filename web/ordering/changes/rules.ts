import type { Product } from '#contract/catalogue/products/product';
import {
  goesByWish,
  type LineAnswer,
  type ShortReason,
} from '#contract/ordering/changes/constants';
import type { OrderLine, Proposal, ProposalItem } from '#contract/ordering/changes/order-lines';
import { answerByMs, isOpenStatus } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { fromMinor, toMinor } from '#contract/platform/money/constants';
import {
  estimateMinor,
  fromMilli,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import {
  isSoldOut,
  mostOf,
  nearestOffered,
  type Steps,
  stepOf,
} from '#contract/platform/quantities/constants/steps';

// What a farm's proposal comes to, before it is sent and before it is answered. The server decides all the same.

/** A product that can be chosen: one of the farm's, as it is now. */
export type Goods = Pick<
  Product,
  '_id' | 'name' | 'unit' | 'price' | 'quantityAvailable' | 'images' | 'category'
> &
  Steps & { pieceWeight?: { average: number } | undefined };

/** A product that a farm is short of. */
export type ShortProduct = Pick<
  Goods,
  '_id' | 'name' | 'unit' | 'step' | 'minimum' | 'pieceWeight'
>;

/** What the farm wants of one line. */
export type LineDraft = {
  reason: ShortReason;
  /** Whether there is none of the product left for others either. */
  emptiesShelf: boolean;
} & (
  | { action: 'reduce'; newQuantity: number }
  | { action: 'remove' }
  | { action: 'substitute'; goods: Goods; quantity: number }
);

/** What the farm wants of the lines of an order, by their ids. */
export type Drafts = ReadonlyMap<string, LineDraft>;

/** Returns what so much of something costs, in minor units; of goods priced by weight, what is expected. */
export const costMinor = (
  goods: { price: number; pieceWeight?: { average: number } | undefined },
  quantity: number,
): number =>
  estimateMinor({
    priceMinor: toMinor(goods.price),
    quantityMilli: toMilli(quantity),
    pieceMilli: goods.pieceWeight ? toMilli(goods.pieceWeight.average) : null,
  });

/** Returns what a line would cost by a draft, in minor units. */
export function draftMinor(line: OrderLine, draft: LineDraft | undefined): number {
  switch (draft?.action) {
    case undefined:
      return toMinor(line.total);
    case 'remove':
      return 0;
    case 'reduce':
      return costMinor(line, draft.newQuantity);
    case 'substitute':
      return costMinor(draft.goods, draft.quantity);
  }
}

/** Returns the total that an order would have if the buyer accepts all. */
export const totalWith = (order: Order, drafts: Drafts): number =>
  fromMinor(order.items.reduce((sum, line) => sum + draftMinor(line, drafts.get(line._id)), 0));

/** Returns the id of a product's category; undefined where it is not known. */
export type CategoryOf = (productId: string) => string | undefined;

/**
 * Returns whether a draft is done at once, by the buyer's wish: lines are left out, or replaced by something of the
 * same category that is not dearer. Everything else asks them.
 */
export function appliesAtOnce(line: OrderLine, draft: LineDraft, categoryOf: CategoryOf): boolean {
  const category = line.product._id === null ? undefined : categoryOf(line.product._id);
  return goesByWish(line.onShort, draft.action, {
    isSameCategory:
      draft.action === 'substitute' &&
      category !== undefined &&
      category === draft.goods.category?._id,
    isDearer: draftMinor(line, draft) > toMinor(line.total),
  });
}

/** Returns what is done of drafts if the buyer does not answer: what comes instead is not added, all else is done. */
export const draftsUnanswered = (order: Order, drafts: Drafts, categoryOf: CategoryOf): Drafts =>
  new Map(
    order.items.flatMap((line): [string, LineDraft][] => {
      const draft = drafts.get(line._id);
      if (!draft) return [];
      if (draft.action !== 'substitute' || appliesAtOnce(line, draft, categoryOf)) {
        return [[line._id, draft]];
      }
      const { reason, emptiesShelf } = draft;
      return [[line._id, { action: 'remove', reason, emptiesShelf }]];
    }),
  );

/** Returns the total if the buyer does not answer: no line costs more than it does now. */
export function totalUnanswered(order: Order, drafts: Drafts, categoryOf: CategoryOf): number {
  const done = draftsUnanswered(order, drafts, categoryOf);
  return fromMinor(
    order.items.reduce(
      (sum, line) => sum + Math.min(toMinor(line.total), draftMinor(line, done.get(line._id))),
      0,
    ),
  );
}

/** Returns until when the buyer can answer what is proposed now, in milliseconds; now once the handover has begun. */
export function answerUntilMs(
  nowMs: number,
  answerMinutes: number,
  startsAt: string | undefined,
): number {
  const startsAtMs = startsAt === undefined ? null : Date.parse(startsAt);
  return answerByMs(startsAtMs, nowMs, answerMinutes) ?? nowMs;
}

/** Returns whether a farm can propose to change an order: it is to be handed over, and there is something in it. */
export const isChangeable = ({ status, items }: Order): boolean =>
  isOpenStatus(status) && items.some(({ quantity }) => quantity > 0);

/** Returns the largest quantity that a line can be reduced to; 0 where there is only all or nothing. */
export function mostLess(quantity: number, steps: Steps): number {
  const milli = toMilli(quantity) - toMilli(stepOf(steps));
  return milli > 0 ? fromMilli(milli) : 0;
}

/** Returns what a farm can offer for a line, the fittest first: what the buyer named, the same category, not dearer. */
export function substitutesFor(
  line: OrderLine,
  goods: readonly Goods[],
  categoryOf: CategoryOf,
): Goods[] {
  const category = line.product._id === null ? undefined : categoryOf(line.product._id);
  const rankOf = (each: Goods): number =>
    (each._id === line.preferredProduct ? 0 : 4) +
    (category !== undefined && each.category?._id === category ? 0 : 2) +
    (costMinor(each, fittingQuantity(line, each)) <= toMinor(line.total) ? 0 : 1);
  return goods
    .filter((each) => each._id !== line.product._id && !isSoldOut(each))
    .toSorted((one, other) => rankOf(one) - rankOf(other) || one.name.localeCompare(other.name));
}

/** Returns how much of a product to offer for a line first: as much, as far as it is sold so and is there. */
export function fittingQuantity(line: OrderLine, goods: Goods): number {
  const isComparable = line.product.unit === goods.unit && !line.pieceWeight === !goods.pieceWeight;
  return Math.min(mostOf(goods), nearestOffered(isComparable ? line.quantity : 1, goods));
}

/** An answer to each line of a proposal, by the line's id. */
export type Answers = Readonly<Record<string, LineAnswer>>;

/**
 * Returns what a proposal's line costs now, in minor units. One that weighs more than expected costs as much as may be
 * charged for it already.
 */
export const presentMinor = ({ items }: Order, { lineId }: ProposalItem): number =>
  toMinor(items.find(({ _id }) => _id === lineId)?.total ?? 0);

function answeredMinor(order: Order, item: ProposalItem, answer: LineAnswer = 'accept'): number {
  if (answer === 'leave_out') return 0;
  return answer === 'keep_limit' ? presentMinor(order, item) : toMinor(item.totalAfter);
}

/** Whether a proposal asks for nothing but the price of goods that weigh more than expected. */
export const isOverweightOnly = ({ items }: Proposal): boolean =>
  items.every(({ action }) => action === 'overweight');

/** Returns the same answer to each line. */
export const answerAll = ({ items }: Proposal, answer: LineAnswer): Answers =>
  Object.fromEntries(items.map(({ lineId }) => [lineId, answer]));

/** Returns the total of an order after these answers; lines without one count as accepted. */
export const totalAnswered = (order: Order, proposal: Proposal, answers: Answers): number =>
  fromMinor(
    proposal.items.reduce(
      (sum, item) =>
        sum - presentMinor(order, item) + answeredMinor(order, item, answers[item.lineId]),
      toMinor(order.totalAmount),
    ),
  );

/** Returns what no answer means for each line: nothing comes instead, and what weighs more costs no more. */
export const unanswered = ({ items }: Proposal): Answers =>
  Object.fromEntries(
    items.map(({ lineId, action }): [string, LineAnswer] => {
      if (action === 'substitute') return [lineId, 'leave_out'];
      return [lineId, action === 'overweight' ? 'keep_limit' : 'accept'];
    }),
  );

/** Returns the total of an order if its proposal gets no answer: no line costs more than it does now. */
export function totalExpired(order: Order, proposal: Proposal): number {
  const answers = unanswered(proposal);
  return fromMinor(
    proposal.items.reduce((sum, item) => {
      const present = presentMinor(order, item);
      return sum - present + Math.min(present, answeredMinor(order, item, answers[item.lineId]));
    }, toMinor(order.totalAmount)),
  );
}

/** Returns whether what a proposed line costs after a yes is known for sure: nothing of it is still to be weighed. */
export const isFinalItem = (
  { action, substitute }: ProposalItem,
  line: OrderLine | undefined,
): boolean => {
  if (action === 'reduce') return !line?.pieceWeight;
  return action !== 'substitute' || !substitute?.pieceWeight;
};

/** Returns whether what a proposed line costs before an answer was only expected. */
export function wasEstimate(
  { action, totalBefore }: ProposalItem,
  line: OrderLine | undefined,
): boolean {
  if (!line?.pieceWeight) return false;
  // A heavier line is weighed already; it was asked about with what it cost before that.
  return action === 'overweight' ? totalBefore === line.estimate : line.packed === undefined;
}

/** Returns whether the total of an order is known for sure after these answers. */
export function isFinalAnswered(order: Order, proposal: Proposal, answers: Answers): boolean {
  const proposed = new Map(proposal.items.map((item) => [item.lineId, item]));
  return order.items.every((line) => {
    const item = proposed.get(line._id);
    if (!item) return line.isFinal;
    return answers[line._id] === 'leave_out' || isFinalItem(item, line);
  });
}

/** Returns whether the total of an order is known for sure after these drafts. */
export const isFinalWith = (order: Order, drafts: Drafts): boolean =>
  order.items.every((line) => isFinalDraft(line, drafts.get(line._id)));

/** Returns whether what a line costs by a draft is known for sure. */
export function isFinalDraft(line: OrderLine, draft: LineDraft | undefined): boolean {
  if (!draft) return line.isFinal;
  if (draft.action === 'reduce') return !line.pieceWeight;
  return draft.action === 'remove' || !draft.goods.pieceWeight;
}

/** Returns whether an order would have no goods left after these answers, which cancels it. */
export function leavesNothing(order: Order, proposal: Proposal, answers: Answers): boolean {
  const isProposed = new Map(proposal.items.map((item) => [item.lineId, item]));
  return order.items.every((line) => {
    const item = isProposed.get(line._id);
    if (!item) return line.quantity === 0;
    return answers[line._id] === 'leave_out' || item.action === 'remove';
  });
}
