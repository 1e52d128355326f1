import { isListed } from '#contract/catalogue/products/constants/products';
import type { ReorderOutcome } from '#contract/ordering/orders/constants';
import type { ReorderItem } from '#contract/ordering/orders/orders';
import { fromMinor } from '#contract/platform/money/constants';
import { aboutMilli } from '#contract/platform/quantities/constants/pieces';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { floorToStep, minimumOf, mostOf } from '#contract/platform/quantities/constants/steps';
import { msg } from '#contract/platform/text/constants/texts';
import { DEFAULT_TIME_ZONE, dayIn } from '#contract/platform/time/constants';
import { presentPieceWeight, presentStocked } from '../../catalogue/products/present.ts';
import { SHELF_ROW, type StockRow } from '../../catalogue/stock/stock-events.ts';
import { presentPerson } from '../../people/users/present.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { FARMER_ROW, type OrderRow } from '../model/present.ts';
import { type LineRow, lineRow, orderedOf } from '../model/present-lines.ts';
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

/** What is gone has none. */
const NO_STOCK = { stockMilli: 0, stepMilli: null, minimumMilli: null };

/** What is gone keeps the name, picture and price it was ordered with. */
function presentItem(
  { line, product, quantityMilli, orderedMilli, countedMilli, outcome }: ReorderLine,
  farmer: OrderRow['farmer'],
): ReorderItem {
  const shown = outcome === 'gone' ? null : product;
  const pieceWeight = presentPieceWeight(shown ?? line);
  const orderedWeight = presentPieceWeight(line);
  return {
    product: {
      _id: shown?.id ?? line.productId,
      name: shown?.name ?? line.name,
      unit: shown?.unit ?? line.unit,
      images: shown?.images.slice(0, 1) ?? (line.image === null ? [] : [line.image]),
      price: fromMinor(shown?.priceMinor ?? line.priceMinor),
      ...presentStocked(shown ?? NO_STOCK),
      ...(pieceWeight ? { pieceWeight } : {}),
      farmer: { ...presentPerson(farmer), farmName: farmer.farm?.farmName ?? '' },
    },
    quantity: fromMilli(quantityMilli),
    orderedQuantity: fromMilli(orderedMilli),
    orderedPrice: fromMinor(line.priceMinor),
    ...(shown && !isSoldAs(line, shown)
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

/** One product of an order, as it was ordered and as it could be ordered again. */
interface ReorderLine {
  /** The line as it was ordered; with several lines of one product, the first. */
  line: LineRow;
  /** As the product is counted now, as far as what was ordered says how much that is; 0 where it does not. */
  orderedMilli: number;
  /** The same as it was counted then. */
  countedMilli: number;
  /** The product as it is now; null when there is none any more. */
  product: StockRow | null;
  /** How much can be put into the cart, in thousandths of the unit. */
  quantityMilli: number;
  outcome: ReorderOutcome;
}

/**
 * Decides what of an order can be ordered again, in its order and each product once. A product is gone when it was
 * deleted, is hidden, past its last day or sold out, or when its farm is gone. What is sold in other steps now is
 * rounded down to one. A price by another unit, or for pieces of another weight, is another price. With fewer left than
 * were ordered, or another quantity, the price may have changed as well. What was ordered in a unit that says nothing
 * of the present one, such as bunches of kg, is offered in the smallest quantity.
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
  const again = new Map<string, ReorderLine>();
  for (const line of lines) {
    // What came in the place of another line is no wish of the consumer's; what ran short still is.
    if (line.replacesLineId !== null) continue;
    const before = again.get(line.productId ?? line.id);
    const first = before?.line ?? line;
    const product = (line.productId !== null && products.get(line.productId)) || null;
    const lineMilli = Math.max(line.quantityMilli, orderedOf(line));
    const orderedMilli =
      (before?.orderedMilli ?? 0) +
      (product ? (aboutMilli(lineMilli, line, product) ?? 0) : lineMilli);
    const countedMilli = (before?.countedMilli ?? 0) + (isSoldAs(line, first) ? lineMilli : 0);
    const isForSale = product !== null && state.isFarmOpen && isListed(product, state.today);
    const quantityMilli = isForSale ? reorderedMilli(orderedMilli, product) : 0;
    again.set(line.productId ?? line.id, {
      line: first,
      orderedMilli,
      countedMilli,
      product,
      quantityMilli,
      outcome: outcomeOf(quantityMilli, orderedMilli, product, first),
    });
  }
  return [...again.values()];
}

/** Returns how much can be ordered: as much as before, down to the next step, and no less than can be had at once. */
function reorderedMilli(orderedMilli: number, product: StockRow): number {
  const stocked = presentStocked(product);
  const most = mostOf(stocked);
  const wanted = floorToStep(fromMilli(orderedMilli), stocked);
  return toMilli(Math.min(most, Math.max(minimumOf(stocked), wanted)));
}

function outcomeOf(
  quantityMilli: number,
  orderedMilli: number,
  product: StockRow | null,
  line: LineRow,
): ReorderOutcome {
  if (quantityMilli === 0 || product === null) return 'gone';
  if (product.stockMilli < orderedMilli) return 'fewer';
  if (quantityMilli !== orderedMilli) return 'quantity_changed';
  const isSamePrice = product.priceMinor === line.priceMinor && isSoldAs(line, product);
  return isSamePrice ? 'added' : 'price_changed';
}

type SoldAs = Pick<LineRow, 'unit' | 'pieceMilli'>;

/** Returns whether both are priced by the same unit and sold in the same way, by pieces of the same weight. */
const isSoldAs = (one: SoldAs, other: SoldAs): boolean =>
  one.unit === other.unit && one.pieceMilli === other.pieceMilli;
