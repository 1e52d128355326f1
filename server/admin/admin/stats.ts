import { z } from 'zod';
import type { AdminStats, FeedItem } from '#contract/admin/admin/admin';
import { UNANSWERED_ORDERS_SHOWN } from '#contract/admin/admin/constants';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { Order } from '#contract/ordering/orders/orders';
import type { PersonWithRole } from '#contract/people/users/users';
import { ROLES } from '#contract/platform/http/constants';
import type { ListQuery, Page } from '#contract/platform/http/http';
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
import { personSelect, presentPersonWithRole } from '../../people/users/present.ts';
import { NOTHING_FOR_SALE } from '../../people/users/service.ts';
import { CursorTime, decodeCursor, toPage } from '../../platform/http/cursor.ts';
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

/** A row of the feed: an order at an entry of its timeline, or a user, who may be a farm. */
interface FeedRow {
  id: string;
  kind: FeedItem['kind'];
  at: Date;
  subject: string;
  /** The last entry of the order's timeline at that moment, and the version the order had. */
  sequence: number;
  version: number;
}

const FeedCursor = z.tuple([CursorTime, z.string().regex(/^[\w.:-]{1,100}$/)]);

/**
 * Returns the SQL that limits one kind of row to what a page can need: at or before `from` by the column
 * `at`, which an index scans backwards.
 */
const pageClause = (at: string, from = '$1::timestamptz') =>
  `($1::timestamptz IS NULL OR ${at} <= ${from} AND (${at}, line.id) < (${from}, $2))
   ORDER BY ${at} DESC, line.id DESC LIMIT $3`;

/** Compares ids byte by byte, whatever the database's locale. */
const line = (id: string) => `CROSS JOIN LATERAL (SELECT (${id}) COLLATE "C" AS id) AS line`;

// Unanswered orders are rare, so a search for the next one could scan the whole table. When the timeline
// alone fills the page, the search stops at the page's end.
const FEED = `
  WITH changes AS MATERIALIZED (
    SELECT line.id, named.kind, e.at, e.order_id AS subject, e.sequence, e.version
    FROM order_timeline e
    CROSS JOIN LATERAL (
      SELECT CASE WHEN e.sequence = 1 THEN 'order.placed'
        WHEN e.kind = 'status' THEN 'order.statusChanged' ELSE 'order.linesChanged' END AS kind
    ) AS named
    ${line("named.kind || ':' || e.order_id || CASE e.sequence WHEN 1 THEN '' ELSE ':' || e.sequence END")}
    WHERE e.kind IN ('status', 'proposal', 'lines') AND ${pageClause('e.at')}
  )
  SELECT * FROM (
    (SELECT * FROM changes)
    UNION ALL
    (SELECT line.id, 'user.registered', u.created_at, u.id, 0, 0
     FROM users u
     ${line("'user.registered:' || u.id")}
     WHERE u.role <> 'admin' AND NOT u.is_farm AND ${pageClause('u.created_at')})
    UNION ALL
    (SELECT line.id, 'order.unanswered', o.created_at + make_interval(secs => $4), o.id,
            last.sequence, last.version
     FROM orders o
     LEFT JOIN LATERAL (
       SELECT at FROM order_timeline
       WHERE order_id = o.id AND sequence > 1 AND kind = 'status'
       ORDER BY sequence LIMIT 1
     ) AS answer ON true
     JOIN LATERAL (
       SELECT sequence, version FROM order_timeline
       WHERE order_id = o.id AND (sequence = 1 OR at <= o.created_at + make_interval(secs => $4))
       ORDER BY sequence DESC LIMIT 1
     ) AS last ON true
     ${line("'order.unanswered:' || o.id")}
     WHERE o.created_at + make_interval(secs => $4) <= COALESCE(answer.at, now())
       AND o.created_at >= COALESCE(
         (SELECT min(at) - make_interval(secs => $4) FROM changes HAVING count(*) = $3), '-infinity')
       AND ${pageClause('o.created_at', '($1::timestamptz - make_interval(secs => $4))')})
    UNION ALL
    (SELECT line.id, 'attention.waiting', a.admins_at, COALESCE(o.id, a.farm_id), last.sequence, last.version
     FROM attentions a
     LEFT JOIN orders o ON o.id = a.order_id
     LEFT JOIN LATERAL (
       SELECT sequence, version FROM order_timeline
       WHERE order_id = o.id AND (sequence = 1 OR at <= a.admins_at)
       ORDER BY sequence DESC LIMIT 1
     ) AS last ON true
     ${line("'attention.waiting:' || a.id")}
     WHERE a.admins_at IS NOT NULL AND ${pageClause('a.admins_at')})
    UNION ALL
    (SELECT line.id, 'farm.paused', f.paused_at, f.user_id, 0, 0
     FROM farmer_profiles f
     ${line("'farm.paused:' || f.user_id")}
     WHERE f.paused_by IS NULL AND f.paused_at IS NOT NULL AND ${pageClause('f.paused_at')})
  ) AS happened
  ORDER BY at DESC, id DESC
  LIMIT $3`;

/**
 * Returns what happened on the market, newest first, computed from the rows themselves, so that it
 * covers all their history. An order that waited too long for its first answer has its own line, and so has the last
 * pause of a farm if the market made it by itself.
 */
export async function readFeed(
  platform: Platform,
  { limit, cursor }: ListQuery,
): Promise<Page<FeedItem>> {
  const [before, id] = cursor === undefined ? [null, null] : decodeCursor(cursor, FeedCursor);
  const { rows } = await platform.pool.query<FeedRow>({
    name: 'admin_feed',
    text: FEED,
    values: [before, id, limit + 1, theMarket().unansweredMinutes * 60],
  });
  const describe = await describerOf(platform, rows);
  return toPage(rows, limit, (row) => [row.at.toISOString(), row.id], describe);
}

/** Reads what rows are about, and returns what describes one of them. */
async function describerOf({ db, pool }: Platform, rows: readonly FeedRow[]) {
  const subjects = [...new Set(rows.map(({ subject }) => subject))];
  const [orders, people] = await Promise.all([
    pool.query<{ row: OrderRow }>({
      name: 'admin_feed_orders',
      text: `SELECT ${ORDER_ROW} AS row FROM ${ORDER_SOURCE} WHERE o.id = ANY ($1::uuid[])`,
      values: [subjects],
    }),
    db.user.findMany({
      where: { id: { in: subjects } },
      select: { ...personSelect, farm: { select: { farmName: true } } },
    }),
  ]);
  const orderOf = new Map(orders.rows.map(({ row }) => [row.id, row]));
  const personOf = new Map(people.map((row) => [row.id, presentPersonWithRole(row)]));
  const farmNames = new Map(people.map(({ id, farm }) => [id, farm?.farmName ?? '']));
  return ({ id, kind, at, subject, sequence, version }: FeedRow): FeedItem => {
    const row = orderOf.get(subject);
    const order = row ? presentOrder(orderAt(row, sequence, version)) : null;
    const line = { _id: id, kind, at: at.toISOString(), order };
    const person = personOf.get(subject) ?? null;
    if ((kind === 'farm.paused' || kind === 'attention.waiting') && person) {
      const { _id, name } = person;
      const farm = { _id, name: farmNameOf({ farmName: farmNames.get(_id) ?? '', name }) };
      return { ...line, by: null, farm };
    }
    return { ...line, by: actorOf(kind, order) ?? person };
  };
}

/** Returns the order as it was at an entry of its timeline, when it had this version. */
function orderAt(order: OrderRow, sequence: number, version: number): OrderRow {
  const timeline = order.timeline.filter((entry) => entry.sequence <= sequence);
  const status = timeline.findLast((entry) => entry.kind === 'status')?.status ?? order.status;
  return { ...order, version, timeline, status };
}

/** Returns who caused the line; nobody where a farm does not answer. */
const actorOf = (kind: FeedItem['kind'], order: Order | null): PersonWithRole | undefined =>
  kind === 'order.unanswered' || kind === 'attention.waiting'
    ? undefined
    : order?.timeline.at(-1)?.by;
