import { z } from 'zod';
import { slotOf } from '#contract/farm/slots/constants/slot';
import type { Order, OrderListQuery, ReceivedOrdersQuery } from '#contract/ordering/orders/orders';
import { type Page, WallDate, WallTime } from '#contract/platform/http/http';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { decodeCursor, TimeCursor, toPage } from '../../platform/http/cursor.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { likeLiteral } from '../../platform/stores/postgres.ts';
import { idRange } from './id-range.ts';
import { canReadOrder } from './policy.ts';
import { ORDER_ROW, ORDER_SOURCE, type OrderRow, presentOrder, readOrders } from './present.ts';
import { presentProposal, proposalInclude } from './present-lines.ts';

const ROW = Prisma.raw(ORDER_ROW);
const SOURCE = Prisma.raw(ORDER_SOURCE);

/** How a list of orders is sorted, by columns that `orders` alone has, and where a page of it ends. */
export interface OrderSorting {
  by: Prisma.Sql;
  placeOf: (order: Order) => (string | number)[];
  after: (cursor: string) => Prisma.Sql;
}

const newestFirst: OrderSorting = {
  by: Prisma.sql`created_at DESC, id DESC`,
  placeOf: (order) => [order.createdAt, order._id],
  after: (cursor) => {
    const [at, id] = decodeCursor(cursor, TimeCursor);
    return Prisma.sql`(created_at, id) < (${at}::timestamptz, ${id}::uuid)`;
  },
};

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

/** A cursor names its sort: the place of one sort means nothing in another. */
const SlotCursor = z.tuple([
  z.literal('slot'),
  WallDate.refine((day) => day >= '0001'),
  WallTime,
  z.uuid(),
]);

const placeOfSlot: OrderSorting['placeOf'] = (order) => {
  const { date, time } = slotOf(order);
  return ['slot', date, time, order._id];
};

const bySlot: OrderSorting = {
  by: Prisma.sql`date, time, id`,
  placeOf: placeOfSlot,
  after: (cursor) => {
    const [, date, time, id] = decodeCursor(cursor, SlotCursor);
    return Prisma.sql`(date, time, id) > (${date}::date, ${time}, ${id}::uuid)`;
  },
};

/** By day and time from a day on; the days before it follow, the latest first. */
function bySlotFrom(firstDay: string): OrderSorting {
  const first = Prisma.sql`${firstDay}::date`;
  return {
    by: Prisma.sql`date < ${first}, abs(date - ${first}), time, id`,
    placeOf: placeOfSlot,
    after: (cursor) => {
      const [, day, time, id] = decodeCursor(cursor, SlotCursor);
      const date = Prisma.sql`${day}::date`;
      return Prisma.sql`(date < ${first}, abs(date - ${first}), time, id)
        > (${date} < ${first}, abs(${date} - ${first}), ${time}, ${id}::uuid)`;
    },
  };
}

function receivedSorting({ sort, firstDay }: ReceivedOrdersQuery): OrderSorting {
  if (sort === 'newest') return newestFirst;
  return firstDay === undefined ? bySlot : bySlotFrom(firstDay);
}

/** Reads one page of the orders that fulfil all conditions, newest first unless sorted otherwise. */
export async function readOrderPage(
  platform: Platform,
  conditions: Prisma.Sql[],
  query: OrderListQuery,
  sorting = newestFirst,
): Promise<Page<Order>> {
  if (query.status) conditions.push(Prisma.sql`status = ${query.status}::"OrderStatus"`);
  if (query.openChange) {
    conditions.push(Prisma.sql`id IN (SELECT order_id FROM order_proposals WHERE status = 'open')`);
  }
  if (query.cursor) conditions.push(sorting.after(query.cursor));
  const where = conditions.length > 0 ? Prisma.join(conditions, ' AND ') : Prisma.sql`true`;
  // The page is chosen from the bare orders: only what stands on it is read with all its parts.
  const rows = await platform.db.$queryRaw<{ row: OrderRow }[]>`
    SELECT ${ROW} AS row FROM ${SOURCE}
    JOIN (
      SELECT id, row_number() OVER (ORDER BY ${sorting.by}) AS place FROM orders WHERE ${where}
      ORDER BY ${sorting.by} LIMIT ${query.limit + 1}::int) AS page ON page.id = o.id
    ORDER BY page.place`;
  return toPage(
    rows.map(({ row }) => presentOrder(row)),
    query.limit,
    sorting.placeOf,
    (order) => order,
  );
}

/** The orders a consumer placed, newest first. */
export const listPlacedOrders = (
  platform: Platform,
  consumerId: string,
  query: OrderListQuery,
): Promise<Page<Order>> =>
  readOrderPage(platform, [Prisma.sql`consumer_id = ${consumerId}::uuid`], query);

/** The orders placed with a farm, newest first or by their day and time. */
export function listReceivedOrders(
  platform: Platform,
  farmerId: string,
  query: ReceivedOrdersQuery,
): Promise<Page<Order>> {
  const { search, date } = query;
  const conditions = [Prisma.sql`farmer_id = ${farmerId}::uuid`];
  if (search) conditions.push(foundOnFarm(farmerId, search));
  if (date) conditions.push(Prisma.sql`date = ${date}::date`);
  return readOrderPage(platform, conditions, query, receivedSorting(query));
}

/** One order, with all that the farm proposed to change of it. @throws 404 when it is unknown or not visible to this user */
export async function getOrder(
  { db }: { db: Database | Transaction },
  id: string,
  user: SessionUser,
): Promise<Order> {
  const [row] = await readOrders(db, [id]);
  if (!row || !canReadOrder(user, row)) throw notFound('Order not found');
  const proposals = await db.orderProposal.findMany({
    where: { orderId: id },
    include: proposalInclude,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  const order = presentOrder(row);
  return proposals.length === 0 ? order : { ...order, changes: proposals.map(presentProposal) };
}
