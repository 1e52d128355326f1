import type { ProposalStatus, ShortReason } from '#contract/ordering/changes/constants';
import type { OrderLine, Proposal, ProposalItem } from '#contract/ordering/changes/order-lines';
import type { Order } from '#contract/ordering/orders/orders';
import { formatCounted } from '#contract/platform/quantities/constants/pieces';
import { formatGoods, formatQuantityOf } from '#contract/platform/quantities/constants/quantities';
import { capitalized } from '../../platform/format/format.ts';
import { formatTotal } from '../model/order-items.ts';
import {
  type Answers,
  type CategoryOf,
  type Drafts,
  draftsUnanswered,
  isFinalAnswered,
  isFinalWith,
  totalAnswered,
  totalExpired,
  totalUnanswered,
  unanswered,
} from './rules.ts';

/** Why a farm is short of something, as both sides read it. */
export const REASON_WORDS: Record<ShortReason, string> = {
  not_harvested: 'Not harvested',
  damaged: 'Damaged',
  sold_out: 'Sold out',
  quality: 'Not good enough',
  other: 'Another reason',
};

/** Returns whether a farm has none left for others either, unless it says so. */
export const emptiesByDefault = (reason: ShortReason): boolean =>
  reason === 'not_harvested' || reason === 'sold_out';

/** What a wish means, for the farm. */
export const wishForFarm = (
  { onShort, preferredProduct }: Pick<OrderLine, 'onShort' | 'preferredProduct'>,
  nameOf: (productId: string) => string | undefined,
): string => {
  if (onShort === 'leave_out') return 'Wish: leave it out, no need to ask';
  if (onShort === 'similar') return 'Wish: something similar, not dearer';
  const name = preferredProduct === undefined ? undefined : nameOf(preferredProduct);
  if (onShort === 'specific') return `Wish: ${name ?? 'a product you no longer have'} instead`;
  return 'Wish: ask first';
};

/** Formats goods: '2 lb Carrots', or '2 × Chicken' of what is priced by weight. */
export const goodsInWords = (
  goods: { name: string; unit: OrderLine['product']['unit']; pieceWeight?: unknown },
  quantity: number,
): string => formatGoods(quantity, goods.pieceWeight ? 'each' : goods.unit, goods.name);

/** Says what a line would be: '2 lb of Carrots', 'No Carrots', '1 bunch Chard'. */
export function proposedInWords(item: ProposalItem, line: OrderLine | undefined): string {
  const { action, product, newQuantity = 0, substitute, packed = 0 } = item;
  switch (action) {
    case 'remove':
      return `No ${product.name}`;
    case 'reduce':
      return line?.pieceWeight
        ? `${formatCounted(newQuantity, { ...product, pieceWeight: line.pieceWeight })} of ${product.name}`
        : formatQuantityOf(newQuantity, product.unit, product.name);
    case 'substitute':
      return substitute ? goodsInWords(substitute, substitute.quantity) : '';
    case 'overweight':
      return `${product.name}, weighs ${formatQuantityOf(packed, product.unit, '').replace(' of ', '')}`;
  }
}

/** Says what a line is, before a proposal. */
export const currentInWords = (
  { product, quantity }: ProposalItem,
  line: OrderLine | undefined,
): string => goodsInWords({ ...product, pieceWeight: line?.pieceWeight }, quantity);

/** Formats the total of an order after these answers. */
export const answeredInWords = (order: Order, proposal: Proposal, answers: Answers): string =>
  formatTotal({
    totalAmount: totalAnswered(order, proposal, answers),
    isTotalFinal: isFinalAnswered(order, proposal, answers),
  });

/** Formats the total of an order if its proposal gets no answer. */
export const expiredInWords = (order: Order, proposal: Proposal): string =>
  formatTotal({
    totalAmount: totalExpired(order, proposal),
    isTotalFinal: isFinalAnswered(order, proposal, unanswered(proposal)),
  });

/** Formats the total of an order if the buyer does not answer what these drafts ask. */
export const unansweredInWords = (order: Order, drafts: Drafts, categoryOf: CategoryOf): string =>
  formatTotal({
    totalAmount: totalUnanswered(order, drafts, categoryOf),
    isTotalFinal: isFinalWith(order, draftsUnanswered(order, drafts, categoryOf)),
  });

/** Joins words: 'a', 'a and b', 'a, b and c'. */
export function joined(parts: readonly string[]): string {
  const last = parts.at(-1);
  if (last === undefined || parts.length === 1) return last ?? '';
  return `${parts.slice(0, -1).join(', ')} and ${last}`;
}

/** What became of a proposal that is no longer open, for its buyer and for the farm. */
export const endedInWords = (
  status: Exclude<ProposalStatus, 'open'>,
  reader: 'consumer' | 'farmer',
  { consumer, farmer }: { consumer: string; farmer: string },
): string => {
  const isBuyer = reader === 'consumer';
  switch (status) {
    case 'accepted':
      return isBuyer ? 'You accepted the change.' : `${consumer} accepted the change.`;
    case 'answered':
      return isBuyer ? 'Your answer is with the farm.' : `${consumer} answered line by line.`;
    case 'declined':
      return isBuyer
        ? 'You cancelled the order.'
        : `${consumer} cancelled the order because of the change.`;
    case 'expired':
      return isBuyer
        ? 'The time to answer is over. What the farm is short of was taken out of your order; nothing was added.'
        : `${consumer} didn't answer in time. What you are short of was taken out; nothing was added.`;
    case 'withdrawn':
      return isBuyer
        ? `${capitalized(farmer)} took the change back. Your order stays as it was.`
        : 'The change was taken back. The order stays as it was.';
    case 'superseded':
      return isBuyer
        ? `${capitalized(farmer)} replaced its change with another one.`
        : 'The change was replaced with another one.';
  }
};

/** Who an order is with, for the sentences about its proposals. */
export const partiesOf = ({ consumer, farmer }: Order): { consumer: string; farmer: string } => ({
  consumer: consumer.name,
  farmer: farmer.farmName || farmer.name,
});
