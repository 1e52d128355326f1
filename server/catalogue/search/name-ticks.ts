import { STANDING_STATUSES } from '#contract/platform/orders/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { sqlList } from '../../platform/stores/sql.ts';

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
