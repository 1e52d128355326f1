import type { Order } from '#contract/orders';

const EXCERPT_MAX = 140;

/** An order as people name it: the first 8 characters of its id. */
export const orderName = (order: Pick<Order, '_id'>): string => `#${order._id.slice(0, 8)}`;

/** An amount as the market writes it. */
export const money = (amount: number): string => `₨${amount.toFixed(2)}`;

/** `1 item`, `2 items`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The beginning of a longer text, on one line. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= EXCERPT_MAX
    ? line
    : `${characters.slice(0, EXCERPT_MAX - 1).join('')}…`;
}

/** The page of an order. */
export const orderLink = (order: Pick<Order, '_id'>): string => `/orders/${order._id}`;

/** A reason as it follows a sentence, or nothing. */
export const because = (reason: string | undefined): string =>
  reason ? ` Reason: ${excerpt(reason)}` : '';
