import type { AdminStats } from '#contract/admin/admin/admin';
import { UNANSWERED_ORDERS_SHOWN } from '#contract/admin/admin/constants';
import { ROLES } from '#contract/platform/http/constants';
import { theMarket } from '#contract/platform/market/constants';
import { fromMinor } from '#contract/platform/money/constants';
import { ORDER_STATUSES, RECENT_ORDERS_SHOWN } from '#contract/platform/orders/constants';
import {
  PRODUCT_COLUMNS,
  PRODUCT_SOURCE,
  type ProductRow,
  presentProduct,
} from '../../catalogue/products/present.ts';
import {
  type DayRow,
  ORDER_ROW,
  ORDER_SOURCE,
  type OrderRow,
  presentDay,
  presentOrder,
} from '../../ordering/model/present.ts';
import { NOTHING_FOR_SALE } from '../../people/users/service.ts';
import type { Platform } from '../../platform/http/platform.ts';

/** How many days and minutes the series have, the present one included. */
const SERIES = { days: 30, minutes: 60 };

interface Totals {
  usersByRole: Partial<AdminStats['usersByRole']>;
  ordersByStatus: Partial<AdminStats['ordersByStatus']>;
  totalOrders: number;
  categoryCount: number;
  revenueMinor: number;
  days: DayRow[];
  ordersPerMinute: AdminStats['ordersPerMinute'];
  recentOrders: OrderRow[];
  recentProducts: ProductRow[];
  unanswered: OrderRow[];
  attention: NonNullable<AdminStats['attention']>;
}

/** The market's figures over all its data, in one statement. Revenue counts completed orders alone. */
export async function readAdminStats({ pool }: Platform): Promise<AdminStats> {
  const { rows } = await pool.query<Totals>({
    name: 'admin_stats',
    text: `
      WITH by_status AS (
        SELECT status, sum(orders)::int AS orders, sum(total_minor)::bigint AS total
        FROM market_order_totals WHERE day = '-infinity' GROUP BY status HAVING sum(orders) > 0
      ), by_role AS (
        SELECT role, sum(users)::int AS users FROM user_totals GROUP BY role
      ), by_day AS (
        SELECT day, sum(orders)::int AS orders,
               COALESCE(sum(total_minor) FILTER (WHERE status = 'completed'), 0)::bigint AS revenue
        FROM market_order_totals WHERE day > market_day() - $1::int GROUP BY day
      ), minutes AS (
        SELECT generate_series(
          date_trunc('minute', now()) - make_interval(mins => $2::int - 1),
          date_trunc('minute', now()), '1 minute') AS minute
      ), by_minute AS (
        SELECT date_trunc('minute', created_at) AS minute, count(*)::int AS orders
        FROM orders WHERE created_at >= (SELECT min(minute) FROM minutes) GROUP BY 1
      )
      SELECT
        (SELECT COALESCE(json_object_agg(role, users), '{}') FROM by_role) AS "usersByRole",
        (SELECT COALESCE(json_object_agg(status, orders), '{}') FROM by_status) AS "ordersByStatus",
        (SELECT COALESCE(sum(orders), 0)::int FROM by_status) AS "totalOrders",
        (SELECT count(*)::int FROM categories) AS "categoryCount",
        to_json((SELECT COALESCE(sum(total), 0)::bigint FROM by_status
          WHERE status = 'completed')) AS "revenueMinor",
        (SELECT json_agg(json_build_object('date', shown::date, 'orders', COALESCE(orders, 0),
            'revenueMinor', COALESCE(revenue, 0)) ORDER BY shown)
          FROM generate_series(market_day() - ($1::int - 1), market_day(), '1 day') AS shown
          LEFT JOIN by_day ON by_day.day = shown::date) AS days,
        (SELECT json_agg(json_build_object(
            'minute', minute, 'orders', COALESCE(orders, 0)) ORDER BY minute)
          FROM minutes LEFT JOIN by_minute USING (minute)) AS "ordersPerMinute",
        (SELECT COALESCE(json_agg(row), '[]') FROM (
          SELECT ${ORDER_ROW} AS row FROM ${ORDER_SOURCE}
          WHERE o.id = ANY (ARRAY(
            SELECT id FROM orders ORDER BY created_at DESC, id DESC LIMIT $3))
          ORDER BY o.created_at DESC, o.id DESC
        ) AS latest) AS "recentOrders",
        (SELECT COALESCE(json_agg(latest), '[]') FROM (
          SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT_SOURCE}
          WHERE p.id = ANY (ARRAY(
            SELECT id FROM products ORDER BY created_at DESC, id DESC LIMIT $3))
          ORDER BY p.created_at DESC, p.id DESC
        ) AS latest) AS "recentProducts",
        (SELECT COALESCE(json_agg(row), '[]') FROM (
          SELECT ${ORDER_ROW} AS row FROM ${ORDER_SOURCE}
          WHERE o.id = ANY (ARRAY(
            SELECT id FROM orders
            WHERE status = 'pending' AND created_at < now() - make_interval(secs => $4)
            ORDER BY created_at, id LIMIT $5))
          ORDER BY o.created_at, o.id
        ) AS waiting) AS unanswered,
        json_build_object(
          'unansweredOrders', (SELECT count(*)::int FROM orders
            WHERE status = 'pending' AND created_at < now() - make_interval(secs => $4)),
          'openReports', (SELECT count(*)::int FROM reports WHERE settled_at IS NULL),
          'waitingFarms', (SELECT count(*)::int
            FROM farmer_profiles f JOIN users u ON u.id = f.user_id
            WHERE u.deleted_at IS NULL AND f.approved_at IS NULL AND f.asked_at IS NOT NULL),
          'farmsWithNothingForSale', (SELECT count(*)::int FROM users u
            WHERE u.deleted_at IS NULL AND ${NOTHING_FOR_SALE}),
          'hiddenProducts', (SELECT count(*)::int FROM products WHERE hidden_reason IS NOT NULL),
          'suspendedPeople', (SELECT count(*)::int FROM users
            WHERE suspended_at IS NOT NULL AND deleted_at IS NULL),
          'newPeople', (SELECT count(*)::int FROM users
            WHERE role <> 'admin' AND deleted_at IS NULL AND NOT is_farm
              AND created_at >= (market_day() - 6)::timestamp AT TIME ZONE market_zone())
        ) AS attention`,
    values: [
      SERIES.days,
      SERIES.minutes,
      RECENT_ORDERS_SHOWN,
      theMarket().unansweredMinutes * 60,
      UNANSWERED_ORDERS_SHOWN,
    ],
  });
  const totals = rows[0];
  if (!totals) throw new Error('The statement returned no row');
  const usersByRole = counts(ROLES, totals.usersByRole);
  return {
    totalUsers: usersByRole.consumer + usersByRole.farmer,
    usersByRole,
    totalOrders: totals.totalOrders,
    ordersByStatus: counts(ORDER_STATUSES, totals.ordersByStatus),
    categoryCount: totals.categoryCount,
    revenue: fromMinor(totals.revenueMinor),
    days: totals.days.map(presentDay),
    ordersPerMinute: totals.ordersPerMinute.map(({ minute, orders }) => ({
      minute: new Date(minute).toISOString(),
      orders,
    })),
    recentOrders: totals.recentOrders.map(presentOrder),
    recentProducts: totals.recentProducts.map(presentProduct),
    unanswered: totals.unanswered.map(presentOrder),
    attention: totals.attention,
  };
}

/** Every key with its count, those that were not counted with 0. */
const counts = <Key extends string>(keys: readonly Key[], counted: Partial<Record<Key, number>>) =>
  Object.fromEntries(keys.map((key) => [key, counted[key] ?? 0])) as Record<Key, number>;
