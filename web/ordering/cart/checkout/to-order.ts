import type { PlaceOrder } from '#contract/ordering/orders/orders';
import { basisOf } from '../../../catalogue/model/weights.ts';
import type { Cart, LineWish } from '../rules.ts';
import type { Checkout } from './checkout-form.ts';

/** Returns the lines of a cart with what the buyer wishes for each; without a wish it is as their profile says. */
export const withWishes = (cart: Cart, wishes: ReadonlyMap<string, LineWish>) =>
  cart.lines.map((line) => ({ ...line, wish: wishes.get(line.productId) }));

/** Returns the request body for the current cart and the buyer's choices. */
export function toOrder(
  cart: Cart,
  input: Checkout,
  wishes: ReadonlyMap<string, LineWish>,
): { cart: Cart; order: PlaceOrder } {
  const { orderType: _, ...how } = input;
  return {
    cart,
    order: {
      farmer: cart.farmerId ?? '',
      items: withWishes(cart, wishes).map(({ wish, ...line }) => ({
        product: line.productId,
        quantity: line.quantity,
        price: line.price,
        ...basisOf(line),
        ...wish,
      })),
      ...how,
    },
  };
}
