import { nearestOffered, type Steps, stepsOf } from '#contract/platform/quantities/constants/steps';
import { QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import { type Cart, type CartLine, type LinePreference, withLines } from './rules.ts';

/** Returns the cart with a line changed, or without it where `change` returns none. */
const withLine = (cart: Cart, productId: string, change: (line: CartLine) => CartLine | []): Cart =>
  withLines(
    cart,
    cart.lines.flatMap((line) => (line.productId === productId ? change(line) : line)),
  );

/** Sets the quantity of a line to the nearest one in the steps in which it is sold: those of the line unless given. */
export const setLineQuantity = (
  cart: Cart,
  productId: string,
  quantity: number,
  steps?: Steps,
): Cart =>
  withLine(cart, productId, (line) => {
    const { step: _, minimum: __, ...rest } = line;
    const stocked = { ...(steps ?? line), quantityAvailable: QUANTITY_MAX };
    return { ...rest, quantity: nearestOffered(quantity || 0, stocked), ...stepsOf(stocked) };
  });

/** Sets what to do if the farm runs short of a line. */
export const setLinePreference = (
  cart: Cart,
  productId: string,
  preference: LinePreference,
): Cart => withLine(cart, productId, (line) => ({ ...line, preference }));

/** Removes a line, and the farm with the last one. */
export const removeLine = (cart: Cart, productId: string): Cart =>
  withLine(cart, productId, () => []);

/** Returns the cart without the lines that were ordered as they are. */
export function withoutOrdered(
  cart: Cart,
  items: readonly { product: string; quantity: number }[],
): Cart {
  const ordered = new Map(items.map(({ product, quantity }) => [product, quantity]));
  const isLeft = ({ productId, quantity }: CartLine) => ordered.get(productId) !== quantity;
  return withLines(cart, cart.lines.filter(isLeft));
}
