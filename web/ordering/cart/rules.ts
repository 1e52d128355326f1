import { atom } from 'jotai';
import type { Availability } from '#contract/catalogue/products/constants/products';
import type { Product, ProductSize, Unit } from '#contract/catalogue/products/product';
import { farmNameOf } from '#contract/farm/farmers/constants';
import {
  formatExpected,
  fromMinor,
  lineTotalMinor,
  PRICE_MAX_MINOR,
} from '#contract/platform/money/constants';
import {
  LINES_MAX,
  SHORTAGE_PREFERENCES,
  type ShortagePreference,
} from '#contract/platform/orders/constants';
import {
  aboutMilli,
  countedIn,
  PIECE_WEIGHT_MAX,
} from '#contract/platform/quantities/constants/pieces';
import {
  fromMilli,
  hasThreeDecimals,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { goodsKey } from '#contract/platform/quantities/constants/sizes';
import {
  isOffered,
  mostOf,
  nearestOffered,
  type Steps,
  stepsOf,
} from '#contract/platform/quantities/constants/steps';
import {
  NET_UNITS,
  type NetContent,
  QUANTITY_MAX,
  STEP_MAX,
  UNITS,
  type UnitLabel,
} from '#contract/platform/quantities/constants/units';
import type { OrderedSize } from '#contract/platform/quantities/quantity';
import { inSize, stockTaken } from '../../catalogue/model/sizes.ts';
import {
  isListOf,
  isMatch,
  isNullOr,
  isNumberIn,
  isObjectOf,
  isOneOf,
  isText,
  isUndefinedOr,
} from '../../platform/api/check.ts';
import { ownedAtom } from '../../platform/session/owned.ts';

/** One product in the cart, in one of its sizes, as it was when it was added. */
export type CartLine = {
  productId: string;
  name: string;
  /** The first picture of the product, or null. */
  image: string | null;
  /** As in the API. */
  price: number;
  /** A number with at most three decimals, as in the API. */
  quantity: number;
  /** In which steps and from which quantity it is sold; absent for whole units. */
  step?: number;
  minimum?: number;
  /** What the price is per; absent of lines that were stored before it was kept. */
  unit?: Unit;
  /** What a piece weighs, of what is sold by the piece and priced by weight; `quantity` counts pieces then. */
  pieceWeight?: { average: number };
  /** The size in which it is sold; the price is that of a piece then, and `quantity` counts pieces. */
  size?: OrderedSize;
  /** The farm's own words for what it counts. */
  unitLabel?: UnitLabel;
  /** What one of what is counted contains. */
  net?: NetContent;
  /** What to do if the farm runs short; absent until the consumer chooses. */
  preference?: LinePreference;
};

/** What a consumer wishes for a line; `specific` names the product to take instead. */
export type LinePreference = { onShort: ShortagePreference; preferredProduct?: string | undefined };

/** The cart of a consumer, with products of one farm. An empty cart has no farm. */
export type Cart = {
  farmerId: string | null;
  farmerName: string;
  lines: readonly CartLine[];
};

export const EMPTY_CART: Cart = { farmerId: null, farmerName: '', lines: [] };

/** The fields of a product that the cart needs. */
export type Goods = Pick<Product, '_id' | 'name' | 'price' | 'unit' | 'quantityAvailable'> & {
  images: readonly string[];
  step?: number | undefined;
  minimum?: number | undefined;
  pieceWeight?: { average: number } | undefined;
  sizes?: readonly ProductSize[] | undefined;
  availability?: Availability | undefined;
  maxPerOrder?: number | undefined;
  unitLabel?: UnitLabel | undefined;
  net?: NetContent | undefined;
  farmer: { _id: string; name: string; farmName: string };
};

/** A size in which goods are put into the cart. */
export type ChosenSize = Omit<ProductSize, 'sku'>;

/** Formats what goods come to; of pieces that are priced by weight it is an estimate. */
export const formatCost = (goods: Parameters<typeof lineTotalMinor>[0]): string =>
  formatExpected(fromMinor(lineTotalMinor(goods)), goods.pieceWeight !== undefined);

/** Returns what the cart keeps of the weight of a piece. */
export const pieceOf = ({
  pieceWeight,
}: Pick<Goods, 'pieceWeight'>): Pick<CartLine, 'pieceWeight'> =>
  pieceWeight ? { pieceWeight: { average: pieceWeight.average } } : {};

/** Returns what the cart keeps of a farm's words for goods, and of what one of them contains. */
export const wordsOf = ({
  unitLabel,
  net,
}: Pick<Goods, 'unitLabel' | 'net'>): Pick<CartLine, 'unitLabel' | 'net'> => ({
  ...(unitLabel && { unitLabel }),
  ...(net && { net }),
});

/** A product, in one of its sizes. */
interface GoodsInSize {
  productId: string;
  size?: { _id: string } | undefined;
}

/** Returns what tells a line from others: a product in a size stands in a cart once. */
export const lineKey = ({ productId, size }: GoodsInSize): string =>
  goodsKey({ product: productId, size: size?._id });

/** Returns what the other lines of a product take from its stock, in thousandths. */
export const takenByOthers = (lines: readonly CartLine[], line: GoodsInSize): number =>
  lines
    .filter((other) => other.productId === line.productId && lineKey(other) !== lineKey(line))
    .reduce((sumMilli, other) => sumMilli + stockTaken(other), 0);

/**
 * Returns a line's quantity as its product is counted now, in the steps in which it is sold; undefined where it is
 * counted as before. A quantity that says nothing of the new unit, such as bunches of kg, becomes the smallest one.
 */
export function recount(line: CartLine, goods: SoldAs & Steps): number | undefined {
  const [before, now] = [countedRow(line), countedRow(goods)];
  if (!before || !now || goods.size) return undefined;
  if (countedIn(before) === countedIn(now) && !line.size) return undefined;
  const about = aboutMilli(stockTaken(line), before, now) ?? 0;
  return nearestOffered(fromMilli(about), { ...goods, quantityAvailable: QUANTITY_MAX });
}

type SoldAs = {
  unit?: Unit | undefined;
  pieceWeight?: { average: number } | undefined;
  size?: OrderedSize | undefined;
};

const countedRow = ({ unit, pieceWeight }: SoldAs) =>
  unit && { unit, pieceMilli: pieceWeight ? toMilli(pieceWeight.average) : null };

/** The result of adding a product to the cart. */
export type AddResult =
  | { outcome: 'added' | 'raised'; cart: Cart }
  /** The quantity was limited to `most`, the largest that can be ordered. */
  | { outcome: 'capped'; cart: Cart; most: number }
  | { outcome: 'other-farm' | 'full' };

/**
 * Adds `quantity` of a product to the cart, as a new line or to the existing one, limited to the
 * stock and in the steps in which it is sold; of what is sold in sizes pieces of one, of the stock that the
 * others in the cart leave. Refuses a product of another farm.
 */
export function addToCart(
  cart: Cart,
  goods: Goods,
  quantity: number,
  size?: ChosenSize,
): AddResult {
  if (cart.lines.length > 0 && cart.farmerId !== goods.farmer._id) return { outcome: 'other-farm' };
  const added = { productId: goods._id, size };
  const old = cart.lines.find((line) => lineKey(line) === lineKey(added));
  if (!old && cart.lines.length >= LINES_MAX) return { outcome: 'full' };
  const sold = size ? inSize(goods, size, takenByOthers(cart.lines, added)) : goods;
  const stocked = { ...sold, quantityAvailable: Math.min(sold.quantityAvailable, QUANTITY_MAX) };
  const most = mostOf(stocked);
  if (most === 0) return { outcome: 'capped', cart, most: 0 };
  const before = old ? (recount(old, sold) ?? old.quantity) : 0;
  const wanted = fromMilli(toMilli(before + (quantity || 0)));
  const line: CartLine = {
    productId: goods._id,
    name: goods.name,
    image: goods.images[0] ?? null,
    price: sold.price,
    unit: goods.unit,
    quantity: nearestOffered(wanted, stocked),
    ...stepsOf(sold),
    ...pieceOf(goods),
    ...('size' in sold && sold.size && { size: sold.size }),
    ...wordsOf(goods),
    ...(old?.preference && { preference: old.preference }),
  };
  const next: Cart = {
    farmerId: goods.farmer._id,
    farmerName: farmNameOf(goods.farmer),
    lines: old ? cart.lines.map((each) => (each === old ? line : each)) : [...cart.lines, line],
  };
  if (wanted > most) return { outcome: 'capped', cart: next, most };
  return { outcome: old ? 'raised' : 'added', cart: next };
}

/** Returns the cart with these lines, or the empty cart if there are none. */
export function withLines(cart: Cart, lines: readonly CartLine[]): Cart {
  return lines.length === 0 ? EMPTY_CART : { ...cart, lines };
}

const isId = isMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
const isQuantity = isNumberIn(0.001, QUANTITY_MAX);

/** Whether a stored value is what a piece weighs. */
export const isPieceWeight = isObjectOf<{ average: number }>({
  average: isNumberIn(0.001, PIECE_WEIGHT_MAX),
});

/** Whether a stored value is a price, in whatever currency: the market's is not known yet when a cart is read. */
export const isStoredPrice = isNumberIn(0, PRICE_MAX_MINOR);

export const isStoredSize = isObjectOf<OrderedSize>({
  _id: isText,
  label: isText,
  content: isQuantity,
});
export const isStoredUnitLabel = isObjectOf<UnitLabel>({ one: isText, other: isText });
export const isStoredNet = isObjectOf<NetContent>({
  amount: isQuantity,
  unit: isOneOf(NET_UNITS),
});

const isLine = isObjectOf<CartLine>({
  productId: isId,
  name: isText,
  image: isNullOr(isText),
  price: isStoredPrice,
  quantity: (value): value is number => isQuantity(value) && hasThreeDecimals(value),
  // Lines that were stored before products had steps have none.
  step: isUndefinedOr(isNumberIn(0.001, STEP_MAX)),
  minimum: isUndefinedOr(isNumberIn(0.001, QUANTITY_MAX)),
  unit: isUndefinedOr(isOneOf(UNITS)),
  pieceWeight: isUndefinedOr(isPieceWeight),
  size: isUndefinedOr(isStoredSize),
  unitLabel: isUndefinedOr(isStoredUnitLabel),
  net: isUndefinedOr(isStoredNet),
  preference: isUndefinedOr(
    isObjectOf<LinePreference>({
      onShort: isOneOf(SHORTAGE_PREFERENCES),
      preferredProduct: isUndefinedOr(isId),
    }),
  ),
});

const isStoredLine = (value: unknown): value is CartLine =>
  isLine(value) && isOffered(value.quantity, value);

const isCart = isObjectOf<Cart>({
  farmerId: isNullOr(isId),
  farmerName: isText,
  lines: isListOf(isStoredLine),
});

/** Returns a stored cart without the lines that are none, so that one of them does not empty it. */
export function withStoredLines(value: unknown): unknown {
  const cart = value as Cart | null;
  if (!Array.isArray(cart?.lines)) return value;
  const lines = cart.lines.filter(isStoredLine);
  const once = new Map(lines.map((line) => [lineKey(line), line]));
  return withLines(cart, [...once.values()].slice(0, LINES_MAX));
}

/** Returns whether a stored value is a valid cart: one farm, and each product in a size once. */
export function isStoredCart(value: unknown): value is Cart {
  if (!isCart(value) || value.lines.length > LINES_MAX) return false;
  if ((value.farmerId === null) !== (value.lines.length === 0)) return false;
  return new Set(value.lines.map(lineKey)).size === value.lines.length;
}

/** The cart of anyone who is signed in, kept in localStorage and synchronized across tabs. */
export const cartAtom = ownedAtom<Cart>('cart', isStoredCart, EMPTY_CART, withStoredLines);

/** The number of lines in the cart, shown on its icon. */
export const cartCountAtom = atom((get) => get(cartAtom).lines.length);

/** What changed since the order that was put into the cart again, one sentence for each product. */
export const reorderNoticeAtom = atom<readonly string[]>([]);
