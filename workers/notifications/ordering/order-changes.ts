import type { ProposalStatus } from '#contract/ordering/changes/constants';
import type { Proposal, ProposalChange } from '#contract/ordering/changes/order-lines';
import { isCalledOff } from '#contract/ordering/orders/constants';
import type { TimelineEntry } from '#contract/ordering/orders/order-timeline';
import type { Order, UpdatedOrder } from '#contract/ordering/orders/orders';
import { isWeighable } from '#contract/ordering/weights/constants';
import type { Outcome } from '#contract/people/notifications/constants/line-words';
import { productOf } from '#contract/people/notifications/constants/written';
import {
  formatEstimate,
  formatMoney,
  fromMinor,
  toMinor,
} from '#contract/platform/money/constants';
import {
  estimateMinor,
  formatQuantity,
  fromMilli,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { msg, t } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { readWaiting } from '../../../server/ordering/changes/commands.ts';
import { lineCost } from '../../../server/ordering/model/present-lines.ts';
import type { MailTable } from '../engine/compose.ts';
import type { Definition, Effect } from '../engine/definition.ts';
import {
  changedOf,
  costOf,
  detailByKey,
  entryKey,
  goodsOf,
  lastEntry,
  noticeTo,
  settleFor,
  tableByKey,
  tableOfProposal,
  toCost,
  whyOf,
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
  action: msg('View order'),
  digest: (count) =>
    t('{count, plural, one {# order changed} other {# orders changed}}', { count }),
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
  const unreturned = goods.map(({ quantity, ...each }) => ({
    ...goodsOf(each),
    milli: toMilli(quantity),
  }));
  return [
    noticeTo('farmer', order, {
      kind: 'order.itemsChanged',
      key: entryKey('order.unreturned', order, last.sequence),
      params: { order: order._id, unreturned },
    }),
  ];
}

function itemsChanged(order: UpdatedOrder): Effect[] {
  const entry = lastEntry(order, 'lines');
  const last = order.timeline.at(-1);
  // It may stand before a proposal of the same moment.
  if (!entry || entry.at !== last?.at) return [];
  const { cause, totalAfter, isAfterEstimate } = entry.detail;
  if (cause === 'wish' || ['status', 'party', 'kept'].includes(order.change.kind)) return [];
  const outcome: Outcome =
    last.kind === 'status'
      ? { status: order.status }
      : { cost: toCost(totalAfter, isAfterEstimate) };
  const notice = {
    kind: 'order.itemsChanged' as const,
    key: entryKey('order.itemsChanged', order, entry.sequence),
  };
  const change = { order: order._id, changed: changedOf(entry.detail), outcome };
  return cause === 'buyer'
    ? [
        noticeTo('farmer', order, {
          ...notice,
          params: { ...change, customer: { _id: order.consumer._id } },
        }),
      ]
    : [
        noticeTo('consumer', order, {
          ...notice,
          params: { ...change, farm: { _id: order.farmer._id }, ...whyOf(entry) },
        }),
      ];
}

const MINUTE_MS = 60_000;

/** Returns for how many minutes there is at least. */
const minutesLeft = ({ answerBy }: Proposal, now: number): number =>
  Math.max(1, Math.floor((Date.parse(answerBy) - now) / MINUTE_MS));

/** Returns what is settled for a consumer once nothing waits for them. */
const settled = (order: Order): Effect => settleFor('consumer', order, 'order.changeProposed');

/** Whether nothing is asked but the price of goods that weigh more than expected. */
const isOverweightOnly = ({ items }: Proposal): boolean =>
  items.every(({ action }) => action === 'overweight');

/** What a farm asks of its consumer. */
const questionOf = (order: Order, proposal: Proposal, change: ProposalChange) => ({
  order: order._id,
  farm: { _id: order.farmer._id },
  minutesLeft: minutesLeft(proposal, Date.parse(proposal.createdAt)),
  cost: toCost(change.totalAfter, change.isAfterEstimate),
  costBefore: toCost(change.totalBefore, change.isBeforeEstimate),
  ...(isOverweightOnly(proposal)
    ? {
        heavier: {
          first: proposal.items[0]?.product.name ?? '',
          more: proposal.items.length - 1,
        },
      }
    : { changed: changedOf(change) }),
});

/** Notifies the consumer that the farm wants to change lines of their order, and reminds them of it. */
export const changeProposed: Definition<'order.changeProposed'> = {
  kind: 'order.changeProposed',
  reach: 'own',
  action: msg('Answer the farm'),
  subject: ({ farm }, nameOf) => {
    const name = nameOf(farm);
    return name
      ? t('{farm} asks about your order', { farm: name })
      : t('A farm asks about your order');
  },
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
          params: questionOf(order, openChange, change),
          asks: { farmId: order.farmer._id, orderId: order._id, subjectId: openChange._id },
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
        params: {
          order: order._id,
          farm: { _id: order.farmer._id },
          minutesLeft: minutesLeft(proposal, now.getTime()),
          again: isOverweightOnly(proposal) ? 'weights' : 'goods',
        },
      }),
    ];
  },
};

/** How a consumer answers. */
const ANSWERS = ['accepted', 'answered', 'declined'] as const satisfies readonly ProposalStatus[];

/** Returns what became of an order by an answer, or without one. */
const outcomeOf = (order: Order): Outcome =>
  isCalledOff(order.status) ? { status: order.status } : { cost: costOf(order) };

/** Notifies the farm of a consumer's answer to its proposal. */
const changeAnswered: Definition<'order.changeAnswered'> = {
  kind: 'order.changeAnswered',
  reach: 'own',
  concerns: 'answerOrders',
  action: msg('View order'),
  subject: ({ customer }, nameOf) => {
    const name = nameOf(customer);
    return name
      ? t('{customer} answered your change', { customer: name })
      : t('Your change of an order was answered');
  },
  isUrgent: true,
  table: tableByKey,
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change } = order;
      const entry = lastEntry(order, 'proposal');
      if (change.kind !== 'proposal' || !entry) return [];
      const answer = ANSWERS.find((each) => each === change.status);
      if (!answer) return [];
      return [
        noticeTo('farmer', order, {
          kind: 'order.changeAnswered',
          key: entryKey('order.changeAnswered', order, entry.sequence),
          params: {
            order: order._id,
            customer: { _id: order.consumer._id },
            answer,
            changed: changedOf(change),
            outcome: outcomeOf(order),
          },
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
  action: msg('View order'),
  subject: () => t('A change of an order was not answered in time'),
  isUrgent: true,
  table: tableByKey,
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change } = order;
      const entry = lastEntry(order, 'proposal');
      if (change.kind !== 'proposal' || change.status !== 'expired' || !entry) return [];
      const outcome = outcomeOf(order);
      const notice = {
        kind: 'order.changeExpired' as const,
        key: entryKey('order.changeExpired', order, entry.sequence),
      };
      const params = { order: order._id, changed: changedOf(change), outcome };
      const why = 'status' in outcome ? whyOf(order.timeline.at(-1)) : {};
      return [
        noticeTo('consumer', order, { ...notice, params: { ...params, side: 'consumer', ...why } }),
        noticeTo('farmer', order, { ...notice, params: { ...params, side: 'farmer' } }),
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
    (line) => line.quantity === 0 || !isWeighable(line) || line.packed !== undefined,
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
    head: ['', t('Estimate'), t('Weighed')],
    rows: lines.map(({ finalMinor, ...line }) => {
      const cost = lineCost({ ...line, finalMinor });
      const weight = formatQuantity(fromMilli(line.packedMilli ?? 0), line.unit);
      return [
        productOf(line),
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
  action: msg('View order'),
  digest: (count) =>
    t('{count, plural, one {# order weighed} other {# orders weighed}}', { count }),
  table: tableOf,
  reactions: {
    'order.updated': ({ data: order }) => {
      const entry = weightsToNotify(order);
      const known = entry && knownTotal(order, entry.detail);
      if (!entry || known === undefined) return [];
      return [
        noticeTo('consumer', order, {
          kind: 'order.weighed',
          key: entryKey('order.weighed', order, entry.sequence),
          params: {
            order: order._id,
            farm: { _id: order.farmer._id },
            minor: toMinor(order.totalAmount),
            knownMinor: toMinor(known),
          },
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
