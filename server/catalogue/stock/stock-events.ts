import type { Product } from '#contract/catalogue/products/product';
import { handoffFields } from '../../farm/farmers/present.ts';
import type { NewEvent } from '../../platform/events/event-log.ts';
import { productRooms } from '../products/events.ts';
import { type ProductRow, presentProduct } from '../products/present.ts';

/**
 * A hash of everything about a product (`p`) but its stock. A statement that writes the product's event
 * checks it against what the event was presented from: stock may have moved since, the rest may not.
 */
export const APPEARANCE = `md5(ROW(p.name, p.description, p.price_minor, p.unit, p.step_milli, p.minimum_milli,
  p.piece_milli, p.piece_min_milli, p.piece_max_milli, p.images, p.is_organic, p.harvest_date, p.available_until, p.is_active, p.returns_at, p.hidden_reason, p.category_id, p.farmer_id)::text)`;

/**
 * A product `p` as one JSON value, for {@link ShelfRow}. Its farm and category are looked up row by row:
 * a statement reads few products, and joins would read whole tables while these are small.
 */
export const SHELF_ROW = `json_build_object(
  'id', p.id, 'farmerId', p.farmer_id, 'name', p.name, 'description', p.description,
  'priceMinor', p.price_minor, 'unit', p.unit, 'stockMilli', p.stock_milli, 'asideMilli', p.aside_milli, 'returnsAt', p.returns_at,
  'stepMilli', p.step_milli, 'minimumMilli', p.minimum_milli, 'pieceMilli', p.piece_milli,
  'pieceMinMilli', p.piece_min_milli, 'pieceMaxMilli', p.piece_max_milli,
  'images', p.images, 'isOrganic', p.is_organic, 'harvestDate', p.harvest_date,
  'availableUntil', p.available_until, 'isActive', p.is_active,
  'hiddenReason', p.hidden_reason, 'version', p.version,
  'createdAt', p.created_at,
  'category', (SELECT json_build_object('id', id, 'name', name)
    FROM categories WHERE id = p.category_id),
  'farmer', (SELECT json_build_object(
      'id', id, 'name', name, 'street', street, 'city', city, 'state', state, 'zipCode', zip_code,
      'farm', (SELECT json_build_object('farmName', farm.farm_name, 'approvedAt', farm.approved_at,
        ${handoffFields('farm')})
        FROM farmer_profiles farm WHERE farm.user_id = p.farmer_id))
    FROM users WHERE id = p.farmer_id),
  'appearance', ${APPEARANCE})`;

/** A product as {@link SHELF_ROW} reads it. */
export interface ShelfRow extends ProductRow {
  farmerId: string;
  stockMilli: number;
  availableUntil: string | null;
  appearance: string;
}

/**
 * The event of a change of stock. It does not change who may see the product. The statement that
 * records it puts in the quantity and version that the change made.
 */
export function stockEvent(row: ShelfRow): Extract<NewEvent, { data: Product }> {
  const data = presentProduct(row);
  return {
    name: 'product.updated',
    data,
    rooms: productRooms(data),
  };
}
