import { z } from 'zod';
import type { FeedItem } from '#contract/admin';
import type { Order } from '#contract/orders';
import { Instant, type ListQuery, type Page } from '#contract/platform';
import type { PersonWithRole } from '#contract/users';
import { decodeCursor, toPage } from '../platform/cursor.ts';
import type { Platform } from '../platform/platform.ts';
import { personSelect, presentPersonWithRole } from '../users/present.ts';

/** A thing that happened: to an order when it got `version`, or to a user. */
interface Happening {
  id: string;
  kind: FeedItem['kind'];
  at: Date;
  subject: string;
  version: number;
}

const FeedCursor = z.tuple([Instant, z.string()]);

/**
 * The part of one kind of happening that a page can need: at or before `from` by the column `at`,
 * which an index walks backwards.
 */
const part = (at: string, from = '$1::timestamptz') =>
  `($1::timestamptz IS NULL OR ${at} <= ${from} AND (${at}, line.id) < (${from}, $2))
   ORDER BY ${at} DESC, line.id DESC LIMIT $3`;

/** Ids are compared byte by byte, whatever language the database speaks. */
const line = (id: string) => `CROSS JOIN LATERAL (SELECT (${id}) COLLATE "C" AS id) AS line`;

// Unanswered orders are few: one page after another could be looked through for the next one. A page
// that the timeline fills by itself needs none that became so before its end.
const FEED = `
  WITH changes AS MATERIALIZED (
    SELECT line.id, kind, e.at, e.order_id AS subject, e.version
    FROM order_timeline e
    CROSS JOIN LATERAL (
      SELECT CASE e.version WHEN 1 THEN 'order.placed' ELSE 'order.statusChanged' END AS kind
    ) AS told
    ${line("kind || ':' || e.order_id || CASE e.version WHEN 1 THEN '' ELSE ':' || e.version END")}
    WHERE ${part('e.at')}
  )
  SELECT * FROM (
    (SELECT * FROM changes)
    UNION ALL
    (SELECT line.id, 'user.registered', u.created_at, u.id, 0
     FROM users u
     ${line("'user.registered:' || u.id")}
     WHERE u.role <> 'admin' AND ${part('u.created_at')})
    UNION ALL
    (SELECT line.id, 'order.unanswered', o.created_at + make_interval(secs => $4), o.id, 1
     FROM orders o
     LEFT JOIN order_timeline answer ON answer.order_id = o.id AND answer.version = 2
     ${line("'order.unanswered:' || o.id")}
     WHERE o.created_at + make_interval(secs => $4) <= COALESCE(answer.at, now())
       AND o.created_at >= COALESCE(
         (SELECT min(at) - make_interval(secs => $4) FROM changes HAVING count(*) = $3), '-infinity')
       AND ${part('o.created_at', '($1::timestamptz - make_interval(secs => $4))')})
  ) AS happened
  ORDER BY at DESC, id DESC
  LIMIT $3`;

/**
 * What happened on the market, newest first: told from the rows themselves, so that it reaches back
 * as far as they do. An order that waited too long for its first answer gets a line of its own.
 */
export async function readFeed(
  platform: Platform,
  { limit, cursor }: ListQuery,
): Promise<Page<FeedItem>> {
  const [before, id] = cursor === undefined ? [null, null] : decodeCursor(cursor, FeedCursor);
  const { rows } = await platform.pool.query<Happening>({
    name: 'admin_feed',
    text: FEED,
    values: [before, id, limit + 1, platform.env.UNANSWERED_AFTER_SECONDS],
  });
  const page = toPage(rows, limit, (row) => [row.at.toISOString(), row.id]);
  return { items: await describe(platform, page.rows), nextCursor: page.nextCursor };
}

async function describe(
  { db, pool }: Platform,
  happenings: readonly Happening[],
): Promise<FeedItem[]> {
  const subjects = [...new Set(happenings.map(({ subject }) => subject))];
  const [orders, people] = await Promise.all([
    pool.query<{ id: string; wire: Order }>({
      name: 'admin_feed_orders',
      text: 'SELECT id, wire FROM order_wire WHERE id = ANY ($1::uuid[])',
      values: [subjects],
    }),
    db.user.findMany({ where: { id: { in: subjects } }, select: personSelect }),
  ]);
  const orderOf = new Map(orders.rows.map(({ id, wire }) => [id, wire]));
  const personOf = new Map(people.map((row) => [row.id, presentPersonWithRole(row)]));
  return happenings.map(({ id, kind, at, subject, version }) => {
    const order = asItWas(orderOf.get(subject), version);
    return {
      _id: id,
      kind,
      at: at.toISOString(),
      by: whoDid(kind, order) ?? personOf.get(subject) ?? null,
      order,
    };
  });
}

/** The order when it had this version: each one added an entry to its timeline. */
function asItWas(order: Order | undefined, version: number): Order | null {
  if (!order) return null;
  const timeline = order.timeline.slice(0, version);
  return { ...order, version, timeline, status: timeline.at(-1)?.status ?? order.status };
}

/** Nobody leaves an order unanswered: that line is the market's own. */
const whoDid = (kind: FeedItem['kind'], order: Order | null): PersonWithRole | undefined =>
  kind === 'order.unanswered' ? undefined : order?.timeline.at(-1)?.by;
