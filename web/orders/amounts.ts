import type { Order, OrderLine } from '#contract/orders';
import { fromMinor, toMinor } from '#contract/platform';

/** What a line of an order comes to, reckoned in whole minor units. */
export function lineTotal({ price, quantity }: Pick<OrderLine, 'price' | 'quantity'>): number {
  return fromMinor(toMinor(price) * quantity);
}

/** The things of an order in one line: 'Tomatoes, Kale and 2 more'. */
export function itemsInWords(items: Order['items']): string {
  const names = items.slice(0, 2).map((item) => item.product.name);
  const more = items.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
