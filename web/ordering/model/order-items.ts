import { farmNameOf } from '#contract/farm/farmers/constants';
import type { LineDifference, OrderLine } from '#contract/ordering/changes/order-lines';
import type { Party } from '#contract/ordering/orders/constants';
import type { Order, UpdatedOrder } from '#contract/ordering/orders/orders';
import type { OpenOrders } from '#contract/people/users/users';
import { shortId } from '#contract/platform/http/constants';
import { formatExpected, fromMinor, toMinor } from '#contract/platform/money/constants';
import {
  formatGoodsQuantity,
  formatLine,
  nameWithSize,
  quantityUnit,
} from '#contract/platform/quantities/constants/pieces';
import {
  estimateMinor,
  formatGoods,
  formatQuantity,
  fromMilli,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { listOf } from '#contract/platform/text/constants/formats';
import { isolate } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';

/** Returns the lines of an order that are left; all of an order that has none left, so that it still has a name. */
export function presentLines(items: Order['items']): Order['items'] {
  const left = items.filter(({ quantity }) => quantity > 0);
  return left.length > 0 ? left : items;
}

/** Returns the items of an order with their quantities: '2 lb Tomatoes, 1 dozen Corn, 2 × Chicken'. */
export function formatQuantities(items: Order['items']): string {
  return listOf(presentLines(items).map(formatLine), 'unit');
}

/** Returns the items of an order in one line: 'Tomatoes, Kale and 2 more'. */
export function formatItems(items: Order['items']): string {
  const present = presentLines(items);
  const named = present
    .slice(0, 2)
    .map((item) => isolate(nameWithSize(item.product.name, item.size)));
  return inBrief(named, present.length);
}

/** Lists words, and counts those that there are beside them: 'Tomatoes, Kale and 2 more'. */
function inBrief(words: readonly string[], count: number): string {
  const listed = listOf(words, 'unit');
  const more = count - words.length;
  return more > 0 ? t('{listed} and {count} more', { listed, count: more }) : listed;
}

/** What an order comes to. */
export type Total = Pick<Order, 'totalAmount' | 'isTotalFinal'>;

/** Formats what an order costs: '₨480.00', and '≈ ₨480.00' while something in it is not weighed. */
export const formatTotal = ({ totalAmount, isTotalFinal }: Total): string =>
  formatExpected(totalAmount, !isTotalFinal);

/** Returns the order of an `order.updated` event in the form of a fetched order, without `change`. */
export const withoutChange = ({ change: _, ...order }: UpdatedOrder): Order => order;

type Counted = OpenOrders['pending'];

/** Names orders by their numbers, the first of many: '#1a2b3c4d, #5e6f7a8b and 3 more'. */
export const orderNumbers = ({ count, ids }: Counted): string =>
  inBrief(
    ids.map((id) => isolate(`#${shortId(id)}`)),
    count,
  );

/** Counts and names orders: '2 pending orders (#1a2b3c4d, #5e6f7a8b)'; empty for none. */
export const formatOrders = (orders: Counted, kind: 'open' | 'pending' | 'accepted'): string =>
  orders.count === 0
    ? ''
    : t(
        '{kind, select, pending {{count, plural, one {# pending order} other {# pending orders}}} accepted {{count, plural, one {# accepted order} other {# accepted orders}}} other {{count, plural, one {# open order} other {# open orders}}}} ({numbers})',
        { kind, count: orders.count, numbers: orderNumbers(orders) },
      );

/** Returns all open orders together. */
export const allOpen = ({ pending, accepted }: OpenOrders): Counted => ({
  count: pending.count + accepted.count,
  ids: [...accepted.ids, ...pending.ids].slice(0, 5),
});

// What may become of an order's lines, in words that the order's pages, the timeline and the news share.

/** Returns what a line is expected to weigh, '≈ 3.6 kg', until it is weighed; nothing of other goods. */
export function expectedWeight({
  product,
  quantity,
  pieceWeight,
  packed,
}: Pick<OrderLine, 'product' | 'quantity' | 'pieceWeight' | 'packed'>): string | undefined {
  if (!pieceWeight || quantity === 0 || packed !== undefined) return undefined;
  const expected = fromMilli(Math.round(toMilli(pieceWeight.average) * quantity));
  return `≈ ${formatQuantity(expected, product.unit)}`;
}

/** Returns the lines of an order with each one that stands for another right behind it. */
export function linesInOrder(lines: readonly OrderLine[]): OrderLine[] {
  const known = new Set(lines.map(({ _id }) => _id));
  const isBehind = ({ replaces }: OrderLine) => replaces !== undefined && known.has(replaces);
  const withThoseFor = (line: OrderLine): OrderLine[] => [
    line,
    ...lines.filter((other) => other !== line && other.replaces === line._id).flatMap(withThoseFor),
  ];
  return lines.filter((line) => !isBehind(line)).flatMap(withThoseFor);
}

/** Says how one line changed: '2 lb instead of 5 lb of Carrots', 'no Kale', '1 bunch Chard instead of Kale'. */
function describeDifference(line: LineDifference, all: readonly LineDifference[]): string {
  const { product, size, from, to, replaces, isByPiece } = line;
  if (to === 0) return t('no {name}', { name: nameWithSize(product.name, size) });
  if (from > 0) {
    return t('{quantity} instead of {before} of {name}', {
      quantity: formatGoodsQuantity(line, to),
      before: formatGoodsQuantity(line, from),
      name: product.name,
    });
  }
  const replaced = all.find(({ lineId }) => lineId === replaces);
  const goods = formatGoods(
    to,
    isByPiece ? 'each' : quantityUnit({ ...product, size }),
    nameWithSize(product.name, size),
  );
  return replaced
    ? t('{goods} instead of {name}', {
        goods,
        name: nameWithSize(replaced.product.name, replaced.size),
      })
    : t('{goods} added', { goods });
}

/** Says how lines changed, each in a few words. What was replaced is named beside what stands for it. */
export function describeDifferences(differences: readonly LineDifference[]): string[] {
  const replaced = new Set(differences.filter(({ to }) => to > 0).map(({ replaces }) => replaces));
  return differences
    .filter(({ lineId, to }) => to > 0 || !replaced.has(lineId))
    .map((each) => describeDifference(each, differences));
}

/** Says how lines changed in one line: '2 lb instead of 5 lb of Carrots, no Kale and 2 more'. */
export function differencesInBrief(differences: readonly LineDifference[], most = 2): string {
  const words = describeDifferences(differences);
  return inBrief(words.slice(0, most), words.length);
}

/** Returns what a line came to when it was ordered, before it changed. */
export const orderedTotal = ({ price, orderedQuantity, pieceWeight }: OrderLine): number =>
  fromMinor(
    estimateMinor({
      priceMinor: toMinor(price),
      quantityMilli: toMilli(orderedQuantity),
      pieceMilli: pieceWeight ? toMilli(pieceWeight.average) : null,
    }),
  );

/** Returns who an order is with, as its reader sees it: the farm, the customer, or both. */
export function withWhom({ consumer, farmer }: Order, reader: Party): string {
  const farm = farmNameOf(farmer);
  if (reader === 'consumer') return farm;
  return reader === 'farmer'
    ? consumer.name
    : t('{customer} at {farm}', { customer: consumer.name, farm });
}
