import { farmNameOf } from '#contract/farm/farmers/constants';
import type { ProposalStatus } from '#contract/ordering/changes/constants';
import type { Proposal, ProposalChange } from '#contract/ordering/changes/order-lines';
import { isCalledOff } from '#contract/ordering/orders/constants';
import type { TimelineEntry } from '#contract/ordering/orders/order-timeline';
import type { Order, UpdatedOrder } from '#contract/ordering/orders/orders';
import { formatEstimate, formatMoney, fromMinor } from '#contract/platform/money/constants';
import { describeUnreturned } from '#contract/platform/quantities/constants/pieces';
import {
  estimateMinor,
  formatQuantity,
  fromMilli,
} from '#contract/platform/quantities/constants/quantities';
import { isWeightUnit } from '#contract/platform/quantities/constants/units';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { readWaiting } from '../../../server/ordering/changes/commands.ts';
import { lineCost } from '../../../server/ordering/model/present-lines.ts';
import type { MailTable } from '../engine/compose.ts';
import type { Definition, Effect } from '../engine/definition.ts';
import { because, counted, formatExpected, money, nameInText } from '../engine/wording.ts';
import {
  detailByKey,
  differencesInText,
  entryKey,
  lastEntry,
  noticeTo,
  orderName,
  settleFor,
  tableByKey,
  tableOfProposal,
  totalInText,
} from './order-words.ts';

// Orders whose lines change: by their consumer, by a proposal, or as the consumer wished for a shortage.

/**
 * Notifies the side that did not change it of an order's new lines: the farm of what its consumer changed, the consumer
 * of what was applied as they wished for a shortage.
 */
const orderItemsChanged: Definition<'order.itemsChanged'> = {
  kind: 'order.itemsChanged',
  reach: 'own',
  concerns: 'read',
  action: 'View order',
  digest: (count) => `${counted(count, 'order')} changed`,
  table: tableByKey,
  reactions: {
    'order.updated': ({ data: order }) => [...itemsChanged(order), ...notReturned(order)],
  },
};

/** Notifies the farm of goods that did not go back to its stock, whichever side changed or ended the order. */
function notReturned(order: UpdatedOrder): Effect[] {
  const { change } = order;
  const goods = 'unreturned' in change ? (change.unreturned ?? []) : [];
  const last = order.timeline.at(-1);
  if (goods.length === 0 || !last) return [];
  const named = goods.map((each) => ({
    ...each,
    product: { ...each.product, name: nameInText(each.product.name, 'a product') },
  }));
  return [
    noticeTo('farmer', order, {
      kind: 'order.itemsChanged',
      key: entryKey('order.unreturned', order, last.sequence),
      title: `Order ${orderName(order)} put nothing back in stock`,
      body: `You sell this in another unit now than in that order, so it did not go back: ${describeUnreturned(named)}. Correct your stock if it is there.`,
    }),
  ];
}

function itemsChanged(order: UpdatedOrder): Effect[] {
  const entry = lastEntry(order, 'lines');
  const last = order.timeline.at(-1);
  // It may stand before a proposal of the same moment.
  if (!entry || entry.at !== last?.at) return [];
  const { cause, totalAfter, isAfterEstimate } = entry.detail;
  if (cause === 'wish' || ['status', 'party'].includes(order.change.kind)) return [];
  const changed = differencesInText(entry.detail);
  const ended = last.kind === 'status' ? ` It is ${order.status} now.` : '';
  const total = ended || ` The total is ${formatExpected(totalAfter, isAfterEstimate)} now.`;
  const notice = {
    kind: 'order.itemsChanged' as const,
    key: entryKey('order.itemsChanged', order, entry.sequence),
  };
  return cause === 'buyer'
    ? [
        noticeTo('farmer', order, {
          ...notice,
          title: `Order ${orderName(order)} has new quantities`,
          body: `${nameInText(order.consumer.name)} changed it: ${changed}.${total}`,
        }),
      ]
    : [
        noticeTo('consumer', order, {
          ...notice,
          title: 'Your order changed as you wished',
          body: `${nameInText(farmNameOf(order.farmer))} is short of something in order ${orderName(order)}: ${changed}.${total}${because(entry.reason)}`,
        }),
      ];
}

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** 'within 2 hours', 'within 10 minutes': as long as there is at least. */
function timeLeft({ answerBy }: Proposal, now: number): string {
  const minutes = Math.max(1, Math.floor((Date.parse(answerBy) - now) / MINUTE_MS));
  return minutes < 2 * HOUR_MINUTES
    ? `within ${counted(minutes, 'minute')}`
    : `within ${counted(Math.floor(minutes / HOUR_MINUTES), 'hour')}`;
}

/** Returns what is settled for a consumer once nothing waits for them. */
const settled = (order: Order): Effect => settleFor('consumer', order, 'order.changeProposed');

/** Whether nothing is asked but the price of goods that weigh more than expected. */
const isOverweightOnly = ({ items }: Proposal): boolean =>
  items.every(({ action }) => action === 'overweight');

/** 'Chicken weighs more', 'Chicken and 2 more weigh more'. */
function overweightInText({ items }: Proposal): string {
  const first = nameInText(items[0]?.product.name ?? '', 'A product');
  const more = items.length - 1;
  return more > 0 ? `${first} and ${more} more weigh more` : `${first} weighs more`;
}

/** Says what happens without an answer. */
const afterwards = (proposal: Proposal): string =>
  isOverweightOnly(proposal)
    ? 'Without an answer you pay the smaller total.'
    : 'Without an answer you get less where less is there, and nothing instead.';

/** What a farm asks of its consumer. */
function questionOf(order: Order, proposal: Proposal, change: ProposalChange): string {
  const farm = nameInText(farmNameOf(order.farmer));
  const total = formatExpected(change.totalAfter, change.isAfterEstimate);
  const before = formatExpected(change.totalBefore, change.isBeforeEstimate);
  const question = isOverweightOnly(proposal)
    ? `${farm} packed order ${orderName(order)}, and ${overweightInText(proposal)} than expected. The total would be ${total} instead of ${before}.`
    : `${farm} is short of something in order ${orderName(order)}: ${differencesInText(change)}. The new total would be ${total}.`;
  const time = timeLeft(proposal, Date.parse(proposal.createdAt));
  return `${question} Please answer ${time}. ${afterwards(proposal)}`;
}

/** Notifies the consumer that the farm wants to change lines of their order, and reminds them of it. */
export const changeProposed: Definition<'order.changeProposed'> = {
  kind: 'order.changeProposed',
  reach: 'own',
  action: 'Answer the farm',
  subject: () => 'A farm asks about your order',
  isUrgent: true,
  // A reminder's key names the proposal, that of the first question its entry.
  table: async (db, key) => {
    const [kind, id] = key.split(':');
    if (kind === 'order.changeReminder') return tableOfProposal(db, id);
    const detail = (await detailByKey(db, key)) as Partial<ProposalChange> | null | undefined;
    return tableOfProposal(db, detail?.proposal);
  },
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change, openChange } = order;
      if (change.kind === 'status' && order.status !== 'accepted') return [settled(order)];
      if (change.kind !== 'proposal') return [];
      const entry = lastEntry(order, 'proposal');
      if (change.status !== 'open' || !openChange || !entry) return [settled(order)];
      return [
        noticeTo('consumer', order, {
          kind: 'order.changeProposed',
          key: entryKey('order.changeProposed', order, entry.sequence),
          title: 'Your order needs your answer',
          body: questionOf(order, openChange, change),
        }),
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
      noticeTo('consumer', order, {
        kind: 'order.changeProposed',
        key,
        title: 'Your order still needs your answer',
        body: `${nameInText(farmNameOf(order.farmer))} waits for your answer about order ${orderName(order)}. Please answer ${timeLeft(proposal, now.getTime())}. ${afterwards(proposal)}`,
      }),
    ];
  },
};

const VERBS: Partial<Record<ProposalStatus, string>> = {
  accepted: 'agreed to your change of',
  answered: 'answered your change of',
  declined: 'cancelled',
};

/** Returns what became of an order by an answer, or without one. */
function outcomeOf(order: Order, differences: string): string {
  if (isCalledOff(order.status)) {
    return 'What is there of its goods is back on your shelf.';
  }
  const changed = differences ? `${differences}. ` : '';
  return `${changed}The total is ${totalInText(order)} now.`;
}

/** Notifies the farm of a consumer's answer to its proposal. */
const changeAnswered: Definition<'order.changeAnswered'> = {
  kind: 'order.changeAnswered',
  reach: 'own',
  concerns: 'answerOrders',
  action: 'View order',
  subject: () => 'Your change of an order was answered',
  isUrgent: true,
  table: tableByKey,
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change } = order;
      const verb = change.kind === 'proposal' ? VERBS[change.status] : undefined;
      const entry = lastEntry(order, 'proposal');
      if (change.kind !== 'proposal' || !verb || !entry) return [];
      return [
        noticeTo('farmer', order, {
          kind: 'order.changeAnswered',
          key: entryKey('order.changeAnswered', order, entry.sequence),
          title: `Order ${orderName(order)} was answered`,
          body: `${nameInText(order.consumer.name)} ${verb} order ${orderName(order)}. ${outcomeOf(order, differencesInText(change))}`,
        }),
      ];
    },
  },
};

/** Notifies both sides that a proposal was not answered in time, and what became of the order. */
const changeExpired: Definition<'order.changeExpired'> = {
  kind: 'order.changeExpired',
  reach: 'own',
  concerns: 'answerOrders',
  action: 'View order',
  subject: () => 'A change of an order was not answered in time',
  isUrgent: true,
  table: tableByKey,
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change } = order;
      const entry = lastEntry(order, 'proposal');
      if (change.kind !== 'proposal' || change.status !== 'expired' || !entry) return [];
      const changed = differencesInText(change);
      const total = `The total is ${totalInText(order)} now.`;
      const forConsumer = isCalledOff(order.status)
        ? `It is ${order.status} now.${because(order.timeline.at(-1)?.reason)}`
        : [changed && `${changed}.`, total].filter(Boolean).join(' ');
      const notice = {
        kind: 'order.changeExpired' as const,
        key: entryKey('order.changeExpired', order, entry.sequence),
        title: `Order ${orderName(order)} changed without an answer`,
      };
      return [
        noticeTo('consumer', order, {
          ...notice,
          body: `The time to answer is over. ${forConsumer}`,
        }),
        noticeTo('farmer', order, {
          ...notice,
          body: `The customer did not answer your change in time. ${outcomeOf(order, changed)}`,
        }),
      ];
    },
  },
};

type WeightsEntry = Extract<TimelineEntry, { kind: 'weights' }>;

/** How a proposal ends that leaves the order to be packed. */
const SETTLED: readonly ProposalStatus[] = ['accepted', 'answered', 'expired', 'withdrawn'];

/**
 * Returns the weights that the consumer is notified of now: those that an event brings or, where they were asked about
 * something meanwhile, the last ones once that is over.
 */
function weightsToNotify(order: UpdatedOrder) {
  const { change, status, openChange } = order;
  const isNow =
    change.kind === 'weights' ||
    (change.kind === 'proposal' && status === 'accepted' && SETTLED.includes(change.status));
  if (!isNow || openChange) return undefined;
  return lastEntry(order, 'weights');
}

/**
 * Returns the total that the consumer knew before their order was weighed; undefined where there is nothing to notify
 * of yet, or nothing new. They are notified once: with the last of what has to be weighed. After that only of another
 * total, and not line by line where the farm weighs what need not be.
 */
function knownTotal(
  { items, isTotalFinal, estimatedTotal }: UpdatedOrder,
  { lines, totalBefore, totalAfter }: WeightsEntry['detail'],
) {
  if (!isTotalFinal) return undefined;
  if (lines.some(({ from, pieces }) => from === null && pieces !== undefined)) {
    return estimatedTotal;
  }
  const isAllWeighed = items.every(
    ({ quantity, product, packed }) =>
      quantity === 0 || !isWeightUnit(product.unit) || packed !== undefined,
  );
  if (!isAllWeighed || totalBefore === totalAfter) return undefined;
  return lines.some(({ from }) => from === null) ? estimatedTotal : totalBefore;
}

/** Returns what was expected of each weighed line beside what it weighs and costs, for a mail. */
async function tableOf(db: Database | Transaction, key: string): Promise<MailTable | undefined> {
  const orderId = key.split(':')[1];
  if (!orderId) return undefined;
  const lines = await db.orderLine.findMany({
    where: { orderId, packedMilli: { not: null } },
    orderBy: { position: 'asc' },
  });
  if (lines.length === 0) return undefined;
  return {
    head: ['', 'Estimate', 'Weighed'],
    rows: lines.map(({ finalMinor, ...line }) => {
      const cost = lineCost({ ...line, finalMinor });
      const weight = formatQuantity(fromMilli(line.packedMilli ?? 0), line.unit);
      return [
        nameInText(line.name, 'A product'),
        formatEstimate(fromMinor(estimateMinor(line))),
        `${formatMoney(fromMinor(cost))} (${weight})`,
      ];
    }),
  };
}

/** Notifies the consumer of what their order costs, once everything in it is weighed. */
export const orderWeighed: Definition<'order.weighed'> = {
  kind: 'order.weighed',
  reach: 'own',
  action: 'View order',
  digest: (count) => `${counted(count, 'order')} weighed`,
  table: tableOf,
  reactions: {
    'order.updated': ({ data: order }) => {
      const entry = weightsToNotify(order);
      const known = entry && knownTotal(order, entry.detail);
      if (!entry || known === undefined) return [];
      const total = money(order.totalAmount);
      return [
        noticeTo('consumer', order, {
          kind: 'order.weighed',
          key: entryKey('order.weighed', order, entry.sequence),
          title: 'Your order was weighed',
          body: `Order ${orderName(order)} at ${nameInText(farmNameOf(order.farmer))} ${
            known === order.totalAmount
              ? `costs ${total}, as expected.`
              : `costs ${total} instead of ${money(known)}.`
          }`,
        }),
      ];
    },
  },
};

/** By kind. */
export const orderChanges = {
  'order.changeAnswered': changeAnswered,
  'order.changeExpired': changeExpired,
  'order.changeProposed': changeProposed,
  'order.itemsChanged': orderItemsChanged,
  'order.weighed': orderWeighed,
};
