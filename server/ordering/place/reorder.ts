import { isListed } from '#contract/catalogue/products/constants/products';
import type { ReorderOutcome } from '#contract/ordering/orders/constants';
import type { ReorderItem } from '#contract/ordering/orders/orders';
import { fromMinor } from '#contract/platform/money/constants';
import { aboutMilli, takenMilli } from '#contract/platform/quantities/constants/pieces';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { goodsKey } from '#contract/platform/quantities/constants/sizes';
import {
  floorToStep,
  minimumOf,
  mostOf,
  type Stocked,
} from '#contract/platform/quantities/constants/steps';
import { msg } from '#contract/platform/text/constants/texts';
import { DEFAULT_TIME_ZONE, dayIn } from '#contract/platform/time/constants';
import { presentPieceWeight, presentSold, type SoldRow } from '../../catalogue/products/present.ts';
import { findSize, presentOrderedSize, type SizeRow } from '../../catalogue/products/sizes.ts';
import { SHELF_ROW, type StockRow } from '../../catalogue/stock/stock-events.ts';
import { presentPerson } from '../../people/users/present.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { FARMER_ROW, type OrderRow } from '../model/present.ts';
import { type LineRow, lineRow, orderedOf } from '../model/present-lines.ts';
import { maxOrderOf, priceOf } from '../model/refusal.ts';
import { refuseSize, stockedIn } from '../model/sold.ts';
import { runAlone } from './statement.ts';

interface ReorderRow {
  now: Date | string;
  timeZone: string | null;
  /** Null without a profile. */
  isApproved: boolean | null;
  farmer: OrderRow['farmer'];
  lines: LineRow[];
  products: StockRow[];
}

// $1 the order, $2 who placed it. It takes no locks and writes nothing.
const READ = {
  name: 'read_for_ordering_again',
  text: `SELECT
    to_json(clock_timestamp()) AS now,
    farm.time_zone AS "timeZone",
    CASE WHEN farm.user_id IS NOT NULL THEN farm.approved_at IS NOT NULL END AS "isApproved",
    ${FARMER_ROW} AS farmer,
    (SELECT json_agg(${lineRow('line')} ORDER BY line.position)
      FROM order_lines line WHERE line.order_id = o.id) AS lines,
    (SELECT COALESCE(json_agg(${SHELF_ROW}), '[]') FROM products p
      WHERE p.id = ANY (ARRAY(SELECT product_id FROM order_lines WHERE order_id = o.id))) AS products
  FROM orders o
    JOIN users farmer ON farmer.id = o.farmer_id
    LEFT JOIN farmer_profiles farm ON farm.user_id = o.farmer_id
  WHERE o.id = $1::uuid AND o.consumer_id = $2::uuid`,
};

/**
 * Returns what of an order its consumer could order again, as of now. It reserves nothing: the cart is
 * checked like any other when it is ordered.
 * @throws 404 when the order is unknown or somebody else's
 */
export async function reorder(
  platform: Platform,
  user: SessionUser,
  id: string,
): Promise<{ items: ReorderItem[] }> {
  const [row] = await runAlone(platform.pool)<ReorderRow>(READ, [id, user.id]);
  if (!row) throw notFound(msg('Order not found'));
  const again = decideReorder(row.lines ?? [], {
    products: row.products,
    isFarmOpen: row.farmer.deletedAt === null && row.isApproved !== false,
    today: dayIn(row.timeZone ?? DEFAULT_TIME_ZONE, new Date(row.now)),
  });
  return { items: again.map((each) => presentItem(each, row.farmer)) };
}

/** What is gone has none, and is of no size. */
const soldBefore = (line: LineRow): SoldRow => ({
  ...line,
  unitLabel: [...line.unitLabel],
  ...{ stockMilli: 0, stepMilli: null, minimumMilli: null },
  ...{ sizes: [], isAlways: false, maxOrderMilli: null },
});

/** What is gone keeps the name, picture and price it was ordered with; of what has other sizes now these are shown. */
function presentItem(
  { line, product, isForSale, quantityMilli, orderedMilli, countedMilli, outcome }: ReorderLine,
  farmer: OrderRow['farmer'],
): ReorderItem {
  // Somebody whose size cannot be had may want another one.
  const mayChoose = line.sizeId !== null || refuseIn(line, product) !== undefined;
  const shown = isForSale && (outcome !== 'gone' || mayChoose) ? product : null;
  const { soldBy: _, ...sold } = presentSold(shown ?? soldBefore(line));
  const orderedWeight = presentPieceWeight(line);
  return {
    product: {
      _id: shown?.id ?? line.productId,
      name: shown?.name ?? line.name,
      images: shown?.images.slice(0, 1) ?? (line.image === null ? [] : [line.image]),
      ...sold,
      farmer: { ...presentPerson(farmer), farmName: farmer.farm?.farmName ?? '' },
    },
    ...presentOrderedSize(line),
    quantity: fromMilli(quantityMilli),
    orderedQuantity: fromMilli(orderedMilli),
    orderedPrice: fromMinor(line.priceMinor),
    // A size says itself how it was sold.
    ...(outcome !== 'gone' && product && line.sizeId === null && !isSoldAs(line, product)
      ? {
          orderedAs: {
            quantity: fromMilli(countedMilli),
            unit: line.unit,
            ...(orderedWeight ? { pieceWeight: orderedWeight } : {}),
          },
        }
      : {}),
    outcome,
  };
}

/** One product of an order, in one size, as it was ordered and as it could be ordered again. */
interface ReorderLine {
  /** The line as it was ordered; with several lines of one product and size, the first. */
  line: LineRow;
  /** As the product is counted now, as far as what was ordered says how much that is; 0 where it does not. */
  orderedMilli: number;
  /** The same as it was counted then. */
  countedMilli: number;
  /** The product as it is now; null when there is none any more. */
  product: StockRow | null;
  /** Whether the product can be bought at all, be it in another size. */
  isForSale: boolean;
  /** How much can be put into the cart, in thousandths of the unit or of a piece. */
  quantityMilli: number;
  outcome: ReorderOutcome;
}

/**
 * Decides what of an order can be ordered again, in its order and each product and size once. A product is gone when it
 * was deleted, is hidden, past its last day or sold out, or when its farm is gone; and so is a size that is off or that
 * there is no more, and what is sold in sizes by now. Several sizes of a product share what is left of it. What is sold in
 * other steps now is rounded down to one. A price by another unit, for pieces of another weight or sizes of another
 * content, is another price. With fewer left than were ordered, or another quantity, the price may have changed as well.
 * What was ordered in a unit that says nothing of the present one, such as bunches of kg, is offered in the smallest
 * quantity.
 */
export function decideReorder(
  lines: readonly LineRow[],
  state: {
    products: readonly StockRow[];
    /** The farm still exists and is in the market. */
    isFarmOpen: boolean;
    /** The farm's day, `YYYY-MM-DD`. */
    today: string;
  },
): ReorderLine[] {
  const products = new Map(state.products.map((product) => [product.id, product]));
  /** What the lines so far take of each product, in thousandths of its stock. */
  const taken = new Map<string, number>();
  return orderedIn(lines, products).map((ordered) => {
    const { line, product, orderedMilli } = ordered;
    const isForSale = product !== null && state.isFarmOpen && isListed(product, state.today);
    const gone = { ...ordered, isForSale, quantityMilli: 0, outcome: 'gone' as const };
    if (!isForSale || refuseIn(line, product)) return gone;
    const size = findSize(product, line.sizeId ?? undefined);
    const takenSoFar = taken.get(product.id) ?? 0;
    const mostMilli = Math.min(product.stockMilli, maxOrderOf(product));
    const stocked = stockedIn(product, size, mostMilli - takenSoFar);
    const quantityMilli = reorderedMilli(orderedMilli, stocked);
    if (quantityMilli === 0) return gone;
    const takes = takenMilli({ contentMilli: size?.contentMilli }, quantityMilli);
    taken.set(product.id, takenSoFar + takes);
    const outcome = outcomeOf({ ...ordered, product, size, stocked, quantityMilli });
    return { ...ordered, isForSale, quantityMilli, outcome };
  });
}

/** Adds up the lines of each product and size. What came in the place of another line is no wish of the consumer's. */
function orderedIn(lines: readonly LineRow[], products: ReadonlyMap<string, StockRow>) {
  const again = new Map<
    string,
    Pick<ReorderLine, 'line' | 'product' | 'orderedMilli' | 'countedMilli'>
  >();
  for (const line of lines) {
    if (line.replacesLineId !== null) continue;
    const { id, productId, sizeId } = line;
    const key =
      productId === null ? id : goodsKey({ product: productId, size: sizeId ?? undefined });
    const before = again.get(key);
    const first = before?.line ?? line;
    const product = (productId !== null && products.get(productId)) || null;
    // What ran short still is a wish.
    const lineMilli = Math.max(line.quantityMilli, orderedOf(line));
    again.set(key, {
      line: first,
      product,
      orderedMilli: (before?.orderedMilli ?? 0) + nowMilli(line, product, lineMilli),
      countedMilli: (before?.countedMilli ?? 0) + (isSoldAs(line, first) ? lineMilli : 0),
    });
  }
  return [...again.values()];
}

/** Returns what a quantity of a line is as its product is counted now: a piece of a size stays a piece. */
function nowMilli(line: LineRow, product: StockRow | null, milli: number): number {
  if (product === null || line.sizeId !== null) return milli;
  return aboutMilli(milli, line, product) ?? 0;
}

const refuseIn = (line: LineRow, product: StockRow | null) =>
  product && refuseSize(product, line.sizeId ?? undefined);

/** Returns how much can be ordered: as much as before, down to the next step, and no less than can be had at once. */
function reorderedMilli(orderedMilli: number, stocked: Stocked): number {
  const most = mostOf(stocked);
  const wanted = floorToStep(fromMilli(orderedMilli), stocked);
  return toMilli(Math.min(most, Math.max(minimumOf(stocked), wanted)));
}

function outcomeOf({
  line,
  product,
  size,
  stocked,
  orderedMilli,
  quantityMilli,
}: {
  line: LineRow;
  product: StockRow;
  size: SizeRow | undefined;
  stocked: Stocked;
  orderedMilli: number;
  quantityMilli: number;
}): ReorderOutcome {
  if (toMilli(stocked.quantityAvailable) < orderedMilli) return 'fewer';
  if (quantityMilli !== orderedMilli) return 'quantity_changed';
  const isSold = isSoldAs(line, { ...product, contentMilli: size?.contentMilli });
  return priceOf(product, size) === line.priceMinor && isSold ? 'added' : 'price_changed';
}

type SoldAs = Pick<LineRow, 'unit' | 'pieceMilli'> & { contentMilli?: number | null | undefined };

/** Returns whether both are priced by the same unit and sold in the same way, by pieces of the same weight or content. */
const isSoldAs = (one: SoldAs, other: SoldAs): boolean =>
  one.unit === other.unit &&
  one.pieceMilli === other.pieceMilli &&
  (one.contentMilli ?? null) === (other.contentMilli ?? null);
