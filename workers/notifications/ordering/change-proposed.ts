import { farmNameOf } from '#contract/farm/farmers/constants';
import type { Proposal, ProposalChange } from '#contract/ordering/changes/order-lines';
import type { Order } from '#contract/ordering/orders/orders';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { readWaiting } from '../../../server/ordering/changes/expire.ts';
import type { Definition, Effect } from '../engine/definition.ts';
import { counted, formatExpected, nameInText } from '../engine/wording.ts';
import { differencesInText, entryKey, tableOfProposal } from './line-changes.ts';
import { orderLink, orderName } from './order-words.ts';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** 'within 2 hours', 'within 10 minutes': as long as there is at least. */
function timeLeft({ answerBy }: Proposal, now: number): string {
  const minutes = Math.max(1, Math.floor((Date.parse(answerBy) - now) / MINUTE_MS));
  return minutes < 2 * HOUR_MINUTES
    ? `within ${counted(minutes, 'minute')}`
    : `within ${counted(Math.floor(minutes / HOUR_MINUTES), 'hour')}`;
}

/** Returns what is settled for a buyer once nothing waits for them. */
const settled = (order: Order): Effect => ({
  do: 'settle',
  userId: order.consumer._id,
  links: [orderLink(order)],
  kinds: ['order.changeProposed'],
});

/** Whether nothing is asked but the price of goods that weigh more than expected. */
const isOverweightOnly = ({ items }: Proposal): boolean =>
  items.every(({ action }) => action === 'overweight');

/** 'Chicken weighs more', 'Chicken and 2 more weigh more'. */
function overweightInText({ items }: Proposal): string {
  const first = nameInText(items[0]?.product.name ?? '', 'A product');
  const more = items.length - 1;
  return more > 0 ? `${first} and ${more} more weigh more` : `${first} weighs more`;
}

const AFTERWARDS = 'Without an answer you get less where less is there, and nothing instead.';

/** The proposal that a notification is of: a reminder's key names it, that of the first question its entry. */
async function proposalOf(db: Database | Transaction, key: string): Promise<string | undefined> {
  const [kind, id = '', sequence] = key.split(':');
  if (kind === 'order.changeReminder') return id;
  if (!Number.isInteger(Number(sequence))) return undefined;
  const entry = await db.orderTimelineEntry.findUnique({
    where: { orderId_sequence: { orderId: id, sequence: Number(sequence) } },
    select: { detail: true },
  });
  return (entry?.detail as Pick<ProposalChange, 'proposal'> | null | undefined)?.proposal;
}

/** Notifies the buyer that the farm wants to change lines of their order, and reminds them of it. */
export const changeProposed: Definition<'order.changeProposed'> = {
  kind: 'order.changeProposed',
  action: 'Answer the farm',
  subject: () => 'A farm asks about your order',
  isUrgent: true,
  table: async (db, key) => {
    const proposalId = await proposalOf(db, key);
    return proposalId ? tableOfProposal(db, proposalId) : undefined;
  },
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change, openChange } = order;
      if (change.kind === 'status' && order.status !== 'accepted') return [settled(order)];
      if (change.kind !== 'proposal') return [];
      const entry = order.timeline.findLast(({ kind }) => kind === 'proposal');
      if (change.status !== 'open' || !openChange || !entry) return [settled(order)];
      const farm = nameInText(farmNameOf(order.farmer));
      return [
        {
          do: 'notify',
          userId: order.consumer._id,
          kind: 'order.changeProposed',
          key: entryKey('order.changeProposed', order, entry.sequence),
          title: 'Your order needs your answer',
          body: isOverweightOnly(openChange)
            ? `${farm} packed order ${orderName(order)}, and ${overweightInText(openChange)} than expected. The total would be ${formatExpected(change.totalAfter, change.isAfterEstimate)} instead of ${formatExpected(change.totalBefore, change.isBeforeEstimate)}. Please answer ${timeLeft(openChange, Date.parse(openChange.createdAt))}. Without an answer you pay the smaller total.`
            : `${farm} is short of something in order ${orderName(order)}: ${differencesInText(change)}. The new total would be ${formatExpected(change.totalAfter, change.isAfterEstimate)}. Please answer ${timeLeft(openChange, Date.parse(openChange.createdAt))}. ${AFTERWARDS}`,
          link: orderLink(order),
        },
      ];
    },
  },
  // The key is `order.changeReminder:<proposal>:<which>`.
  remind: async (key, tx) => {
    const [, proposalId = ''] = key.split(':');
    const waiting = await readWaiting(tx, proposalId);
    if (!waiting || Date.parse(waiting.proposal.answerBy) <= waiting.now.getTime()) return [];
    const { order, proposal, now } = waiting;
    return [
      settled(order),
      {
        do: 'notify',
        userId: order.consumer._id,
        kind: 'order.changeProposed',
        key,
        title: 'Your order still needs your answer',
        body: `${nameInText(farmNameOf(order.farmer))} waits for your answer about order ${orderName(order)}. Please answer ${timeLeft(proposal, now.getTime())}. ${isOverweightOnly(proposal) ? 'Without an answer you pay the smaller total.' : AFTERWARDS}`,
        link: orderLink(order),
      },
    ];
  },
};
