import type { Availability } from '#contract/catalogue/products/constants/products';
import type { Product, ProductSize } from '#contract/catalogue/products/product';
import { farmNameOf } from '#contract/farm/farmers/constants';
import {
  followsPreference,
  type LineAnswer,
  type ProposalStatus,
  type ShortReason,
} from '#contract/ordering/changes/constants';
import type { OrderLine, Proposal, ProposalItem } from '#contract/ordering/changes/order-lines';
import type { Order } from '#contract/ordering/orders/orders';
import { fromMinor, lineTotalMinor, toMinor } from '#contract/platform/money/constants';
import {
  formatCounted,
  formatLine,
  nameWithSize,
  quantityUnit,
} from '#contract/platform/quantities/constants/pieces';
import {
  formatQuantity,
  formatQuantityOf,
  fromMilli,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import {
  isSoldOut,
  mostOf,
  nearestOffered,
  type Steps,
  stepOf,
} from '#contract/platform/quantities/constants/steps';
import type { NetContent, UnitLabel } from '#contract/platform/quantities/constants/units';
import type { OrderedSize } from '#contract/platform/quantities/quantity';
import { compareNames } from '#contract/platform/text/constants/names';
import { type Message, msg, t } from '#contract/platform/text/constants/texts';
import { capitalized } from '../../platform/format/format.ts';
import type { Total } from '../model/order-items.ts';

// What a farm's proposal comes to, before it is sent and before it is answered. The server decides all the same.

/** A product that can be chosen: one of the farm's, as it is now. */
export type Goods = Pick<
  Product,
  '_id' | 'name' | 'unit' | 'price' | 'quantityAvailable' | 'images' | 'category'
> &
  Omit<Steps, 'sizes'> & {
    pieceWeight?: { average: number } | undefined;
    sizes?: readonly ProductSize[] | undefined;
    /** The size in which it is looked at: its price and quantities are those of pieces then. */
    size?: OrderedSize | undefined;
    availability?: Availability | undefined;
    maxPerOrder?: number | undefined;
    unitLabel?: UnitLabel | undefined;
    net?: NetContent | undefined;
    /** Its last day; null for none, and absent where it is not known. */
    availableUntil?: string | null;
  };

/** A product that a farm is short of. */
export type ShortProduct = Pick<
  Goods,
  '_id' | 'name' | 'unit' | 'step' | 'minimum' | 'pieceWeight'
>;

/** What the farm wants of one line. */
export type LineDraft = {
  reason: ShortReason;
  /** Whether there is none of the product left for others either. */
  emptiesShelf: boolean;
} & (
  | { action: 'reduce'; newQuantity: number }
  | { action: 'remove' }
  | { action: 'substitute'; goods: Goods; quantity: number }
);

/** What the farm wants of the lines of an order, by their ids. */
type Drafts = ReadonlyMap<string, LineDraft>;

/** What a line costs, in minor units, and whether that is known for sure: nothing of it is still to be weighed. */
export type Cost = { minor: number; isFinal: boolean };

export function totalOf(costs: readonly Cost[]): Total {
  return {
    totalAmount: fromMinor(costs.reduce((sum, { minor }) => sum + minor, 0)),
    isTotalFinal: costs.every(({ isFinal }) => isFinal),
  };
}

const NOTHING: Cost = { minor: 0, isFinal: true };

export const presentCost = ({ total, isFinal }: OrderLine): Cost => ({
  minor: toMinor(total),
  isFinal,
});

/** No line costs more than it does now unless its consumer says so. */
const cappedCost = (line: OrderLine, { minor, isFinal }: Cost): Cost => ({
  minor: Math.min(toMinor(line.total), minor),
  isFinal,
});

/** Returns what a line would cost by a draft. */
export function draftCost(line: OrderLine, draft: LineDraft | undefined): Cost {
  if (!draft) return presentCost(line);
  if (draft.action === 'remove') return NOTHING;
  const [goods, quantity] =
    draft.action === 'reduce' ? [line, draft.newQuantity] : [draft.goods, draft.quantity];
  return { minor: lineTotalMinor({ ...goods, quantity }), isFinal: !goods.pieceWeight };
}

/** Returns the total that an order would have if the consumer accepts all. */
export const totalWith = ({ items }: Order, drafts: Drafts): Total =>
  totalOf(items.map((line) => draftCost(line, drafts.get(line._id))));

/** Returns the id of a product's category; undefined where it is not known. */
export type CategoryOf = (productId: string) => string | undefined;

/**
 * Returns whether a draft is done at once, by the consumer's wish: lines are left out, or replaced by something of the
 * same category that is not dearer. Everything else asks them.
 */
export function appliesAtOnce(line: OrderLine, draft: LineDraft, categoryOf: CategoryOf): boolean {
  const category = line.product._id === null ? undefined : categoryOf(line.product._id);
  return followsPreference(line.onShort, draft.action, {
    isSameCategory:
      draft.action === 'substitute' &&
      category !== undefined &&
      category === draft.goods.category?._id,
    isDearer: draftCost(line, draft).minor > toMinor(line.total),
  });
}

/** Returns the total if the consumer does not answer: what comes instead is not added, all else is done. */
export const totalUnanswered = ({ items }: Order, drafts: Drafts, categoryOf: CategoryOf): Total =>
  totalOf(
    items.map((line) => {
      const draft = drafts.get(line._id);
      if (draft?.action === 'substitute' && !appliesAtOnce(line, draft, categoryOf)) return NOTHING;
      return cappedCost(line, draftCost(line, draft));
    }),
  );

/** Returns the largest quantity that a line can be reduced to; 0 where there is only all or nothing. */
export function mostLess(quantity: number, steps: Steps): number {
  const milli = toMilli(quantity) - toMilli(stepOf(steps));
  return milli > 0 ? fromMilli(milli) : 0;
}

/**
 * Returns what a farm can offer for a line, the fittest first: what the consumer named, the same category, not dearer.
 */
export function substitutesFor(
  line: OrderLine,
  goods: readonly Goods[],
  categoryOf: CategoryOf,
): Goods[] {
  const category = line.product._id === null ? undefined : categoryOf(line.product._id);
  const rankOf = (each: Goods): number =>
    (each._id === line.preferredProduct ? 0 : 4) +
    (category !== undefined && each.category?._id === category ? 0 : 2) +
    (dearerMinor(line, each) <= 0 ? 0 : 1);
  return goods
    .filter((each) => each._id !== line.product._id && !isSoldOut(each))
    .toSorted((one, other) => rankOf(one) - rankOf(other) || compareNames(one.name, other.name));
}

/** Returns by how much a product is dearer than the line for which it may be offered. */
export const dearerMinor = (line: OrderLine, goods: Goods): number =>
  lineTotalMinor({ ...goods, quantity: fittingQuantity(line, goods) }) - toMinor(line.total);

/** Returns how much of a product to offer for a line first: as much, as far as it is sold so and is there. */
export function fittingQuantity(line: OrderLine, goods: Goods): number {
  const isComparable = line.product.unit === goods.unit && !line.pieceWeight === !goods.pieceWeight;
  return Math.min(mostOf(goods), nearestOffered(isComparable ? line.quantity : 1, goods));
}

/** An answer to each line of a proposal, by the line's id; lines without one count as accepted. */
export type Answers = Readonly<Record<string, LineAnswer>>;

const itemOf = ({ items }: Proposal, line: OrderLine): ProposalItem | undefined =>
  items.find(({ lineId }) => lineId === line._id);

/** Whether a proposal asks for nothing but the price of goods that weigh more than expected. */
export const isOverweightOnly = ({ items }: Proposal): boolean =>
  items.every(({ action }) => action === 'overweight');

/** Returns the same answer to each line. */
export const answerAll = ({ items }: Proposal, answer: LineAnswer): Answers =>
  Object.fromEntries(items.map(({ lineId }) => [lineId, answer]));

/** `keep_limit` of what weighs more than expected is what may be charged for it already. */
function answeredCost(line: OrderLine, proposal: Proposal, answers: Answers): Cost {
  const item = itemOf(proposal, line);
  if (!item) return presentCost(line);
  const answer = answers[line._id];
  if (answer === 'leave_out') return NOTHING;
  return {
    minor: toMinor(answer === 'keep_limit' ? line.total : item.totalAfter),
    isFinal: isFinalItem(item, line),
  };
}

/** Returns the total of an order after these answers. */
export const totalAnswered = ({ items }: Order, proposal: Proposal, answers: Answers): Total =>
  totalOf(items.map((line) => answeredCost(line, proposal, answers)));

/** Returns what no answer means for each line: nothing comes instead, and what weighs more costs no more. */
export const unanswered = ({ items }: Proposal): Answers =>
  Object.fromEntries(
    items.map(({ lineId, action }): [string, LineAnswer] => {
      if (action === 'substitute') return [lineId, 'leave_out'];
      return [lineId, action === 'overweight' ? 'keep_limit' : 'accept'];
    }),
  );

/** Returns the total of an order if its proposal gets no answer. */
export const totalExpired = ({ items }: Order, proposal: Proposal): Total =>
  totalOf(
    items.map((line) => cappedCost(line, answeredCost(line, proposal, unanswered(proposal)))),
  );

/** Returns whether what a proposed line costs after a yes is known for sure. */
export const isFinalItem = (
  { action, substitute }: ProposalItem,
  line: OrderLine | undefined,
): boolean => {
  if (action === 'reduce') return !line?.pieceWeight;
  return action !== 'substitute' || !substitute?.pieceWeight;
};

/** Returns whether an order would have no goods left after these answers, which cancels it. */
export const leavesNothing = ({ items }: Order, proposal: Proposal, answers: Answers): boolean =>
  items.every((line) => {
    const item = itemOf(proposal, line);
    if (!item) return line.quantity === 0;
    return answers[line._id] === 'leave_out' || item.action === 'remove';
  });

/** Why a farm is short of something, as both sides read it. */
export const REASON_WORDS: Record<ShortReason, Message> = {
  not_harvested: msg('Not harvested'),
  damaged: msg('Damaged'),
  sold_out: msg('Sold out'),
  quality: msg('Not good enough'),
  other: msg('Another reason'),
};

/** Returns whether a farm has none left for others either, unless it says so. */
export const emptiesByDefault = (reason: ShortReason): boolean =>
  reason === 'not_harvested' || reason === 'sold_out';

/** What a wish means, for the farm. */
export function describePreference(
  { onShort, preferredProduct = '' }: OrderLine,
  goods: ReadonlyMap<string, { name: string }>,
): string {
  switch (onShort) {
    case 'leave_out':
      return t('Wish: leave it out, no need to ask');
    case 'similar':
      return t('Wish: something similar, not dearer');
    case 'specific': {
      const name = goods.get(preferredProduct)?.name;
      return name === undefined
        ? t('Wish: a product you no longer have instead')
        : t('Wish: {name} instead', { name });
    }
    case 'ask':
      return t('Wish: ask first');
  }
}

/** Says what a line would be: '2 lb of Carrots', 'No Carrots', '1 bunch Chard'. */
export function describeProposed(item: ProposalItem, line: OrderLine | undefined): string {
  const { action, product, newQuantity = 0, substitute, packed = 0 } = item;
  const name = nameWithSize(product.name, item.size);
  switch (action) {
    case 'remove':
      return t('No {name}', { name });
    case 'reduce':
      return line?.pieceWeight
        ? t('{quantity} of {name}', {
            quantity: formatCounted(newQuantity, { ...product, pieceWeight: line.pieceWeight }),
            name,
          })
        : formatQuantityOf(newQuantity, quantityUnit({ ...product, size: item.size }), name);
    case 'substitute':
      return substitute ? formatLine({ ...substitute, product: substitute }) : '';
    case 'overweight':
      return t('{name}, weighs {weight}', {
        name,
        weight: formatQuantity(packed, product.unit),
      });
  }
}

/** What became of a proposal that is no longer open, for its consumer and for the farm. */
export function describeEnded(
  status: Exclude<ProposalStatus, 'open'>,
  reader: 'consumer' | 'farmer',
  order: Order,
): string {
  const { name } = order.consumer;
  const farm = capitalized(farmNameOf(order.farmer));
  const words: Record<typeof status, readonly [string, string]> = {
    accepted: [t('You accepted the change.'), t('{name} accepted the change.', { name })],
    answered: [t('Your answer is with the farm.'), t('{name} answered line by line.', { name })],
    declined: [
      t('You cancelled the order.'),
      t('{name} cancelled the order because of the change.', { name }),
    ],
    expired: [
      t(
        'The time to answer is over. What the farm is short of was taken out of your order; nothing was added.',
      ),
      t("{name} didn't answer in time. What you are short of was taken out; nothing was added.", {
        name,
      }),
    ],
    withdrawn: [
      t('{farm} took the change back. Your order stays as it was.', { farm }),
      t('The change was taken back. The order stays as it was.'),
    ],
    superseded: [
      t('{farm} replaced its change with another one.', { farm }),
      t('The change was replaced with another one.'),
    ],
  };
  const unknown = t('The change has ended.');
  const [forConsumer, forFarm] = words[status] ?? [unknown, unknown];
  return reader === 'consumer' ? forConsumer : forFarm;
}
