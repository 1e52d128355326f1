import { LOW_STOCK, lowMilli } from '#contract/catalogue/products/constants/products';
import type { FarmerStats } from '#contract/ordering/orders/orders';
import { fromMinor } from '#contract/platform/money/constants';
import { ORDER_STATUSES, RECENT_ORDERS_SHOWN } from '#contract/platform/orders/constants';
import { canActFor, type FarmPermission } from '#contract/platform/session/constants';
import { DEFAULT_TIME_ZONE } from '#contract/platform/time/constants';
import {
  PRODUCT_COLUMNS,
  PRODUCT_SOURCE,
  type ProductRow,
  presentProduct,
} from '../../catalogue/products/present.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import {
  type DayRow,
  ORDER_ROW,
  ORDER_SOURCE,
  type OrderRow,
  presentDay,
  presentOrder,
} from './present.ts';

/** How many days the series has, today included. */
const DAYS = 30;
const LOW_STOCK_ROWS = 5;

/** Below which stock a product (`p`) is low: {@link lowMilli}, where a row's minimum is the smallest order of its sizes. */
const LOW_BELOW = `CASE p.sizes WHEN '[]' THEN ${lowMilli({})} ELSE ${LOW_STOCK} * p.minimum_milli::bigint END`;
/** How much of that stock there is. */
const FILLED = `p.stock_milli::numeric / ${LOW_BELOW}`;

interface Totals {
  products: number;
  unread: number;
  counts: Partial<Record<(typeof ORDER_STATUSES)[number], number>>;
  revenueMinor: number;
  days: DayRow[];
  recent: OrderRow[];
  low: ProductRow[];
}

/**
 * Returns the figures of the caller's farm over all its data, in one statement, as far as their role goes. Revenue
 * counts completed orders alone.
 */
export async function farmerStats(platform: Platform, user: SessionUser): Promise<FarmerStats> {
  const farmerId = actingFarm(user);
  const may = (permission: FarmPermission) => canActFor(user, farmerId, permission);
  const { rows } = await platform.pool.query<Totals>({
    name: 'farmer_stats',
    text: `
      WITH today AS MATERIALIZED (
        SELECT COALESCE((SELECT day_in(time_zone) FROM farmer_profiles WHERE user_id = $1),
          day_in('${DEFAULT_TIME_ZONE}')) AS day
      ), by_status AS (
        SELECT status, sum(orders)::int AS orders, sum(total_minor)::bigint AS total
        FROM farm_order_totals WHERE farmer_id = $1 AND day = '-infinity' GROUP BY status
      ), by_day AS (
        SELECT day, sum(orders)::int AS orders,
               COALESCE(sum(total_minor) FILTER (WHERE status = 'completed'), 0)::bigint AS revenue
        FROM farm_order_totals
        WHERE farmer_id = $1 AND day > (SELECT day FROM today) - $2::int GROUP BY day
      )
      SELECT
        (SELECT count(*)::int FROM products WHERE farmer_id = $1) AS products,
        (SELECT COALESCE(sum(unread_count), 0)::int FROM conversations WHERE user_id = $1) AS unread,
        (SELECT COALESCE(json_object_agg(status, orders), '{}') FROM by_status) AS counts,
        to_json((SELECT COALESCE(sum(total), 0)::bigint FROM by_status
          WHERE status = 'completed')) AS "revenueMinor",
        (SELECT json_agg(json_build_object('date', shown::date, 'orders', COALESCE(orders, 0),
            'revenueMinor', COALESCE(revenue, 0)) ORDER BY shown)
          FROM today, generate_series(today.day - ($2::int - 1), today.day, '1 day') AS shown
          LEFT JOIN by_day ON by_day.day = shown::date) AS days,
        (SELECT COALESCE(json_agg(row), '[]') FROM (
          SELECT ${ORDER_ROW} AS row FROM ${ORDER_SOURCE}
          WHERE o.id = ANY (ARRAY(
            SELECT id FROM orders WHERE farmer_id = $1
            ORDER BY created_at DESC, id DESC LIMIT $3))
          ORDER BY o.created_at DESC, o.id DESC) AS latest) AS recent,
        (SELECT COALESCE(json_agg(emptiest), '[]') FROM (
          SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT_SOURCE}
          WHERE p.id = ANY (ARRAY(
            SELECT p.id FROM products p 
            WHERE p.farmer_id = $1 AND p.stock_milli < ${LOW_BELOW} AND NOT p.is_always
            ORDER BY ${FILLED}, p.id LIMIT $4))
          ORDER BY ${FILLED}, p.id) AS emptiest) AS low`,
    values: [farmerId, DAYS, RECENT_ORDERS_SHOWN, LOW_STOCK_ROWS],
  });
  const totals = rows[0];
  if (!totals) throw new Error('The statement returned no row');
  const counts = { pending: 0, accepted: 0, rejected: 0, completed: 0, cancelled: 0 };
  for (const status of ORDER_STATUSES) counts[status] = totals.counts[status] ?? 0;
  return {
    productCount: totals.products,
    pendingOrders: counts.pending,
    ordersByStatus: counts,
    ...(may('writeMessages') ? { unreadMessages: totals.unread } : {}),
    ...(may('seeSales')
      ? { totalRevenue: fromMinor(totals.revenueMinor), days: totals.days.map(presentDay) }
      : {}),
    recentOrders: totals.recent.map(presentOrder),
    lowStock: totals.low.map(presentProduct),
  };
}

/** Counts the orders that wait for this farmer's answer, from the totals that triggers keep. */
export async function countPendingOrders(platform: Platform, farmerId: string): Promise<number> {
  const { rows } = await platform.pool.query<{ pending: number }>({
    name: 'pending_orders',
    text: `
      SELECT COALESCE(sum(orders), 0)::int AS pending FROM farm_order_totals
      WHERE farmer_id = $1 AND day = '-infinity' AND status = 'pending'`,
    values: [farmerId],
  });
  return rows[0]?.pending ?? 0;
}
