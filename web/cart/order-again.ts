import { toMinor } from '#contract/constants/money';
import { LINES_MAX } from '#contract/constants/order-limits';
import { quantityUnit } from '#contract/constants/pieces';
import { formatQuantity, formatQuantityOf } from '#contract/constants/quantities';
import { stepsInWords } from '#contract/constants/steps';
import type { AgainItem } from '#contract/orders';
import { formatMoney } from '../lib/format.ts';
import { addToCart, type Cart } from './rules.ts';

/** The cart after an order was put into it again, and a sentence for each line that is worth one. */
export type AgainResult = {
  cart: Cart;
  /** How many products of the order are in the cart now. */
  count: number;
  sentences: string[];
};

/** Returns whether nothing of an order can be had any more. */
export const isAllGone = (items: readonly AgainItem[]): boolean =>
  items.every((item) => item.outcome === 'gone');

/** Returns whether the cart holds goods of another farm than the order's. */
export function isOtherFarm(cart: Cart, items: readonly AgainItem[]): boolean {
  const farm = items[0]?.product.farmer._id;
  return cart.lines.length > 0 && farm !== undefined && cart.farmerId !== farm;
}

/**
 * Puts the products of an order into the cart, which is empty or of the same farm. A product that is in it
 * already gets the larger of both quantities, so that pressing the button twice doubles nothing.
 */
export function addAgain(cart: Cart, items: readonly AgainItem[]): AgainResult {
  let next = cart;
  let count = 0;
  const sentences: string[] = [];
  for (const item of items) {
    const { product, quantity, outcome } = item;
    const id = product._id;
    if (outcome === 'gone' || id === null || quantity === 0) {
      sentences.push(goneSentence(item));
      continue;
    }
    const inCart = cart.lines.find((line) => line.productId === id)?.quantity ?? 0;
    const missing = quantity - inCart;
    if (missing > 0) {
      const added = addToCart(next, { ...product, _id: id }, missing);
      if (!('cart' in added)) {
        sentences.push(
          `There's no room for ${product.name}: a cart holds at most ${LINES_MAX} products.`,
        );
        continue;
      }
      next = added.cart;
    }
    count += 1;
    const sentence = changeSentence(item, inCart);
    if (sentence !== '') sentences.push(sentence);
  }
  return { cart: next, count, sentences };
}

/** Returns what is said of a product that cannot be had any more. */
export const goneSentence = ({ product }: AgainItem): string =>
  `${product.name} is no longer on sale.`;

function changeSentence(
  { product, quantity, orderedQuantity, orderedPrice, outcome }: AgainItem,
  inCart: number,
): string {
  const { name, price } = product;
  const unit = quantityUnit(product);
  const isRepriced = toMinor(price) !== toMinor(orderedPrice);
  return [
    outcome === 'quantity_changed' &&
      `You can order ${name} ${stepsInWords(product, unit)} now: ${formatQuantity(quantity, unit)} instead of ${formatQuantity(orderedQuantity, unit)}.`,
    outcome === 'fewer' &&
      `Only ${formatQuantityOf(quantity, unit, name)} left; you had ${formatQuantity(orderedQuantity, unit)}.`,
    isRepriced &&
      `${name} costs ${formatMoney(price)} now instead of ${formatMoney(orderedPrice)}.`,
    inCart > 0 &&
      `${name} was in your cart already: it holds ${formatQuantity(Math.max(inCart, quantity), unit)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
