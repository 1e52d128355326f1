import { z } from 'zod';
import { type ListQuery, type Page, toMinor } from '#contract/http';
import type { AllOrdersQuery, Order, OrderSort } from '#contract/orders';
import { Prisma } from '../../prisma/generated/client.ts';
import { CursorTime, decodeCursor } from '../http/cursor.ts';
import { withinDays } from '../http/day-range.ts';
import type { Platform } from '../http/platform.ts';
import { likeLiteral } from '../process/postgres.ts';
import { phoneDigits } from '../process/search-pattern.ts';
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

function foundBy(search: string): Prisma.Sql {
  const pattern = `%${likeLiteral(search)}%`;
  const digits = phoneDigits(search);
  const people = Prisma.sql`ARRAY(
    SELECT id FROM users WHERE name ILIKE ${pattern}
    ${search.includes('@') ? Prisma.sql`OR email ILIKE ${pattern}` : Prisma.empty}
    UNION SELECT user_id FROM farmer_profiles WHERE farm_name ILIKE ${pattern}
    ${
      digits
        ? Prisma.sql`UNION SELECT id FROM users
            WHERE regexp_replace(phone, '\\D', '', 'g') LIKE ${`%${digits}%`}`
        : Prisma.empty
    })`;
  // Arrays, so that each part of the search can use its index.
  const withProduct = Prisma.sql`ARRAY(
    SELECT order_id FROM order_lines WHERE name ILIKE ${pattern})`;
  const range = idRange(search);
  return Prisma.sql`(
    consumer_id = ANY (${people}) OR farmer_id = ANY (${people}) OR id = ANY (${withProduct})
    ${range ? Prisma.sql`OR id BETWEEN ${range[0]}::uuid AND ${range[1]}::uuid` : Prisma.empty})`;
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
      ...withinDays(Prisma.sql`created_at`, query),
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
