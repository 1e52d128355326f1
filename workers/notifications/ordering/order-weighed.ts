import { farmNameOf } from '#contract/farm/farmers/constants';
import { lineMinor, type ProposalStatus } from '#contract/ordering/changes/constants';
import type { TimelineEntry } from '#contract/ordering/orders/order-timeline';
import type { UpdatedOrder } from '#contract/ordering/orders/orders';
import { formatEstimate, formatMoney, fromMinor } from '#contract/platform/money/constants';
import {
  estimateMinor,
  formatQuantity,
  fromMilli,
} from '#contract/platform/quantities/constants/quantities';
import { isWeightUnit } from '#contract/platform/quantities/constants/units';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { MailTable } from '../engine/compose.ts';
import type { Definition } from '../engine/definition.ts';
import { counted, money, nameInText } from '../engine/wording.ts';
import { entryKey } from './line-changes.ts';
import { orderLink, orderName } from './order-words.ts';

type WeightsEntry = Extract<TimelineEntry, { kind: 'weights' }>;

/** How a proposal ends that leaves the order to be packed. */
const SETTLED: readonly ProposalStatus[] = ['accepted', 'answered', 'expired', 'withdrawn'];

/**
 * Returns the weights that the buyer is notified of now: those that an event brings or, where they were asked about
 * something meanwhile, the last ones once that is over.
 */
function weightsToNotify({ change, timeline, status, openChange }: UpdatedOrder) {
  const isNow =
    change.kind === 'weights' ||
    (change.kind === 'proposal' && status === 'accepted' && SETTLED.includes(change.status));
  if (!isNow || openChange) return undefined;
  return timeline.findLast((entry): entry is WeightsEntry => entry.kind === 'weights');
}

/**
 * Returns the total that the buyer knew before their order was weighed; undefined where there is nothing to notify of
 * yet, or nothing new. They are notified once: with the last of what has to be weighed. After that only of another
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
      const cost = lineMinor({
        ...line,
        finalMinor: finalMinor === null ? null : Number(finalMinor),
      });
      const weight = formatQuantity(fromMilli(line.packedMilli ?? 0), line.unit);
      return [
        nameInText(line.name, 'A product'),
        formatEstimate(fromMinor(estimateMinor(line))),
        `${formatMoney(fromMinor(cost))} (${weight})`,
      ];
    }),
  };
}

/** Notifies the buyer of what their order costs, once everything in it is weighed. */
export const orderWeighed: Definition<'order.weighed'> = {
  kind: 'order.weighed',
  action: 'View order',
  // The title has no user-written text.
  subject: ({ title }) => title,
  digest: (count) => `${counted(count, 'order')} weighed`,
  table: tableOf,
  reactions: {
    'order.updated': ({ data: order }) => {
      const entry = weightsToNotify(order);
      const known = entry && knownTotal(order, entry.detail);
      if (!entry || known === undefined) return [];
      const total = money(order.totalAmount);
      return [
        {
          do: 'notify',
          userId: order.consumer._id,
          kind: 'order.weighed',
          key: entryKey('order.weighed', order, entry.sequence),
          title: 'Your order was weighed',
          body: `Order ${orderName(order)} at ${nameInText(farmNameOf(order.farmer))} ${
            known === order.totalAmount
              ? `costs ${total}, as expected.`
              : `costs ${total} instead of ${money(known)}.`
          }`,
          link: orderLink(order),
        },
      ];
    },
  },
};
