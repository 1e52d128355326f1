/** One product in the cart, as it was when it was put there. */
export type CartLine = {
  productId: string;
  name: string;
  /** The first picture of the product, or null. */
  image: string | null;
  /** As on the wire: a number with at most two decimals. */
  price: number;
  quantity: number;
};

/** What a buyer means to order, all of it from one farm; without lines there is no farm. */
export type Cart = {
  farmerId: string | null;
  farmerName: string;
  lines: readonly CartLine[];
};

export const EMPTY_CART: Cart = { farmerId: null, farmerName: '', lines: [] };

/** What the buyer is told when two farms would meet in one cart. */
export const ONE_FARM_ONLY =
  'You can only order from one farm at a time. Please clear your cart first.';

/** More than this fits in no order; see the contract of orders. */
export const CART_LINES_MAX = 100;
const QUANTITY_MAX = 1_000_000;
const PRICE_MAX = 1_000_000;

/** What the cart must know of a product to take it in. */
export type Goods = {
  _id: string;
  name: string;
  price: number;
  images: readonly string[];
  quantityAvailable: number;
  farmer: { _id: string; name: string; farmName: string };
};

/** What came of putting something into the cart. */
export type Added =
  | { outcome: 'added' | 'raised'; cart: Cart }
  /** The farm has no more than `most` of it: the cart holds them all now, or did before. */
  | { outcome: 'capped'; cart: Cart; most: number }
  | { outcome: 'other-farm' | 'full' };

/**
 * Puts `quantity` of a product into the cart: a new line, or more of the line that is there, at
 * most as many as there are. A product of another farm is not taken.
 */
export function addToCart(cart: Cart, goods: Goods, quantity: number): Added {
  if (cart.lines.length > 0 && cart.farmerId !== goods.farmer._id) return { outcome: 'other-farm' };
  const old = cart.lines.find((line) => line.productId === goods._id);
  if (!old && cart.lines.length >= CART_LINES_MAX) return { outcome: 'full' };
  const wanted = (old?.quantity ?? 0) + whole(quantity);
  const most = Math.min(goods.quantityAvailable, QUANTITY_MAX);
  if (most < 1) return { outcome: 'capped', cart, most: 0 };
  const line: CartLine = {
    productId: goods._id,
    name: goods.name,
    image: goods.images[0] ?? null,
    price: goods.price,
    quantity: Math.min(wanted, most),
  };
  const next: Cart = {
    farmerId: goods.farmer._id,
    farmerName: goods.farmer.farmName || goods.farmer.name,
    lines: old ? cart.lines.map((each) => (each === old ? line : each)) : [...cart.lines, line],
  };
  if (wanted > most) return { outcome: 'capped', cart: next, most };
  return { outcome: old ? 'raised' : 'added', cart: next };
}

/** Sets how many of a line, at least one. */
export function setLineQuantity(cart: Cart, productId: string, quantity: number): Cart {
  return withLines(
    cart,
    cart.lines.map((line) =>
      line.productId === productId ? { ...line, quantity: whole(quantity) } : line,
    ),
  );
}

/** Takes a line out; with the last one the farm goes too. */
export function removeLine(cart: Cart, productId: string): Cart {
  return withLines(
    cart,
    cart.lines.filter((line) => line.productId !== productId),
  );
}

/** The same farm with these lines; no lines, no farm. */
export function withLines(cart: Cart, lines: readonly CartLine[]): Cart {
  return lines.length === 0 ? EMPTY_CART : { ...cart, lines };
}

/** An amount of the wire in integer minor units, in which sums are made. */
export const minorUnits = (amount: number): number => Math.round(amount * 100);

/** What a line costs, in minor units. */
export function lineTotal(line: Pick<CartLine, 'price' | 'quantity'>): number {
  return minorUnits(line.price) * line.quantity;
}

/** What all lines cost together, in minor units. */
export function cartTotal(lines: readonly Pick<CartLine, 'price' | 'quantity'>[]): number {
  return lines.reduce((sum, line) => sum + lineTotal(line), 0);
}

function whole(quantity: number): number {
  return Math.max(1, Math.min(QUANTITY_MAX, Math.round(quantity) || 1));
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Reads a cart out of whatever the browser's storage holds. What does not fit is no cart at all.
 * Written by hand because every page needs it at once, and a schema library it would not.
 */
export const StoredCart = {
  safeParse(value: unknown): { success: true; data: Cart } | { success: false } {
    const cart = value as Partial<Cart> | null;
    const wrong = { success: false } as const;
    if (typeof cart !== 'object' || cart === null || !Array.isArray(cart.lines)) return wrong;
    if (cart.lines.length === 0) return { success: true, data: EMPTY_CART };
    if (cart.lines.length > CART_LINES_MAX || !isId(cart.farmerId)) return wrong;
    if (typeof cart.farmerName !== 'string' || !cart.lines.every(isLine)) return wrong;
    if (new Set(cart.lines.map((line) => line.productId)).size < cart.lines.length) return wrong;
    return {
      success: true,
      data: {
        farmerId: cart.farmerId,
        farmerName: cart.farmerName,
        lines: cart.lines.map(({ productId, name, image, price, quantity }) => ({
          productId,
          name,
          image,
          price,
          quantity,
        })),
      },
    };
  },
};

function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

function isLine(value: unknown): value is CartLine {
  const line = value as Partial<CartLine> | null;
  return (
    typeof line === 'object' &&
    line !== null &&
    isId(line.productId) &&
    typeof line.name === 'string' &&
    (line.image === null || typeof line.image === 'string') &&
    typeof line.price === 'number' &&
    line.price >= 0 &&
    line.price <= PRICE_MAX &&
    Number.isInteger(line.quantity) &&
    (line.quantity ?? 0) >= 1 &&
    (line.quantity ?? 0) <= QUANTITY_MAX
  );
}
