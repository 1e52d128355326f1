import type { Order } from '#contract/ordering/orders/orders';
import { formatExpected } from '#contract/platform/money/constants';
import { formatLine } from '#contract/platform/quantities/constants/pieces';

/** Returns the lines of an order that are left; all of an order that has none left, so that it still has a name. */
export function presentLines(items: Order['items']): Order['items'] {
  const left = items.filter(({ quantity }) => quantity > 0);
  return left.length > 0 ? left : items;
}

/** Returns the items of an order with their quantities: '2 lb Tomatoes, 1 dozen Corn, 2 × Chicken'. */
export function quantitiesInWords(items: Order['items']): string {
  return presentLines(items).map(formatLine).join(', ');
}

/** Returns the items of an order in one line: 'Tomatoes, Kale and 2 more'. */
export function itemsInWords(items: Order['items']): string {
  const present = presentLines(items);
  const names = present.slice(0, 2).map((item) => item.product.name);
  const more = present.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

/** Formats what an order costs: '₨480.00', and '≈ ₨480.00' while something in it is not weighed. */
export const formatTotal = ({
  totalAmount,
  isTotalFinal,
}: Pick<Order, 'totalAmount' | 'isTotalFinal'>): string =>
  formatExpected(totalAmount, !isTotalFinal);
