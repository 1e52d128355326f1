import { z } from 'zod';
import type { FeedItem } from '#contract/admin/admin/admin';
import type { Order } from '#contract/ordering/orders/orders';
import type { PersonWithRole } from '#contract/people/users/users';
import type { ListQuery, Page } from '#contract/platform/http/http';
import { theMarket } from '#contract/platform/market/constants';
import {
  ORDER_ROW,
  ORDER_SOURCE,
  type OrderRow,
  presentOrder,
} from '../../ordering/model/present.ts';
import { personSelect, presentPersonWithRole } from '../../people/users/present.ts';
import { CursorTime, decodeCursor, toPage } from '../../platform/http/cursor.ts';
import type { Platform } from '../../platform/http/platform.ts';

/** A row of the feed: an order at an entry of its timeline, or a user. */
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
  ) AS happened
  ORDER BY at DESC, id DESC
  LIMIT $3`;

/**
 * Returns what happened on the market, newest first, computed from the rows themselves, so that it
 * covers all their history. An order that waited too long for its first answer has its own line.
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
  const page = toPage(rows, limit, (row) => [row.at.toISOString(), row.id]);
  return { items: await describe(platform, page.rows), nextCursor: page.nextCursor };
}

async function describe({ db, pool }: Platform, rows: readonly FeedRow[]): Promise<FeedItem[]> {
  const subjects = [...new Set(rows.map(({ subject }) => subject))];
  const [orders, people] = await Promise.all([
    pool.query<{ row: OrderRow }>({
      name: 'admin_feed_orders',
      text: `SELECT ${ORDER_ROW} AS row FROM ${ORDER_SOURCE} WHERE o.id = ANY ($1::uuid[])`,
      values: [subjects],
    }),
    db.user.findMany({ where: { id: { in: subjects } }, select: personSelect }),
  ]);
  const orderOf = new Map(orders.rows.map(({ row }) => [row.id, row]));
  const personOf = new Map(people.map((row) => [row.id, presentPersonWithRole(row)]));
  return rows.map(({ id, kind, at, subject, sequence, version }) => {
    const row = orderOf.get(subject);
    const order = row ? presentOrder(orderAt(row, sequence, version)) : null;
    return {
      _id: id,
      kind,
      at: at.toISOString(),
      by: actorOf(kind, order) ?? personOf.get(subject) ?? null,
      order,
    };
  });
}

/** Returns the order as it was at an entry of its timeline, when it had this version. */
function orderAt(order: OrderRow, sequence: number, version: number): OrderRow {
  const timeline = order.timeline.filter((entry) => entry.sequence <= sequence);
  const status = timeline.findLast((entry) => entry.kind === 'status')?.status ?? order.status;
  return { ...order, version, timeline, status };
}

/** Returns who caused the line; nobody for an unanswered order. */
const actorOf = (kind: FeedItem['kind'], order: Order | null): PersonWithRole | undefined =>
  kind === 'order.unanswered' ? undefined : order?.timeline.at(-1)?.by;
