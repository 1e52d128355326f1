import { z } from 'zod';
import type { OrderSort } from '#contract/ordering/orders/constants/orders';
import type { AllOrdersQuery, Order } from '#contract/ordering/orders/orders';
import type { ListQuery, Page } from '#contract/platform/http/http';
import { theMarket } from '#contract/platform/market/constants/market';
import { toMinor } from '#contract/platform/money/constants/money';
import { Prisma } from '../../../prisma/generated/client.ts';
import { CursorTime, decodeCursor } from '../../platform/http/cursor.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { likeLiteral } from '../../platform/stores/postgres.ts';
import { phoneDigits, withinDays } from '../../platform/stores/sql.ts';
import { idRange } from './id-range.ts';
import { type OrderSorting, readOrderPage } from './read.ts';

// A cursor names its sort: the place of one sort means nothing in another. Newest first has the form
// that all lists of orders share.
const byTotal = (sort: OrderSort, direction: 'ASC' | 'DESC'): OrderSorting => ({
  by: Prisma.raw(`total_minor ${direction}, id ${direction}`),
  placeOf: (order) => [sort, toMinor(order.totalAmount), order._id],
  after: (cursor) => {
    const [, total, id] = decodeCursor(cursor, z.tuple([z.literal(sort), z.int(), z.uuid()]));
    const comparison = Prisma.raw(direction === 'ASC' ? '>' : '<');
    return Prisma.sql`(total_minor, id) ${comparison} (${total}::bigint, ${id}::uuid)`;
  },
});

const SORTINGS: Record<OrderSort, OrderSorting | undefined> = {
  newest: undefined,
  oldest: {
    by: Prisma.sql`created_at ASC, id ASC`,
    placeOf: (order) => ['oldest', order.createdAt, order._id],
    after: (cursor) => {
      const place = z.tuple([z.literal('oldest'), CursorTime, z.uuid()]);
      const [, at, id] = decodeCursor(cursor, place);
      return Prisma.sql`(created_at, id) > (${at}::timestamptz, ${id}::uuid)`;
    },
  },
  'total-asc': byTotal('total-asc', 'ASC'),
  'total-desc': byTotal('total-desc', 'DESC'),
};

/**
 * Returns the condition of orders that are searched for. One set of ids, each part of which is found by its
 * own index: an OR of conditions would be compared with every order of the market.
 */
function foundBy(search: string): Prisma.Sql {
  const pattern = `%${likeLiteral(search)}%`;
  const digits = phoneDigits(search);
  const range = idRange(search);
  const byEmail = search.includes('@') ? Prisma.sql`OR email ILIKE ${pattern}` : Prisma.empty;
  const byPhone = digits
    ? Prisma.sql`UNION SELECT id FROM users
        WHERE regexp_replace(phone, '\\D', '', 'g') LIKE ${`%${digits}%`}`
    : Prisma.empty;
  const byId = range
    ? Prisma.sql`UNION ALL SELECT id FROM orders
        WHERE id BETWEEN ${range[0]}::uuid AND ${range[1]}::uuid`
    : Prisma.empty;
  return Prisma.sql`id IN (
    WITH people AS MATERIALIZED (
      SELECT id FROM users WHERE name ILIKE ${pattern} ${byEmail}
      UNION SELECT user_id FROM farmer_profiles WHERE farm_name ILIKE ${pattern}
      ${byPhone})
    SELECT o.id FROM people JOIN orders o ON o.consumer_id = people.id
    UNION ALL SELECT o.id FROM people JOIN orders o ON o.farmer_id = people.id
    UNION ALL SELECT order_id FROM order_lines WHERE name ILIKE ${pattern}
    ${byId})`;
}

/**
 * Returns a page of every order: found by the start of an id, by part of a name, email or phone number of
 * its people, or by part of a product's name; of a range of days; sorted.
 */
export const listAllOrders = (platform: Platform, query: AllOrdersQuery): Promise<Page<Order>> =>
  readOrderPage(
    platform,
    [
      ...(query.search ? [foundBy(query.search)] : []),
      ...withinDays(Prisma.sql`created_at`, query, theMarket().timeZone),
    ],
    query,
    SORTINGS[query.sort],
  );

/** Returns a page of the orders that a person placed or received, newest first. */
export const listOrdersOf = (
  platform: Platform,
  userId: string,
  query: ListQuery,
): Promise<Page<Order>> =>
  readOrderPage(
    platform,
    [Prisma.sql`(consumer_id = ${userId}::uuid OR farmer_id = ${userId}::uuid)`],
    query,
  );
