import { farmNameOf } from '#contract/farm/farmers/constants';
import type { UpdatedOrder } from '#contract/ordering/orders/orders';
import { unreturnedInWords } from '#contract/platform/quantities/constants/pieces';
import type { Definition, Effect } from '../engine/definition.ts';
import { because, counted, formatExpected, nameInText } from '../engine/wording.ts';
import { differencesInText, entryKey, tableByKey } from './line-changes.ts';
import { orderLink, orderName } from './order-words.ts';

/**
 * Notifies whoever did not change it of an order's new lines: the farm of what its buyer changed, the buyer of what
 * was applied as they wished for a shortage.
 */
export const orderItemsChanged: Definition<'order.itemsChanged'> = {
  kind: 'order.itemsChanged',
  concerns: 'read',
  action: 'View order',
  // The title has no user-written text.
  subject: ({ title }) => title,
  digest: (count) => `${counted(count, 'order')} changed`,
  table: tableByKey(['Before', 'Now']),
  reactions: {
    'order.updated': ({ data: order }) => [...itemsChanged(order), ...notReturned(order)],
  },
};

/** Notifies the farm of goods that did not go back to its stock, whoever changed or ended the order. */
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
    {
      do: 'notify',
      userId: order.farmer._id,
      kind: 'order.itemsChanged',
      key: entryKey('order.unreturned', order, last.sequence),
      title: `Order ${orderName(order)} put nothing back in stock`,
      body: `You sell this in another unit now than in that order, so it did not go back: ${unreturnedInWords(named)}. Correct your stock if it is there.`,
      link: orderLink(order),
    },
  ];
}

function itemsChanged(order: UpdatedOrder): Effect[] {
  const entry = order.timeline.findLast(({ kind }) => kind === 'lines');
  const last = order.timeline.at(-1);
  // It may stand before a proposal of the same moment.
  if (entry?.kind !== 'lines' || entry.at !== last?.at) return [];
  const { cause } = entry.detail;
  if (cause === 'wish' || ['status', 'party'].includes(order.change.kind)) return [];
  const isByBuyer = cause === 'buyer';
  const changed = differencesInText(entry.detail);
  const ended = last.kind === 'status' ? ` It is ${order.status} now.` : '';
  const { totalAfter, isAfterEstimate } = entry.detail;
  const total = ended || ` The total is ${formatExpected(totalAfter, isAfterEstimate)} now.`;
  return [
    {
      do: 'notify',
      userId: isByBuyer ? order.farmer._id : order.consumer._id,
      kind: 'order.itemsChanged',
      key: entryKey('order.itemsChanged', order, entry.sequence),
      title: isByBuyer
        ? `Order ${orderName(order)} has new quantities`
        : 'Your order changed as you wished',
      body: isByBuyer
        ? `${nameInText(order.consumer.name)} changed it: ${changed}.${total}`
        : `${nameInText(farmNameOf(order.farmer))} is short of something in order ${orderName(order)}: ${changed}.${total}${because(entry.reason)}`,
      link: orderLink(order),
    },
  ];
}
