import type { UpdateProduct } from '#contract/catalogue/products/product-fields';
import type { ProductUse } from '#contract/catalogue/products/products';
import { shortId } from '#contract/platform/http/constants';
import { OPEN_STATUSES, STANDING_STATUSES } from '#contract/platform/orders/constants';
import { listOf } from '#contract/platform/text/constants/formats';
import { type Message, msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { sqlList } from '../../platform/stores/sql.ts';
import { type ProductRow, pieceWeightAfter } from './present.ts';
import { requireChangeable } from './read.ts';

/** Orders that are named where a product is in use. */
const NAMED_MAX = 5;

const OPEN = Prisma.raw(sqlList(OPEN_STATUSES));

/**
 * Returns the open orders that hold goods of a product, in a line or because a proposal offers it instead, the oldest
 * first. Each of them takes goods under the product's lock, so that anyone who has locked it finds all there are.
 */
async function readProductUse(
  db: Database | Transaction,
  { id, farmerId }: { id: string; farmerId: string },
): Promise<ProductUse> {
  const rows = await db.$queryRaw<{ id: string; count: number }[]>`
    SELECT o.id, (count(*) OVER ())::int AS count FROM orders o
    WHERE o.farmer_id = ${farmerId}::uuid AND o.status IN (${OPEN}) AND (
      EXISTS (
        SELECT FROM order_lines line
        WHERE line.order_id = o.id AND line.product_id = ${id}::uuid AND line.quantity_milli > 0)
      OR EXISTS (
        SELECT FROM order_proposals proposal, jsonb_array_elements(proposal.items) AS item
        WHERE proposal.order_id = o.id AND proposal.status = 'open'
          AND item -> 'substitute' ->> 'productId' = ${id}))
    ORDER BY o.created_at, o.id LIMIT ${NAMED_MAX}`;
  return { count: rows[0]?.count ?? 0, ids: rows.map((row) => row.id) };
}

/**
 * Returns what uses a product, for those who may change it.
 * @throws as {@link requireChangeable}
 */
export async function getProductUse(
  { db }: Platform,
  user: SessionUser,
  id: string,
): Promise<ProductUse> {
  return readProductUse(db, await requireChangeable(db, user, id));
}

type Counted = Pick<
  ProductRow,
  'id' | 'name' | 'unit' | 'asideMilli' | 'pieceMilli' | 'pieceMinMilli' | 'pieceMaxMilli'
> & { farmerId: string };

/**
 * Requires that nothing uses a locked product whose unit or way of sale a change replaces: goods come back from orders,
 * and from "sold out until tomorrow", in what they were counted in.
 * @throws 409 PRODUCT_IN_USE
 */
export async function requireUnused(
  tx: Transaction,
  before: Counted,
  change: UpdateProduct,
): Promise<void> {
  const isOtherUnit = change.unit !== undefined && change.unit !== before.unit;
  const isOtherSale = (pieceWeightAfter(before, change) === null) !== (before.pieceMilli === null);
  if (!isOtherUnit && !isOtherSale) return;
  const orders = await readProductUse(tx, before);
  const isAside = before.asideMilli !== null;
  if (orders.count === 0 && !isAside) return;
  const message = inUseSentence(before.name, orders, isAside);
  throw new AppError(409, 'PRODUCT_IN_USE', message, {
    errors: [{ path: isOtherUnit ? 'unit' : 'soldBy', message }],
    data: { orders },
  });
}

function inUseSentence(name: string, { count, ids }: ProductUse, isAside: boolean): Message {
  if (count === 0 && isAside) {
    return msg(
      'Stock of {name} is set aside until the morning, in this unit. Set its stock first, or make a copy of it that is sold the other way.',
      { name },
    );
  }
  const orders = listOf(
    ids.map((id) => `#${shortId(id)}`),
    'unit',
  );
  if (count === 1)
    return msg(
      'An open order has {name} in this unit: {orders}. Make a copy of it that is sold the other way, or wait until that order is completed.',
      { name, orders },
    );
  const more = count - ids.length;
  return more > 0
    ? msg(
        'Open orders have {name} in this unit: {orders} and {more, plural, one {# more} other {# more}}. Make a copy of it that is sold the other way, or wait until these are completed.',
        { name, orders, more },
      )
    : msg(
        'Open orders have {name} in this unit: {orders}. Make a copy of it that is sold the other way, or wait until these are completed.',
        { name, orders },
      );
}

// $1 the product, $2 its farm, $3 its name. Another deleted product of the same name may be ticked on the same list.
const NAME_TICKS = `WITH named AS MATERIALIZED (
    SELECT tick.*, COALESCE((
      SELECT line.name FROM order_lines line JOIN orders o ON o.id = line.order_id
      WHERE line.product_id = tick.product_id AND o.farmer_id = tick.farm_id AND o.date = tick.date
        AND o.status IN (${sqlList(STANDING_STATUSES)})
      ORDER BY o.status = 'pending', o.created_at DESC LIMIT 1), $3) AS goods
    FROM pick_ticks tick WHERE tick.farm_id = $2::uuid AND tick.product_id = $1::uuid
  ), joined AS (
    UPDATE pick_ticks known SET quantity_milli = known.quantity_milli + named.quantity_milli,
      version = greatest(known.version, named.version) + 1
    FROM named
    WHERE known.farm_id = named.farm_id AND known.date = named.date AND known.product_id IS NULL
      AND known.place_id IS NOT DISTINCT FROM named.place_id AND known.name = named.goods
      AND known.unit = named.unit AND known.is_by_piece = named.is_by_piece
    RETURNING named.id
  ), gone AS (
    DELETE FROM pick_ticks WHERE id IN (SELECT id FROM joined)
  )
  UPDATE pick_ticks SET product_id = NULL, name = named.goods FROM named
  WHERE pick_ticks.id = named.id AND named.id NOT IN (SELECT id FROM joined)`;

/**
 * Lets what was ticked of a product go by the name that orders have of it, as their lines do once it is deleted. Runs
 * in the transaction that has locked the product, before it is deleted.
 */
export async function nameTicks(
  tx: Transaction,
  { id, farmerId, name }: { id: string; farmerId: string; name: string },
): Promise<void> {
  await tx.$executeRawUnsafe(NAME_TICKS, id, farmerId, name);
}
