import { formatCount, formatMoney } from '../lib/format.ts';
import { type Cart, type CartLine, minorUnits, withLines } from './rules.ts';

/** What the market says of a product now; null when it is no longer sold. */
export type Offer = { price: number; quantityAvailable: number } | null;

/** What has become of a line since it was put into the cart. */
export type LineNews = {
  line: CartLine;
  /** The product is not sold any more. */
  isGone: boolean;
  /** How many are left, where that is fewer than the line wants. */
  left?: number;
  /** The price it has now, where that is another one. */
  price?: number;
};

function newsOf(line: CartLine, offer: Offer | undefined): LineNews | null {
  if (offer === undefined) return null;
  if (offer === null) return { line, isGone: true };
  const isShort = offer.quantityAvailable < line.quantity;
  const isRepriced = minorUnits(offer.price) !== minorUnits(line.price);
  if (!isShort && !isRepriced) return null;
  return {
    line,
    isGone: false,
    ...(isShort && { left: offer.quantityAvailable }),
    // A price nobody can buy at is no news.
    ...(isRepriced && offer.quantityAvailable > 0 && { price: offer.price }),
  };
}

function mended({ line, isGone, left, price }: LineNews): CartLine | null {
  if (isGone || left === 0) return null;
  return { ...line, quantity: left ?? line.quantity, price: price ?? line.price };
}

/**
 * Holds the cart against what the market offers now (by product id; what is missing is not known
 * yet). Answers what has changed, and the cart as it can be ordered: today's prices, no more than
 * there is, nothing that is gone.
 */
export function reconcile(
  cart: Cart,
  offers: ReadonlyMap<string, Offer>,
): { news: LineNews[]; mended: Cart } {
  const news = cart.lines
    .map((line) => newsOf(line, offers.get(line.productId)))
    .filter((each) => each !== null);
  if (news.length === 0) return { news, mended: cart };
  const lines = cart.lines.flatMap((line) => {
    const about = news.find((each) => each.line === line);
    return (about ? mended(about) : line) ?? [];
  });
  return { news, mended: withLines(cart, lines) };
}

/** What has become of a line, in a sentence or two. */
export function newsSentence({ line, isGone, left, price }: LineNews): string {
  const { name, quantity } = line;
  if (isGone) return `${name} is no longer on sale.`;
  if (left === 0) return `${name} is sold out.`;
  return [
    price !== undefined &&
      `${name} costs ${formatMoney(price)} now instead of ${formatMoney(line.price)}.`,
    left !== undefined &&
      `Only ${formatCount(left)} of ${name} left; your cart has ${formatCount(quantity)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
