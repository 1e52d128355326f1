import type { LineAnswer } from '#contract/ordering/changes/constants';
import type { AnswerChange } from '#contract/ordering/changes/order-changes';
import type { Cause } from '#contract/platform/orders/constants/causes';
import { type Message, msg } from '#contract/platform/text/constants/texts';
import { type AppError, invalidField } from '../../platform/http/errors.ts';
import type { StockedState } from '../model/lock.ts';
import type { OrderRow } from '../model/present.ts';
import {
  itemsOf,
  type LineRow,
  type ProposalItemRow,
  type ProposalRow,
} from '../model/present-lines.ts';
import type { OrderPlan } from '../model/write.ts';
import {
  applyItems,
  hasGoods,
  type LineOutcome,
  type OpenStock,
  openStock,
  proposalChange,
} from './lines.ts';
import { changeNotOpen, emptyStatusOf } from './refusals.ts';

type CloseDecision = { refusal: AppError } | { plan: OrderPlan };

/** What an answer does to its line: at the limit it stays as it was weighed, as it does without an answer. */
const OUTCOME_OF_ANSWER: Record<LineAnswer, LineOutcome> = {
  accept: 'accept',
  keep_limit: 'expire',
  leave_out: 'leave_out',
};

const openOf = (order: OrderRow, proposalId: string): ProposalRow | undefined =>
  order.proposals.find(({ id }) => id === proposalId);

/**
 * Decides on a consumer's answer. The rules: the proposal is open and its time is not over; every line of it is
 * answered once. What is accepted becomes as it was proposed, what is left out goes, and goods that weigh more than
 * expected can also stay at what may be charged for them without a yes. Of an order from which
 * nothing is left, and of one that the consumer wants no more, the goods that are there go back. An answer that
 * keeps something of a pending order accepts it too: with its proposal the farm has said what it can do.
 */
export function decideAnswer(
  state: StockedState,
  proposalId: string,
  answer: AnswerChange,
): CloseDecision {
  const { order, now, by: answeredBy } = state;
  const open = openOf(order, proposalId);
  if (!open || new Date(open.answerBy) <= now) return { refusal: changeNotOpen(order) };
  const given = { answeredBy, answeredAt: now.toISOString() };
  if (!answer.items) {
    const declined: ProposalRow = { ...open, ...given, status: 'declined' };
    return { plan: cancelled(state, declined, 'change_declined') };
  }
  const answers = new Map(answer.items.map((item) => [item.lineId, item.answer]));
  const items = itemsOf(open).map((item) => {
    const own = answers.get(item.lineId);
    return own ? { ...item, answer: own } : item;
  });
  const refuse = (message: Message) => ({ refusal: invalidField('items', message) });
  if (answer.items.some(({ lineId }) => !items.some((item) => item.lineId === lineId))) {
    return refuse(msg('Answer only the lines of this change.'));
  }
  if (items.some((item) => item.answer === undefined)) {
    return refuse(msg('Answer each line of this change.'));
  }
  if (items.some((item) => item.answer === 'keep_limit' && item.action !== 'overweight')) {
    return refuse(msg('Only goods that weigh more than expected have a limit.'));
  }
  return { plan: answered(state, { ...open, ...given, items }) };
}

function answered(state: StockedState, open: ProposalRow): OrderPlan {
  const { order, products } = state;
  const items = itemsOf(open);
  const isAccepted = items.every(({ answer }) => answer === 'accept');
  const proposal: ProposalRow = { ...open, status: isAccepted ? 'accepted' : 'answered' };
  const stock = openStock(products);
  const outcomeOf = ({ answer = 'leave_out' }: ProposalItemRow) => OUTCOME_OF_ANSWER[answer];
  const isThere = (id: string) => products.has(id);
  const lines = applyItems(order.lines, items, outcomeOf, { stock, isThere });
  if (!hasGoods(lines)) {
    const emptied: ProposalRow = isAccepted ? proposal : { ...open, status: 'declined' };
    return cancelled(state, emptied, 'all_left_out');
  }
  return {
    ...endPlan(state, proposal, stock, lines),
    ...(order.status === 'pending' ? { status: { to: 'accepted', by: open.createdBy } } : {}),
  };
}

/** A cancelled order keeps its lines as they were; what of its goods is there goes back. */
function cancelled(state: StockedState, proposal: ProposalRow, cause: Cause): OrderPlan {
  const stock = openStock(state.products);
  const all = { stock, isThere: () => true };
  const left = applyItems(state.order.lines, itemsOf(proposal), () => 'leave_out', all);
  for (const line of left) stock.give(line, line.quantityMilli);
  return {
    ...endPlan(state, proposal, stock),
    status: { to: 'cancelled', by: state.by, cause },
  };
}

/** Returns what all ends of a proposal have; an order without new lines keeps its own. */
const endPlan = (
  { order: before, now: at, by }: StockedState,
  proposal: ProposalRow,
  stock: OpenStock,
  lines?: readonly LineRow[],
): OrderPlan => ({
  ...{ at, by, before },
  ...(lines ? { lines } : {}),
  change: proposalChange(proposal, before.lines, lines ?? before.lines),
  proposals: [proposal],
  ...stock.outcome(),
});

/**
 * Decides on a proposal whose time is over, or whose consumer has no account any more: what is less is applied,
 * what would be instead is not added, since nobody pays for what they did not choose. An order from which
 * nothing is left ends. Nothing is to be done for a proposal that is not open, or whose time is not over.
 */
export function decideExpiry(
  state: StockedState,
  proposalId: string,
  { isAtOnce = false }: { isAtOnce?: boolean } = {},
): OrderPlan | undefined {
  const { order, now, by, products } = state;
  const open = openOf(order, proposalId);
  if (!open || (!isAtOnce && new Date(open.answerBy) > now)) return undefined;
  const proposal: ProposalRow = { ...open, status: 'expired' };
  const stock = openStock(products);
  const isThere = (id: string) => products.has(id);
  const lines = applyItems(order.lines, itemsOf(open), () => 'expire', { stock, isThere });
  if (hasGoods(lines)) return endPlan(state, proposal, stock, lines);
  return {
    ...endPlan(state, proposal, stock),
    status: { to: emptyStatusOf(order.status), by, cause: 'change_unanswered' },
  };
}

/** Decides on a farm that takes its proposal back: everything stays as it is, and what was offered goes back. */
export function decideWithdraw(state: StockedState, proposalId: string): CloseDecision {
  const { order, products } = state;
  const open = openOf(order, proposalId);
  if (!open) return { refusal: changeNotOpen(order) };
  const stock = openStock(products);
  applyItems(order.lines, itemsOf(open), () => 'drop', { stock, isThere: () => true });
  return { plan: endPlan(state, { ...open, status: 'withdrawn' }, stock) };
}
