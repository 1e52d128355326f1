import { type FarmerStats, ORDER_STATUSES, type Order } from '#contract/orders';
import { LOW_STOCK, type Product } from '#contract/products';
import type { Platform } from '../platform/platform.ts';

/** How many days the series has, today included. */
const DAYS = 30;
const RECENT_ORDERS = 5;
const LOW_STOCK_ROWS = 5;

interface Totals {
  products: number;
  unread: number;
  counts: Partial<Record<(typeof ORDER_STATUSES)[number], number>>;
  revenue: number;
  days: FarmerStats['days'];
  recent: Order[];
  low: Product[];
}

/** A farm's figures over all its data, in one statement. Revenue counts completed orders alone. */
export async function farmerStats(platform: Platform, farmerId: string): Promise<FarmerStats> {
  const { rows } = await platform.pool.query<Totals>({
    name: 'farmer_stats',
    text: `
      WITH by_status AS (
        SELECT status, sum(orders)::int AS orders, sum(total_minor)::bigint AS total
        FROM farm_order_totals WHERE farmer_id = $1 AND day = '-infinity' GROUP BY status
      ), by_day AS (
        SELECT day, sum(orders)::int AS orders,
               COALESCE(sum(total_minor) FILTER (WHERE status = 'completed'), 0)::bigint AS revenue
        FROM farm_order_totals
        WHERE farmer_id = $1 AND day > market_day() - $2::int GROUP BY day
      )
      SELECT
        (SELECT count(*)::int FROM products WHERE farmer_id = $1) AS products,
        (SELECT COALESCE(sum(unread_count), 0)::int FROM conversations WHERE user_id = $1) AS unread,
        (SELECT COALESCE(json_object_agg(status, orders), '{}') FROM by_status) AS counts,
        to_json((SELECT wire_amount(COALESCE(sum(total), 0)::bigint) FROM by_status
          WHERE status = 'completed')) AS revenue,
        (SELECT json_agg(json_build_object('date', shown::date, 'orders', COALESCE(orders, 0),
            'revenue', wire_amount(COALESCE(revenue, 0))) ORDER BY shown)
          FROM generate_series(market_day() - ($2::int - 1), market_day(), '1 day') AS shown
          LEFT JOIN by_day ON by_day.day = shown::date) AS days,
        (SELECT COALESCE(json_agg(wire), '[]') FROM (
          SELECT wire FROM order_wire WHERE farmer_id = $1
          ORDER BY created_at DESC, id DESC LIMIT $3) AS latest) AS recent,
        (SELECT COALESCE(json_agg(wire), '[]') FROM (
          SELECT wire FROM product_wire WHERE farmer_id = $1 AND quantity_available < $4
          ORDER BY quantity_available, id LIMIT $5) AS emptiest) AS low`,
    values: [farmerId, DAYS, RECENT_ORDERS, LOW_STOCK, LOW_STOCK_ROWS],
  });
  const totals = rows[0];
  if (!totals) throw new Error('A statement without FROM always has one row');
  const counts = { pending: 0, accepted: 0, rejected: 0, completed: 0, cancelled: 0 };
  for (const status of ORDER_STATUSES) counts[status] = totals.counts[status] ?? 0;
  return {
    productCount: totals.products,
    pendingOrders: counts.pending,
    ordersByStatus: counts,
    unreadMessages: totals.unread,
    totalRevenue: totals.revenue,
    days: totals.days,
    recentOrders: totals.recent,
    lowStock: totals.low,
  };
}
