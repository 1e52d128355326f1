import type { ProductSize } from '#contract/catalogue/products/product';
import { toMilli } from '#contract/platform/quantities/constants/quantities';
import { goodsKey } from '#contract/platform/quantities/constants/sizes';
import { nearestOffered, type Steps, stepsOf } from '#contract/platform/quantities/constants/steps';
import { QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import { inSize, type OfferedGoods, stockTaken } from '../../catalogue/model/sizes.ts';
import {
  type Cart,
  type CartLine,
  type LinePreference,
  lineKey,
  takenByOthers,
  withLines,
} from './rules.ts';

/** Returns the cart with a line changed, or without it where `change` returns none. */
const withLine = (cart: Cart, key: string, change: (line: CartLine) => CartLine | []): Cart =>
  withLines(
    cart,
    cart.lines.flatMap((line) => (lineKey(line) === key ? change(line) : line)),
  );

/** Sets the quantity of a line to the nearest one in the steps in which it is sold: those of the line unless given. */
export const setLineQuantity = (cart: Cart, key: string, quantity: number, steps?: Steps): Cart =>
  withLine(cart, key, (line) => {
    const { step: _, minimum: __, ...rest } = line;
    const stocked = { ...(steps ?? line), quantityAvailable: QUANTITY_MAX };
    return { ...rest, quantity: nearestOffered(quantity || 0, stocked), ...stepsOf(stocked) };
  });

/** Sets what to do if the farm runs short of a line. */
export const setLinePreference = (cart: Cart, key: string, preference: LinePreference): Cart =>
  withLine(cart, key, (line) => ({ ...line, preference }));

/**
 * Puts a line into a size: about as much as it was, of the stock that the cart's other lines leave. Where the cart has
 * that size already, the line joins it.
 */
export function setLineSize(cart: Cart, key: string, goods: OfferedGoods, size: ProductSize): Cart {
  const line = cart.lines.find((each) => lineKey(each) === key);
  if (!line) return cart;
  const inSizeKey = lineKey({ ...line, size });
  const rest = withLine(cart, key, () => []).lines;
  const known = rest.find((each) => lineKey(each) === inSizeKey);
  const sold = inSize(goods, size, takenByOthers(rest, { ...line, size }));
  const wanted = stockTaken(line) / toMilli(size.content) + (known?.quantity ?? 0);
  const { step: _, minimum: __, ...kept } = line;
  const sized: CartLine = {
    ...kept,
    size: { _id: size._id, label: size.label, content: size.content },
    price: size.price,
    quantity: Math.max(1, nearestOffered(Math.round(wanted), sold)),
    ...stepsOf(sold),
  };
  return withLines(
    cart,
    cart.lines.flatMap((each) => {
      if (lineKey(each) === key) return known ? [] : sized;
      return each === known ? sized : each;
    }),
  );
}

/** Removes a line, and the farm with the last one. */
export const removeLine = (cart: Cart, key: string): Cart => withLine(cart, key, () => []);

/** Returns the cart without the lines that were ordered as they are. */
export function withoutOrdered(
  cart: Cart,
  items: readonly { product: string; size?: string | undefined; quantity: number }[],
): Cart {
  const ordered = new Map(items.map((item) => [goodsKey(item), item.quantity]));
  const isLeft = (line: CartLine) => ordered.get(lineKey(line)) !== line.quantity;
  return withLines(cart, cart.lines.filter(isLeft));
}
