import type { LineAnswer } from '#contract/ordering/changes/constants';
import type { AnswerChange } from '#contract/ordering/changes/order-changes';
import type { ShelfRow } from '../../catalogue/stock/stock-events.ts';
import type { PersonRow } from '../../people/users/present.ts';
import { type AppError, invalidField } from '../../platform/http/errors.ts';
import type { OrderRow } from '../model/present.ts';
import {
  itemsOf,
  type LineRow,
  type ProposalItemRow,
  type ProposalRow,
} from '../model/present-lines.ts';
import type { OrderPlan } from '../model/write.ts';
import { applyItems, hasGoods, type LineOutcome, proposalChange, returnAll } from './lines.ts';
import { changeNotOpen, emptyStatusOf } from './refusals.ts';
import { openShelf, type ShelfStock } from './shelf-stock.ts';

/** What the end of a proposal is decided on; the order and the products are locked. */
export interface CloseState {
  now: Date;
  /** Whoever ends it. */
  by: PersonRow;
  order: OrderRow;
  products: ReadonlyMap<string, ShelfRow>;
}

export type CloseDecision = { refusal: AppError } | { plan: OrderPlan };

/** Why an order is refused of which nothing is left without an answer. */
export const NOT_ANSWERED = 'Nothing of it could be had, and the change was not answered in time.';
/** Why an order is cancelled of which its buyer wants nothing that is left. */
export const ALL_LEFT_OUT = 'Everything was left out.';
const DECLINED = "Cancelled because of the farm's change.";

/** What an answer does to its line: at the limit it stays as it was weighed, as it does without an answer. */
const OUTCOME_OF_ANSWER: Record<LineAnswer, LineOutcome> = {
  accept: 'accept',
  keep_limit: 'expire',
  leave_out: 'leave_out',
};

const openOf = (order: OrderRow, proposalId: string): ProposalRow | undefined =>
  order.proposals.find(({ id }) => id === proposalId);

/**
 * Decides on a buyer's answer. The rules: the proposal is open and its time is not over; every line of it is
 * answered once. What is accepted becomes as it was proposed, what is left out goes, and goods that weigh more than
 * expected can also stay at what may be charged for them without a yes. Of an order from which
 * nothing is left, and of one that the buyer wants no more, the goods that are there go back. An answer that
 * keeps something of a pending order accepts it too: with its proposal the farm has said what it can do.
 */
export function decideAnswer(
  state: CloseState,
  proposalId: string,
  answer: AnswerChange,
): CloseDecision {
  const { order, now, by } = state;
  const open = openOf(order, proposalId);
  if (!open || new Date(open.answerBy) <= now) return { refusal: changeNotOpen(order) };
  if (answer.items) {
    const given = new Map(answer.items.map((item) => [item.lineId, item.answer]));
    const items = itemsOf(open).map((item) => {
      const own = given.get(item.lineId);
      return own ? { ...item, answer: own } : item;
    });
    if (answer.items.some(({ lineId }) => !items.some((item) => item.lineId === lineId))) {
      return { refusal: invalidField('items', 'Answer only the lines of this change.') };
    }
    if (items.some((item) => item.answer === undefined)) {
      return { refusal: invalidField('items', 'Answer each line of this change.') };
    }
    if (items.some(({ action, answer }) => answer === 'keep_limit' && action !== 'overweight')) {
      return {
        refusal: invalidField('items', 'Only goods that weigh more than expected have a limit.'),
      };
    }
    return { plan: answered(state, open, items) };
  }
  const declined = { ...closed(open, 'declined'), answeredBy: by, answeredAt: at(now) };
  return { plan: cancelled(state, declined, itemsOf(open), DECLINED) };
}

function answered(
  { order: before, now, by, products }: CloseState,
  open: ProposalRow,
  items: ProposalItemRow[],
): OrderPlan {
  const isAccepted = items.every(({ answer }) => answer === 'accept');
  const shelf = openShelf(products);
  const isThere = (id: string) => products.has(id);
  const lines = applyItems(
    before.lines,
    items,
    ({ answer = 'leave_out' }) => OUTCOME_OF_ANSWER[answer],
    {
      shelf,
      isThere,
    },
  );
  const proposal: ProposalRow = {
    ...closed(open, isAccepted ? 'accepted' : 'answered'),
    items,
    answeredBy: by,
    answeredAt: at(now),
  };
  if (!hasGoods(lines)) {
    const emptied = isAccepted ? proposal : { ...proposal, status: 'declined' as const };
    return cancelled({ order: before, now, by, products }, emptied, items, ALL_LEFT_OUT);
  }
  return {
    at: now,
    by,
    before,
    lines,
    change: proposalChange(proposal, before.lines, lines),
    proposals: [proposal],
    ...shelf.outcome(),
    ...(before.status === 'pending'
      ? { status: { to: 'accepted', by: open.createdBy, reason: null } }
      : {}),
  };
}

/** A cancelled order keeps its lines as they were; what of its goods is there goes back. */
function cancelled(
  { order: before, now, by, products }: CloseState,
  proposal: ProposalRow,
  items: readonly ProposalItemRow[],
  reason: string,
): OrderPlan {
  const shelf = openShelf(products);
  giveBackAll(before.lines, items, shelf);
  return {
    at: now,
    by,
    before,
    change: proposalChange(proposal, before.lines, before.lines),
    proposals: [proposal],
    ...shelf.outcome(),
    status: { to: 'cancelled', by, reason },
  };
}

/** Puts back what is there of an order and of what was offered in its open proposal. */
function giveBackAll(
  lines: readonly LineRow[],
  items: readonly ProposalItemRow[],
  shelf: ShelfStock,
): void {
  const left = applyItems(lines, items, () => 'leave_out', { shelf, isThere: () => true });
  returnAll(left, shelf);
}

/**
 * Decides on a proposal whose time is over, or whose buyer has no account any more: what is less is applied,
 * what would be instead is not added, since nobody pays for what they did not choose. An order from which
 * nothing is left ends. Nothing is to be done for a proposal that is not open, or whose time is not over.
 */
export function decideExpiry(
  { order: before, now, by, products }: CloseState,
  proposalId: string,
  { isAtOnce = false }: { isAtOnce?: boolean } = {},
): OrderPlan | undefined {
  const open = openOf(before, proposalId);
  if (!open || (!isAtOnce && new Date(open.answerBy) > now)) return undefined;
  const proposal = closed(open, 'expired');
  const shelf = openShelf(products);
  const isThere = (id: string) => products.has(id);
  const lines = applyItems(before.lines, itemsOf(open), () => 'expire', { shelf, isThere });
  const isEmpty = !hasGoods(lines);
  return {
    at: now,
    by,
    before,
    ...(isEmpty ? {} : { lines }),
    change: proposalChange(proposal, before.lines, isEmpty ? before.lines : lines),
    proposals: [proposal],
    ...shelf.outcome(),
    ...(isEmpty ? { status: { to: emptyStatusOf(before.status), by, reason: NOT_ANSWERED } } : {}),
  };
}

/** Decides on a farm that takes its proposal back: everything stays as it is, and what was offered goes back. */
export function decideWithdraw(state: CloseState, proposalId: string): CloseDecision {
  const { order: before, now, by, products } = state;
  const open = openOf(before, proposalId);
  if (!open) return { refusal: changeNotOpen(before) };
  const proposal = closed(open, 'withdrawn');
  const shelf = openShelf(products);
  applyItems(before.lines, itemsOf(open), () => 'drop' satisfies LineOutcome, {
    shelf,
    isThere: () => true,
  });
  return {
    plan: {
      at: now,
      by,
      before,
      change: proposalChange(proposal, before.lines, before.lines),
      proposals: [proposal],
      ...shelf.outcome(),
    },
  };
}

const at = (now: Date) => now.toISOString();

const closed = (open: ProposalRow, status: ProposalRow['status']): ProposalRow => ({
  ...open,
  status,
});
