import type { ProposalStatus } from '#contract/ordering/changes/constants';
import { isCalledOff } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import type { Definition } from '../engine/definition.ts';
import { because, nameInText } from '../engine/wording.ts';
import { differencesInText, entryKey, tableByKey } from './line-changes.ts';
import { orderLink, orderName, totalInText } from './order-words.ts';

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

/** Notifies the farm of a buyer's answer to its proposal. */
export const changeAnswered: Definition<'order.changeAnswered'> = {
  kind: 'order.changeAnswered',
  concerns: 'answerOrders',
  action: 'View order',
  subject: () => 'Your change of an order was answered',
  isUrgent: true,
  table: tableByKey(['Before', 'Now']),
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change } = order;
      const verb = change.kind === 'proposal' ? VERBS[change.status] : undefined;
      const entry = order.timeline.findLast(({ kind }) => kind === 'proposal');
      if (change.kind !== 'proposal' || !verb || !entry) return [];
      return [
        {
          do: 'notify',
          userId: order.farmer._id,
          kind: 'order.changeAnswered',
          key: entryKey('order.changeAnswered', order, entry.sequence),
          title: `Order ${orderName(order)} was answered`,
          body: `${nameInText(order.consumer.name)} ${verb} order ${orderName(order)}. ${outcomeOf(order, differencesInText(change))}`,
          link: orderLink(order),
        },
      ];
    },
  },
};

/** Notifies both sides that a proposal was not answered in time, and what became of the order. */
export const changeExpired: Definition<'order.changeExpired'> = {
  kind: 'order.changeExpired',
  concerns: 'answerOrders',
  action: 'View order',
  subject: () => 'A change of an order was not answered in time',
  isUrgent: true,
  table: tableByKey(['Before', 'Now']),
  reactions: {
    'order.updated': ({ data: order }) => {
      const { change } = order;
      const entry = order.timeline.findLast(({ kind }) => kind === 'proposal');
      if (change.kind !== 'proposal' || change.status !== 'expired' || !entry) return [];
      const last = order.timeline.at(-1);
      const hasEnded = isCalledOff(order.status);
      const changed = differencesInText(change);
      const total = `The total is ${totalInText(order)} now.`;
      const forBuyer = hasEnded
        ? `It is ${order.status} now.${because(last?.reason)}`
        : [changed && `${changed}.`, total].filter(Boolean).join(' ');
      const notice = {
        do: 'notify' as const,
        kind: 'order.changeExpired' as const,
        key: entryKey('order.changeExpired', order, entry.sequence),
        title: `Order ${orderName(order)} changed without an answer`,
        link: orderLink(order),
      };
      return [
        { ...notice, userId: order.consumer._id, body: `The time to answer is over. ${forBuyer}` },
        {
          ...notice,
          userId: order.farmer._id,
          body: `The customer did not answer your change in time. ${outcomeOf(order, changed)}`,
        },
      ];
    },
  },
};
