import { farmNameOf } from '#contract/farm/farmers/constants/farmers';
import type { ProposalStatus, ShortReason } from '#contract/ordering/changes/constants/order-lines';
import type { OrderLine, ProposalItem } from '#contract/ordering/changes/order-lines';
import type { Order } from '#contract/ordering/orders/orders';
import { formatCounted, formatLine } from '#contract/platform/quantities/constants/pieces';
import {
  formatQuantity,
  formatQuantityOf,
} from '#contract/platform/quantities/constants/quantities';
import { capitalized } from '../../platform/format/format.ts';

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
export function wishForFarm(
  { onShort, preferredProduct = '' }: OrderLine,
  goods: ReadonlyMap<string, { name: string }>,
): string {
  switch (onShort) {
    case 'leave_out':
      return 'Wish: leave it out, no need to ask';
    case 'similar':
      return 'Wish: something similar, not dearer';
    case 'specific':
      return `Wish: ${goods.get(preferredProduct)?.name ?? 'a product you no longer have'} instead`;
    case 'ask':
      return 'Wish: ask first';
  }
}

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
      return substitute ? formatLine({ ...substitute, product: substitute }) : '';
    case 'overweight':
      return `${product.name}, weighs ${formatQuantity(packed, product.unit)}`;
  }
}

/** Joins words: 'a', 'a and b', 'a, b and c'. */
export function joined(parts: readonly string[]): string {
  const last = parts.at(-1);
  if (last === undefined || parts.length === 1) return last ?? '';
  return `${parts.slice(0, -1).join(', ')} and ${last}`;
}

/** What became of a proposal that is no longer open, for its buyer and for the farm. */
export function endedInWords(
  status: Exclude<ProposalStatus, 'open'>,
  reader: 'consumer' | 'farmer',
  order: Order,
): string {
  const { name } = order.consumer;
  const farm = capitalized(farmNameOf(order.farmer));
  const words: Record<typeof status, readonly [string, string]> = {
    accepted: ['You accepted the change.', `${name} accepted the change.`],
    answered: ['Your answer is with the farm.', `${name} answered line by line.`],
    declined: ['You cancelled the order.', `${name} cancelled the order because of the change.`],
    expired: [
      'The time to answer is over. What the farm is short of was taken out of your order; nothing was added.',
      `${name} didn't answer in time. What you are short of was taken out; nothing was added.`,
    ],
    withdrawn: [
      `${farm} took the change back. Your order stays as it was.`,
      'The change was taken back. The order stays as it was.',
    ],
    superseded: [
      `${farm} replaced its change with another one.`,
      'The change was replaced with another one.',
    ],
  };
  const [forBuyer, forFarm] = words[status];
  return reader === 'consumer' ? forBuyer : forFarm;
}
