import { z } from 'zod';
import { slotOf } from '#contract/farm/slots/constants';
import type { SlotOrder } from '#contract/ordering/moves/moves';
import type { OrderSort } from '#contract/ordering/orders/constants';
import type { SlotEntry } from '#contract/ordering/orders/order-timeline';
import type {
  AllOrdersQuery,
  Order,
  OrderListQuery,
  ReceivedOrdersQuery,
} from '#contract/ordering/orders/orders';
import { type ListQuery, type Page, WallDate, WallTime } from '#contract/platform/http/http';
import { theMarket } from '#contract/platform/market/constants';
import { toMinor } from '#contract/platform/money/constants';
import { STANDING_STATUSES } from '#contract/platform/orders/constants';
import { reasonOf } from '#contract/platform/orders/constants/causes';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { CursorTime, decodeCursor, TimeCursor, toPage } from '../../platform/http/cursor.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { hasWords, orHasPhone, sqlList, withinDays } from '../../platform/stores/sql.ts';
import { canReadOrder } from './policy.ts';
import { ORDER_ROW, ORDER_SOURCE, type OrderRow, presentOrder, readOrders } from './present.ts';
import { presentProposal, proposalInclude } from './present-lines.ts';

const ROW = Prisma.raw(ORDER_ROW);
const SOURCE = Prisma.raw(ORDER_SOURCE);

/** How a list of orders is sorted, by columns that `orders` alone has, and where a page of it ends. */
interface OrderSorting {
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

/** The names of a person, a line and a farm, as they are searched. */
const PERSON_NAME = Prisma.sql`search_name`;
const LINE_NAME = Prisma.sql`search_form(line.name)`;
const FARM_NAME = Prisma.sql`search_form(farm_name)`;

/** Orders of one farm by the start of an id, or the customer's name or phone number, or a product's name. */
function foundOnFarm(farmerId: string, search: string): Prisma.Sql {
  const either = Prisma.sql`
    consumer_id IN (SELECT id FROM users
      WHERE (${hasWords(search, PERSON_NAME)} ${orHasPhone(search)}) AND deleted_at IS NULL)
    OR id IN (
      SELECT line.order_id FROM order_lines line JOIN orders own ON own.id = line.order_id
      WHERE own.farmer_id = ${farmerId}::uuid AND ${hasWords(search, LINE_NAME)})`;
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
async function readOrderPage(
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

/**
 * One order, with all that the farm proposed to change of it. @throws 404 when it is unknown or not visible to this
 * user
 */
export async function getOrder(
  { db }: { db: Database | Transaction },
  id: string,
  user: SessionUser,
): Promise<Order> {
  const [row] = await readOrders(db, [id]);
  if (!row || !canReadOrder(user, row)) throw notFound(msg('Order not found'));
  const proposals = await db.orderProposal.findMany({
    where: { orderId: id },
    include: proposalInclude,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  const order = presentOrder(row);
  return proposals.length === 0 ? order : { ...order, changes: proposals.map(presentProposal) };
}

/** The start of an id as it is typed or copied: hexadecimal, with or without its dashes and `#`. */
const ID_START = /^#?[0-9a-f-]{1,36}$/i;

/** Returns the lowest and the highest id that begin so, or null: a range can use the index where a text cannot. */
function idRange(start: string): [string, string] | null {
  const digits = start.replace(/[#-]/g, '').toLowerCase();
  if (!ID_START.test(start) || digits.length === 0 || digits.length > 32) return null;
  const withDashes = (hex: string) =>
    hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return [withDashes(digits.padEnd(32, '0')), withDashes(digits.padEnd(32, 'f'))];
}

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
  const range = idRange(search);
  const names = search.includes('@')
    ? [PERSON_NAME, Prisma.sql`search_form(email)`]
    : [PERSON_NAME];
  const byId = range
    ? Prisma.sql`UNION ALL SELECT id FROM orders
        WHERE id BETWEEN ${range[0]}::uuid AND ${range[1]}::uuid`
    : Prisma.empty;
  return Prisma.sql`id IN (
    WITH people AS MATERIALIZED (
      SELECT id FROM users WHERE ${hasWords(search, ...names)} ${orHasPhone(search)}
      UNION SELECT user_id FROM farmer_profiles WHERE ${hasWords(search, FARM_NAME)})
    SELECT o.id FROM people JOIN orders o ON o.consumer_id = people.id
    UNION ALL SELECT o.id FROM people JOIN orders o ON o.farmer_id = people.id
    UNION ALL SELECT line.order_id FROM order_lines line WHERE ${hasWords(search, LINE_NAME)}
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

/**
 * Lists the orders that take room in a slot, newest first, and whether consumers have seen that the farm moved
 * theirs.
 * @throws 404 not a slot of this farm
 */
export async function listSlotOrders(
  platform: Platform,
  farmId: string,
  slotId: string,
  query: ListQuery,
): Promise<Page<SlotOrder>> {
  const slot = await platform.db.slot.findFirst({
    where: { id: slotId, farmId },
    select: { id: true },
  });
  if (!slot) throw notFound(msg('Slot not found'));
  const { items, nextCursor } = await readOrderPage(
    platform,
    [
      Prisma.sql`slot_id = ${slotId}::uuid`,
      Prisma.sql`status IN (${Prisma.raw(sqlList(STANDING_STATUSES))})`,
    ],
    query,
  );
  const moves = items.flatMap((order) => moveByFarm(order) ?? []);
  const read = await platform.db.notification.findMany({
    where: { key: { in: moves.map(({ key }) => key) }, readAt: { not: null } },
    select: { key: true, userId: true },
  });
  const keys = new Set(read.map(({ key, userId }) => `${key} ${userId}`));
  return {
    items: items.map((order) => {
      const move = moveByFarm(order);
      return {
        order,
        moved: move
          ? {
              at: move.entry.at,
              reason: reasonOf(move.entry) ?? '',
              isRead: keys.has(`${move.key} ${order.consumer._id}`),
            }
          : null,
      };
    }),
    nextCursor,
  };
}

/** Returns the farm's last move of an order and the key of the consumer's notification; nothing if none counts. */
function moveByFarm(order: Order): { entry: SlotEntry; key: string } | undefined {
  const entry = order.timeline.findLast((each) => each.kind === 'slot' && each.detail.after);
  if (entry?.kind !== 'slot' || entry.by._id === order.consumer._id) return undefined;
  return { entry, key: `order.slotMoved:${order._id}:${entry.sequence}` };
}
