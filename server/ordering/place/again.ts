import type { AgainItem } from '#contract/ordering/orders/orders';
import { fromMinor } from '#contract/platform/money/constants';
import { fromMilli } from '#contract/platform/quantities/constants/quantities';
import { DEFAULT_TIME_ZONE, dayIn } from '#contract/platform/time/constants';
import { presentPieceWeight, presentStocked } from '../../catalogue/products/present.ts';
import { SHELF_ROW, type ShelfRow } from '../../catalogue/stock/stock-events.ts';
import { presentPerson } from '../../people/users/present.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { FARMER_ROW, type OrderRow } from '../model/present.ts';
import { type LineRow, lineRow } from '../model/present-lines.ts';
import { type AgainLine, decideAgain, isSoldAs } from './decide-again.ts';
import { runAlone } from './statement.ts';

interface AgainRow {
  now: Date | string;
  timeZone: string | null;
  /** Null without a profile. */
  isApproved: boolean | null;
  farmer: OrderRow['farmer'];
  lines: LineRow[];
  products: ShelfRow[];
}

// $1 the order, $2 whoever placed it. It takes no locks and writes nothing.
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
export async function orderAgain(
  platform: Platform,
  user: SessionUser,
  id: string,
): Promise<{ items: AgainItem[] }> {
  const [row] = await runAlone(platform.pool)<AgainRow>(READ, [id, user.id]);
  if (!row) throw notFound('Order not found');
  const again = decideAgain(row.lines ?? [], {
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
  { line, product, quantityMilli, orderedMilli, countedMilli, outcome }: AgainLine,
  farmer: OrderRow['farmer'],
): AgainItem {
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
