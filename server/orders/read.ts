import type { AllOrdersQuery, Order, OrderListQuery } from '#contract/orders';
import type { Page } from '#contract/platform';
import { Prisma } from '../../prisma/generated/client.ts';
import { decodeCursor, TimeCursor, toPage } from '../platform/cursor.ts';
import { notFound } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { likeLiteral } from '../platform/postgres.ts';
import type { SessionUser } from '../platform/sessions.ts';
import { canReadOrder } from './policy.ts';

interface WireRow {
  wire: Order;
}

/** The start of an id as it is typed or copied: hexadecimal, with or without its dashes and `#`. */
const ID_START = /^#?[0-9a-f-]{1,36}$/i;

/** The lowest and the highest id that begin so; a range can use the index where a text cannot. */
function idRange(start: string): [string, string] | null {
  const digits = start.replace(/[#-]/g, '').toLowerCase();
  if (!ID_START.test(start) || digits.length === 0 || digits.length > 32) return null;
  const withDashes = (hex: string) =>
    hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return [withDashes(digits.padEnd(32, '0')), withDashes(digits.padEnd(32, 'f'))];
}

function foundBy(search: string): Prisma.Sql {
  const pattern = `%${likeLiteral(search)}%`;
  const people = Prisma.sql`ARRAY(
    SELECT id FROM users WHERE name ILIKE ${pattern}
    UNION SELECT user_id FROM farmer_profiles WHERE farm_name ILIKE ${pattern})`;
  const either = Prisma.sql`consumer_id = ANY (${people}) OR farmer_id = ANY (${people})`;
  const range = idRange(search);
  return range
    ? Prisma.sql`(${either} OR id BETWEEN ${range[0]}::uuid AND ${range[1]}::uuid)`
    : Prisma.sql`(${either})`;
}

async function readPage(
  platform: Platform,
  conditions: Prisma.Sql[],
  query: OrderListQuery,
): Promise<Page<Order>> {
  if (query.status) conditions.push(Prisma.sql`status = ${query.status}::"OrderStatus"`);
  if (query.cursor) {
    const [at, id] = decodeCursor(query.cursor, TimeCursor);
    conditions.push(Prisma.sql`(created_at, id) < (${at}::timestamptz, ${id}::uuid)`);
  }
  const where = conditions.length > 0 ? Prisma.join(conditions, ' AND ') : Prisma.sql`true`;
  // The page is chosen from the bare orders: what a search finds is sorted before it is presented.
  const rows = await platform.db.$queryRaw<WireRow[]>`
    SELECT wire FROM order_wire
    WHERE id IN (
      SELECT id FROM orders WHERE ${where}
      ORDER BY created_at DESC, id DESC LIMIT ${query.limit + 1}::int)
    ORDER BY created_at DESC, id DESC`;
  const page = toPage(
    rows.map((row) => row.wire),
    query.limit,
    (order) => [order.createdAt, order._id],
  );
  return { items: page.rows, nextCursor: page.nextCursor };
}

/** The orders a consumer placed, newest first. */
export const listPlacedOrders = (
  platform: Platform,
  consumerId: string,
  query: OrderListQuery,
): Promise<Page<Order>> =>
  readPage(platform, [Prisma.sql`consumer_id = ${consumerId}::uuid`], query);

/** The orders placed with a farm, newest first. */
export const listReceivedOrders = (
  platform: Platform,
  farmerId: string,
  query: OrderListQuery,
): Promise<Page<Order>> => readPage(platform, [Prisma.sql`farmer_id = ${farmerId}::uuid`], query);

/** Every order, newest first; found by the start of an id or part of a customer's or farm's name. */
export const listAllOrders = (platform: Platform, query: AllOrdersQuery): Promise<Page<Order>> =>
  readPage(platform, query.search ? [foundBy(query.search)] : [], query);

/** One order. @throws 404 when it is unknown or not this user's to know of */
export async function getOrder(platform: Platform, id: string, user: SessionUser): Promise<Order> {
  const rows = await platform.db.$queryRaw<WireRow[]>`
    SELECT wire FROM order_wire WHERE id = ${id}::uuid`;
  const order = rows[0]?.wire;
  if (
    !order ||
    !canReadOrder(user, { consumerId: order.consumer._id, farmerId: order.farmer._id })
  ) {
    throw notFound('Order not found');
  }
  return order;
}
