import type { FarmerDetail, Handoff } from '#contract/farm/farmers/farmers';
import { cutoffFor, isBefore, type WallMoment } from '#contract/farm/schedule/constants';
import { slotOf } from '#contract/farm/slots/constants';
import type { ChangeItems } from '#contract/ordering/changes/order-changes';
import type { OrderLine } from '#contract/ordering/changes/order-lines';
import { isOpenStatus } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { fromMinor, toMinor } from '#contract/platform/money/constants';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { mostOf, type Steps, stepsOf } from '#contract/platform/quantities/constants/steps';
import { wallClockIn } from '#contract/platform/time/constants';
import { basisOf } from '../../catalogue/model/price-basis.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { costMinor, type Goods } from './rules.ts';
import type { Wish } from './WishField.tsx';

// How a buyer changes an own order: one list of products, as the server wants it.

/** One product of an order that is being changed. Goods that came at two prices stand in it together. */
export type ItemDraft = {
  productId: string;
  name: string;
  image: string | undefined;
  unit: OrderLine['product']['unit'];
  /** The order's lines of it, the oldest first; empty of what is added. */
  lines: readonly OrderLine[];
  /** What is wanted of it; 0 is removed. */
  quantity: number;
  /** Of what is added: what the buyer wishes if it runs short. */
  wish?: Wish | undefined;
};

/** Returns the products of an order to be changed. What was deleted meanwhile cannot be, and stays. */
export function itemsOfOrder({ items }: Order): ItemDraft[] {
  const drafts = new Map<string, ItemDraft>();
  for (const line of items) {
    const { _id, name, images, unit } = line.product;
    if (_id === null || line.quantity === 0) continue;
    const known = drafts.get(_id);
    const lines = [...(known?.lines ?? []), line];
    drafts.set(_id, {
      productId: _id,
      name,
      image: images[0],
      unit,
      lines,
      quantity: presentOf({ lines }),
    });
  }
  return [...drafts.values()];
}

/** Returns a product that is added to an order, in the smallest quantity that can be ordered. */
export const addedItem = (goods: Goods, quantity: number): ItemDraft => ({
  productId: goods._id,
  name: goods.name,
  image: goods.images[0],
  unit: goods.unit,
  lines: [],
  quantity,
});

/** Returns how much of a product the order has now. */
export const presentOf = ({ lines }: Pick<ItemDraft, 'lines'>): number =>
  fromMilli(lines.reduce((sum, { quantity }) => sum + toMilli(quantity), 0));

/**
 * Returns what can be had of a product at most: what the order has, and what is left on the shelf. Of what is sold by
 * another unit or weight by now that is no more than the order has, because it cannot be counted together.
 */
export function mostOfItem(item: ItemDraft, goods: Goods | undefined): number {
  if (!goods || !item.lines.every((line) => isSoldAs(line, goods))) return presentOf(item);
  const quantityAvailable = fromMilli(toMilli(goods.quantityAvailable) + toMilli(presentOf(item)));
  return Math.max(presentOf(item), mostOf({ ...goods, quantityAvailable }));
}

/** Returns in which steps a product is sold; as it was ordered, where that is not known. */
export const stepsOfItem = (item: ItemDraft, goods: Goods | undefined): Steps =>
  goods
    ? stepsOf(goods)
    : item.lines.every(({ quantity }) => Number.isInteger(quantity))
      ? {}
      : { step: 0.001 };

/** Whether a line is still counted and priced as its product is now. */
const isSoldAs = ({ product, pieceWeight }: OrderLine, goods: Goods): boolean =>
  product.unit === goods.unit && pieceWeight?.average === goods.pieceWeight?.average;

/**
 * Returns what a product of the list comes to, in minor units: what was there keeps its price, what is added has
 * today's, and what is taken off goes from the newest price first.
 */
export function itemMinor(item: ItemDraft, goods: Goods | undefined): number {
  let offMilli = toMilli(presentOf(item)) - toMilli(item.quantity);
  const kept = item.lines
    .toReversed()
    .map((line) => {
      const takenMilli = Math.min(Math.max(offMilli, 0), toMilli(line.quantity));
      offMilli -= takenMilli;
      return { line, quantity: fromMilli(toMilli(line.quantity) - takenMilli) };
    })
    .toReversed();
  const added = offMilli < 0 ? fromMilli(-offMilli) : 0;
  const price = goods?.price ?? item.lines.at(-1)?.price ?? 0;
  // What is added at the same price joins its line, so that it is rounded once.
  const joins = kept.find(
    ({ line }) =>
      line.price === price && line.replaces === undefined && (!goods || isSoldAs(line, goods)),
  );
  const sum = kept.reduce((total, { line, quantity }) => {
    const now = line === joins?.line ? fromMilli(toMilli(quantity) + toMilli(added)) : quantity;
    return total + (now === line.quantity ? toMinor(line.total) : costMinor(line, now));
  }, 0);
  if (joins || added === 0) return sum;
  return sum + costMinor({ price, pieceWeight: goods?.pieceWeight }, added);
}

/** Returns the total of an order with this list. Products that were deleted meanwhile stay in it. */
export const totalOfItems = (
  order: Order,
  items: readonly ItemDraft[],
  goods: ReadonlyMap<string, Goods>,
): number =>
  fromMinor(
    items.reduce((sum, item) => sum + itemMinor(item, goods.get(item.productId)), 0) +
      order.items
        .filter(({ product }) => product._id === null)
        .reduce((sum, { total }) => sum + toMinor(total), 0),
  );

/** Returns whether what a product of a list costs is an estimate: something of it is still to be weighed. */
export function isEstimatedItem(item: ItemDraft, goods: Goods | undefined): boolean {
  if (item.quantity === 0) return false;
  const isSame = toMilli(item.quantity) === toMilli(presentOf(item));
  if (isSame) return item.lines.some(({ isFinal }) => !isFinal);
  // What a line weighed holds no more once its quantity changes.
  return !!goods?.pieceWeight || item.lines.some(({ pieceWeight }) => pieceWeight);
}

/** Returns whether the total of an order with this list is an estimate. Products that were deleted stay in it. */
export const isEstimatedWith = (
  { items: lines }: Order,
  items: readonly ItemDraft[],
  goods: ReadonlyMap<string, Goods>,
): boolean =>
  items.some((item) => isEstimatedItem(item, goods.get(item.productId))) ||
  lines.some(({ product, isFinal }) => product._id === null && !isFinal);

/** Returns whether a list differs from what the order has. */
export const isChanged = (items: readonly ItemDraft[]): boolean =>
  items.some((item) => toMilli(item.quantity) !== toMilli(presentOf(item)));

/** Returns the list as the server wants it, with the prices that the buyer saw for what is added. */
export const toChangedItems = (
  items: readonly ItemDraft[],
  goods: ReadonlyMap<string, Goods>,
): ChangeItems['items'] =>
  items
    .filter(({ quantity }) => quantity > 0)
    .map((item) => {
      const product = goods.get(item.productId);
      const isMore = toMilli(item.quantity) > toMilli(presentOf(item));
      return {
        product: item.productId,
        quantity: item.quantity,
        ...(isMore && product ? { price: product.price, ...basisOf(product) } : {}),
        ...item.wish,
      };
    });

/** Returns what is wrong with a list, by the product's id, if the server refused it for that. */
export function refusedItems(
  error: unknown,
  sent: ChangeItems['items'],
): ReadonlyMap<string, string> {
  const messages = new Map<string, string>();
  if (!(error instanceof ApiError)) return messages;
  for (const { path, message } of error.errors) {
    const [, index] = /^items\.(\d+)/.exec(path) ?? [];
    const product = index === undefined ? undefined : sent[Number(index)]?.product;
    if (product) messages.set(product, message);
  }
  return messages;
}

/** Returns what of a farm says until when orders can be changed. */
export const changeTermsOf = ({
  handoff,
  profile,
}: FarmerDetail): Pick<Handoff, 'cutoff' | 'timeZone'> => ({
  cutoff: handoff?.cutoff ?? null,
  timeZone: profile.timeZone,
});

/** Returns the moment until which an order can be changed, by the farm's clock: its cut-off, else its handover. */
export function changesUntil(order: Order, handoff: Pick<Handoff, 'cutoff'>): WallMoment {
  const { date, time } = slotOf(order);
  const start = { date, time };
  const limit = handoff.cutoff ? cutoffFor(handoff.cutoff, date) : start;
  return isBefore(limit, start) ? limit : start;
}

/** Whether a buyer may change what they ordered: it is open, nothing waits for an answer, and it is not packed. */
export const mayChangeItems = ({ status, packing, openChange }: Order): boolean =>
  isOpenStatus(status) && packing === 'none' && openChange === null;

/** Whether it is still time to change an order. The server decides by its own clock. */
export const isInTime = (
  order: Order,
  handoff: Pick<Handoff, 'cutoff' | 'timeZone'>,
  now: number,
): boolean => isBefore(wallClockIn(handoff.timeZone, now), changesUntil(order, handoff));

/** Returns a list with more of some products; what is new in it comes last. Products that are not known are left out. */
export function withMore(
  items: readonly ItemDraft[],
  more: readonly { productId: string; quantity: number }[],
  goods: ReadonlyMap<string, Goods>,
): ItemDraft[] {
  const added = new Map(more.map(({ productId, quantity }) => [productId, quantity]));
  const raised = items.map((item) => ({
    ...item,
    quantity: fromMilli(toMilli(item.quantity) + toMilli(added.get(item.productId) ?? 0)),
  }));
  const known = new Set(items.map(({ productId }) => productId));
  const fresh = more.flatMap(({ productId, quantity }) => {
    const product = goods.get(productId);
    return known.has(productId) || !product ? [] : [addedItem(product, quantity)];
  });
  return [...raised, ...fresh];
}
