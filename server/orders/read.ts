import { z } from 'zod';
import { type Page, WallDate, WallTime } from '#contract/http';
import type { AllOrdersQuery, Order, OrderListQuery, ReceivedOrdersQuery } from '#contract/orders';
import { Prisma } from '../../prisma/generated/client.ts';
import { decodeCursor, TimeCursor, toPage } from '../http/cursor.ts';
import { notFound } from '../http/errors.ts';
import type { Platform } from '../http/platform.ts';
import type { SessionUser } from '../http/sessions.ts';
import { likeLiteral } from '../process/postgres.ts';
import { canReadOrder } from './policy.ts';
import { ORDER_ROW, ORDER_SOURCE, type OrderRow, presentOrder, readOrders } from './present.ts';

const ROW = Prisma.raw(ORDER_ROW);
const SOURCE = Prisma.raw(ORDER_SOURCE);

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

/** Orders of one farm by the start of an id, or part of the customer's or a product's name. */
function foundOnFarm(farmerId: string, search: string): Prisma.Sql {
  const pattern = `%${likeLiteral(search)}%`;
  const either = Prisma.sql`
    consumer_id IN (SELECT id FROM users WHERE name ILIKE ${pattern} AND deleted_at IS NULL)
    OR id IN (
      SELECT line.order_id FROM order_lines line JOIN orders own ON own.id = line.order_id
      WHERE own.farmer_id = ${farmerId}::uuid AND line.name ILIKE ${pattern})`;
  const range = idRange(search);
  return range
    ? Prisma.sql`(${either} OR id BETWEEN ${range[0]}::uuid AND ${range[1]}::uuid)`
    : Prisma.sql`(${either})`;
}

/** How a list of orders runs, and where in it a page ends. */
interface Sorting {
  by: (alias: string) => Prisma.Sql;
  placeOf: (order: Order) => (string | number)[];
  after: (cursor: string) => Prisma.Sql;
}

const newest: Sorting = {
  by: (alias) => Prisma.raw(`${alias}created_at DESC, ${alias}id DESC`),
  placeOf: (order) => [order.createdAt, order._id],
  after: (cursor) => {
    const [at, id] = decodeCursor(cursor, TimeCursor);
    return Prisma.sql`(created_at, id) < (${at}::timestamptz, ${id}::uuid)`;
  },
};

/** A cursor names its sort: the place of one sort means nothing in another. */
const SlotCursor = z.tuple([
  z.literal('slot'),
  WallDate.refine((day) => day >= '0001'),
  WallTime,
  z.uuid(),
]);

const bySlot: Sorting = {
  by: (alias) => Prisma.raw(`${alias}date, ${alias}time, ${alias}id`),
  placeOf: ({ _id, pickupDetails, deliveryDetails }) => {
    const { date = '', time = '' } = pickupDetails ?? deliveryDetails ?? {};
    return ['slot', date, time, _id];
  },
  after: (cursor) => {
    const [, date, time, id] = decodeCursor(cursor, SlotCursor);
    return Prisma.sql`(date, time, id) > (${date}::date, ${time}, ${id}::uuid)`;
  },
};

const SORTINGS: Record<ReceivedOrdersQuery['sort'], Sorting> = { newest, slot: bySlot };

async function readPage(
  platform: Platform,
  conditions: Prisma.Sql[],
  query: OrderListQuery,
  sorting: Sorting = newest,
): Promise<Page<Order>> {
  if (query.status) conditions.push(Prisma.sql`status = ${query.status}::"OrderStatus"`);
  if (query.cursor) conditions.push(sorting.after(query.cursor));
  const where = conditions.length > 0 ? Prisma.join(conditions, ' AND ') : Prisma.sql`true`;
  // The page is chosen from the bare orders: only what stands on it is read with all its parts.
  const rows = await platform.db.$queryRaw<{ row: OrderRow }[]>`
    SELECT ${ROW} AS row FROM ${SOURCE}
    WHERE o.id IN (
      SELECT id FROM orders WHERE ${where}
      ORDER BY ${sorting.by('')} LIMIT ${query.limit + 1}::int)
    ORDER BY ${sorting.by('o.')}`;
  const page = toPage(
    rows.map(({ row }) => presentOrder(row)),
    query.limit,
    sorting.placeOf,
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

/** The orders placed with a farm, newest first or by their day and time. */
export function listReceivedOrders(
  platform: Platform,
  farmerId: string,
  { search, date, sort, ...query }: ReceivedOrdersQuery,
): Promise<Page<Order>> {
  const conditions = [Prisma.sql`farmer_id = ${farmerId}::uuid`];
  if (search) conditions.push(foundOnFarm(farmerId, search));
  if (date) conditions.push(Prisma.sql`date = ${date}::date`);
  return readPage(platform, conditions, query, SORTINGS[sort]);
}

/** Every order, newest first; found by the start of an id or part of a customer's or farm's name. */
export const listAllOrders = (platform: Platform, query: AllOrdersQuery): Promise<Page<Order>> =>
  readPage(platform, query.search ? [foundBy(query.search)] : [], query);

/** One order. @throws 404 when it is unknown or not this user's to know of */
export async function getOrder(platform: Platform, id: string, user: SessionUser): Promise<Order> {
  const [row] = await readOrders(platform.db, [id]);
  if (!row || !canReadOrder(user, row)) throw notFound('Order not found');
  return presentOrder(row);
}
