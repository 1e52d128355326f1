import { canBeHadOn } from '#contract/catalogue/products/constants/products';
import type { FarmerDetail, Handoff } from '#contract/farm/farmers/farmers';
import { cutoffFor, isBefore, type WallMoment } from '#contract/farm/schedule/constants';
import { slotOf } from '#contract/farm/slots/constants';
import type { ChangeItems, SetPreference } from '#contract/ordering/changes/order-changes';
import type { OrderLine } from '#contract/ordering/changes/order-lines';
import { isOpenStatus } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { lineTotalMinor, toMinor } from '#contract/platform/money/constants';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { goodsKey } from '#contract/platform/quantities/constants/sizes';
import { mostOf, type Steps, stepsOf } from '#contract/platform/quantities/constants/steps';
import type { UnitLabel } from '#contract/platform/quantities/constants/units';
import type { OrderedSize } from '#contract/platform/quantities/quantity';
import { wallClockIn } from '#contract/platform/time/constants';
import { inSize, sizeOf, stockTaken } from '../../catalogue/model/sizes.ts';
import { basisOf } from '../../catalogue/model/weights.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import type { Total } from '../model/order-items.ts';
import { type Cost, type Goods, presentCost, totalOf } from './rules.ts';

// How a consumer changes an own order: one list of products, each in its sizes, as the server wants it.

/** One product of an order, in one size, that is being changed. Goods that came at two prices stand in it together. */
export type ItemDraft = {
  productId: string;
  name: string;
  image: string | undefined;
  unit: OrderLine['product']['unit'];
  unitLabel?: UnitLabel | undefined;
  size?: OrderedSize | undefined;
  /** The order's lines of it, the oldest first; empty of what is added. */
  lines: readonly OrderLine[];
  /** What is wanted of it; 0 is removed. */
  quantity: number;
  /** Of what is added: what the consumer wishes if it runs short. */
  preference?: SetPreference | undefined;
};

/** What a farm sells, by product id, as far as it is known. */
export type GoodsById = ReadonlyMap<string, Goods>;

/** Returns the products of an order to be changed. What was deleted meanwhile cannot be, and stays. */
export function itemsOfOrder({ items }: Order): ItemDraft[] {
  const drafts = new Map<string, ItemDraft>();
  for (const line of items) {
    const { _id, ...product } = line.product;
    if (_id === null || line.quantity === 0) continue;
    const key = goodsKey({ product: _id, size: line.size?._id });
    const lines = [...(drafts.get(key)?.lines ?? []), line];
    const goods = { ...product, _id, size: line.size };
    drafts.set(key, { ...addedItem(goods, presentOf({ lines })), lines });
  }
  return [...drafts.values()];
}

/** Returns what tells an item of the list from others: a product in a size stands in it once. */
export const itemKey = ({
  productId,
  size,
}: {
  productId: string;
  size?: { _id: string } | undefined;
}): string => goodsKey({ product: productId, size: size?._id });

/**
 * Returns a product as an item of the list is sold now: in its size, if it is in one. Undefined where it is not, because
 * the size is off or the product has come to be sold in sizes: then no more of it can be had.
 */
export function soldAsItem({ size }: Pick<ItemDraft, 'size'>, goods: Goods | undefined) {
  if (!goods?.sizes) return size ? undefined : goods;
  const own = sizeOf(goods, size?._id);
  return own && inSize(goods, own);
}

/** Returns so much of a product as it is added to an order. */
export const addedItem = (
  goods: Pick<Goods, '_id' | 'name' | 'images' | 'unit' | 'unitLabel' | 'size'>,
  quantity: number,
): ItemDraft => ({
  productId: goods._id,
  name: goods.name,
  image: goods.images[0],
  unit: goods.unit,
  unitLabel: goods.unitLabel,
  size: goods.size,
  lines: [],
  quantity,
});

/** Returns how much of a product the order has now. */
export const presentOf = ({ lines }: Pick<ItemDraft, 'lines'>): number =>
  fromMilli(lines.reduce((sum, { quantity }) => sum + toMilli(quantity), 0));

/**
 * Returns what can be had of an item at most on the order's day: what the order has, and what the other items of its
 * product leave of the stock. Of what is sold by another unit, weight or content by now that is no more than the order
 * has, because it cannot be counted together, nor of what can no longer be had that day.
 */
export function mostOfItem(
  item: ItemDraft,
  items: readonly ItemDraft[],
  goods: Goods | undefined,
  day: string,
): number {
  const present = presentOf(item);
  const sold = soldAsItem(item, goods);
  if (!goods || !sold || !isHadOn(goods, day) || !item.lines.every((line) => isSoldAs(line, sold)))
    return present;
  const same = items.filter(({ productId }) => productId === item.productId);
  const ownMilli = same.reduce(
    (sumMilli, { size, lines }) => sumMilli + stockTaken({ quantity: presentOf({ lines }), size }),
    0,
  );
  const otherMilli = same
    .filter((other) => itemKey(other) !== itemKey(item))
    .reduce((sumMilli, other) => sumMilli + stockTaken(other), 0);
  const stocked = {
    ...goods,
    quantityAvailable: fromMilli(toMilli(goods.quantityAvailable) + ownMilli),
  };
  const size = sizeOf(goods, item.size?._id);
  return Math.max(present, mostOf(size ? inSize(stocked, size, otherMilli) : stocked));
}

/** Returns in which steps a product is sold; as it was ordered, where that is not known. */
export function stepsOfItem(item: ItemDraft, goods: Goods | undefined): Steps {
  const { lines } = item;
  const sold = soldAsItem(item, goods);
  if (sold) return stepsOf(sold);
  return lines.every(({ quantity }) => Number.isInteger(quantity)) ? {} : { step: 0.001 };
}

/** Whether a product can still be had on a day, as far as that is known. */
export const isHadOn = ({ availableUntil = null }: Goods, day: string): boolean =>
  canBeHadOn({ availableUntil }, day);

/** Whether a line is still counted and priced as its product is now. */
const isSoldAs = ({ product, pieceWeight, size }: OrderLine, goods: Goods): boolean =>
  product.unit === goods.unit &&
  pieceWeight?.average === goods.pieceWeight?.average &&
  size?.content === goods.size?.content;

/**
 * Returns what a product of the list comes to: what was there keeps its price, what is added has today's, and what is
 * taken off goes from the newest price first.
 */
export function itemCost(item: ItemDraft, product: Goods | undefined): Cost {
  const goods = soldAsItem(item, product);
  let offMilli = toMilli(presentOf(item)) - toMilli(item.quantity);
  const isSame = offMilli === 0;
  const kept = item.lines
    .toReversed()
    .map((line) => {
      const takenMilli = Math.min(Math.max(offMilli, 0), toMilli(line.quantity));
      offMilli -= takenMilli;
      return { line, quantity: fromMilli(toMilli(line.quantity) - takenMilli) };
    })
    .toReversed();
  const added = offMilli < 0 ? fromMilli(-offMilli) : 0;
  const price = priceOf(item, product);
  // What is added at the same price joins its line, so that it is rounded once.
  const joins = kept.find(
    ({ line }) =>
      line.price === price && line.replaces === undefined && (!goods || isSoldAs(line, goods)),
  );
  const minor = kept.reduce((total, { line, quantity }) => {
    const now = line === joins?.line ? fromMilli(toMilli(quantity) + toMilli(added)) : quantity;
    const isKept = now === line.quantity;
    return total + (isKept ? toMinor(line.total) : lineTotalMinor({ ...line, quantity: now }));
  }, 0);
  const addedMinor = joins
    ? 0
    : lineTotalMinor({ price, pieceWeight: goods?.pieceWeight, quantity: added });
  // What a line weighed holds no more once its quantity changes.
  const isKnown = isSame
    ? item.lines.every(({ isFinal }) => isFinal)
    : ![...item.lines, goods].some((sold) => sold?.pieceWeight);
  return { minor: minor + addedMinor, isFinal: item.quantity === 0 || isKnown };
}

/** Returns today's price of a product; what it cost last, where that is not known. */
export const priceOf = (item: ItemDraft, goods: Goods | undefined): number =>
  soldAsItem(item, goods)?.price ?? item.lines.at(-1)?.price ?? 0;

/** Returns the total of an order with this list. Products that were deleted meanwhile stay in it. */
export const totalOfItems = (order: Order, items: readonly ItemDraft[], goods: GoodsById): Total =>
  totalOf([
    ...items.map((item) => itemCost(item, goods.get(item.productId))),
    ...order.items.filter(({ product }) => product._id === null).map(presentCost),
  ]);

/** Returns whether a list differs from what the order has. */
export const isChanged = (items: readonly ItemDraft[]): boolean =>
  items.some((item) => toMilli(item.quantity) !== toMilli(presentOf(item)));

/** Returns the list as the server wants it, with the prices that the consumer saw for what is added. */
export const toChangedItems = (
  items: readonly ItemDraft[],
  goods: GoodsById,
): ChangeItems['items'] =>
  items
    .filter(({ quantity }) => quantity > 0)
    .map((item) => {
      const product = soldAsItem(item, goods.get(item.productId));
      const isMore = toMilli(item.quantity) > toMilli(presentOf(item));
      return {
        product: item.productId,
        ...(item.size && { size: item.size._id }),
        quantity: item.quantity,
        ...(isMore && product ? { price: product.price, ...basisOf(product) } : {}),
        ...item.preference,
      };
    });

/** Returns what is wrong with a list, by product and size, if the server refused it for that. */
export function refusedItems(
  error: unknown,
  sent: ChangeItems['items'],
): ReadonlyMap<string, string> {
  const problems = error instanceof ApiError ? error.errors : [];
  return new Map(
    problems.flatMap(({ path, message }) => {
      const [, index] = /^items\.(\d+)/.exec(path) ?? [];
      const item = sent[Number(index)];
      return item ? [[goodsKey(item), message] as const] : [];
    }),
  );
}

/** What of a farm says until when orders can be changed, and whether anything is added to them. */
export type ChangeTerms = Pick<Handoff, 'cutoff' | 'timeZone' | 'pausedUntil'>;

export const changeTermsOf = ({ handoff, profile }: FarmerDetail): ChangeTerms => ({
  cutoff: handoff?.cutoff ?? null,
  timeZone: profile.timeZone,
  pausedUntil: handoff?.pausedUntil,
});

/** Returns the moment until which an order can be changed, by the farm's clock: its cut-off, else its handover. */
export function changesUntil(order: Order, { cutoff }: ChangeTerms): WallMoment {
  const { date, time } = slotOf(order);
  const start = { date, time };
  const limit = cutoff ? cutoffFor(cutoff, date) : start;
  return isBefore(limit, start) ? limit : start;
}

/** Whether a consumer may change what they ordered: it is open, nothing waits for an answer, and it is not packed. */
export const mayChangeItems = ({ status, packing, openChange }: Order): boolean =>
  isOpenStatus(status) && packing === 'none' && openChange === null;

/** Whether it is still time to change an order. The server decides by its own clock. */
export const isInTime = (order: Order, terms: ChangeTerms, now: number): boolean =>
  isBefore(wallClockIn(terms.timeZone, now), changesUntil(order, terms));

/**
 * Returns a list with more of some products; what is new in it comes last. Products that are not known are left out.
 */
export function withMore(
  items: readonly ItemDraft[],
  more: readonly Pick<ItemDraft, 'productId' | 'size' | 'quantity'>[],
  goods: GoodsById,
): ItemDraft[] {
  const added = new Map(more.map((line) => [itemKey(line), line.quantity]));
  const raised = items.map((item) => ({
    ...item,
    quantity: fromMilli(toMilli(item.quantity) + toMilli(added.get(itemKey(item)) ?? 0)),
  }));
  const known = new Set(items.map(itemKey));
  const fresh = more.flatMap((line) => {
    const product = goods.get(line.productId);
    return known.has(itemKey(line)) || !product
      ? []
      : [addedItem({ ...product, size: line.size }, line.quantity)];
  });
  return [...raised, ...fresh];
}
