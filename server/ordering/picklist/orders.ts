import { z } from 'zod';
import { PICK_PAGE } from '#contract/ordering/picklist/constants';
import { byHandover, isListed, type SummedOrder } from '#contract/ordering/picklist/pick-summary';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { DELETED_USER_NAME } from '#contract/people/users/constants';
import type { ListQuery, Page } from '#contract/platform/http/http';
import { STANDING_STATUSES } from '#contract/platform/orders/constants';
import { fromMilli } from '#contract/platform/quantities/constants/quantities';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { presentContact } from '../../people/users/present.ts';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.ts';
import { notFound } from '../../platform/http/errors.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { lockName } from '../../platform/stores/postgres.ts';
import { sqlList } from '../../platform/stores/sql.ts';
import { ORDER_SOURCE } from '../model/present.ts';
import {
  BY_GOODS,
  GOODS,
  type GoodsRow,
  type PickRow,
  type PrintRow,
  pickColumns,
  presentGoods,
  presentPickOrder,
} from './present.ts';

/** Which list: of a farm's day, at one place or (null) of all. */
export interface Scope {
  farmId: string;
  date: string;
  place: string | null;
}

/** Returns the list of a request. @throws 404 not a place of the farm; one that was removed still has its lists */
export async function scopeOf(
  db: Database | Transaction,
  farmId: string,
  { date, place }: { date: string; place?: string | undefined },
): Promise<Scope> {
  if (place !== undefined) {
    const found = await db.place.findFirst({ where: { id: place, farmId }, select: { id: true } });
    if (!found) throw notFound(msg('Place not found'));
  }
  return { farmId, date, place: place ?? null };
}

/** Returns the Prisma `where` of the rows of a list. */
export const whereScope = ({ farmId, date, place }: Scope) => ({
  farmId,
  date: new Date(date),
  placeId: place,
});

/**
 * Locks a list of the caller's farm: the transactions that print or tick one run one after the other.
 * @throws 401 the account was just deleted, 403 not within the caller's role, 404 not a place of the farm
 */
export async function lockList(
  tx: Transaction,
  user: SessionUser,
  body: { date: string; place?: string | undefined },
): Promise<Scope> {
  await lockWorker(tx, user);
  const scope = await scopeOf(tx, actingFarm(user), body);
  await lockName(tx, `picklist:${scope.farmId}:${scope.date}:${scope.place ?? ''}`);
  return scope;
}

/** Returns a list as events name it. */
export const scopeFields = ({ date, place }: Scope) => ({
  date,
  ...(place === null ? {} : { place }),
});

// What a list is read from: $1 the farm, $2 the day, $3 the place or null, $4 the last print or null.

type Print = Pick<PrintRow, 'id'> | null;

export const listValues = ({ farmId, date, place }: Scope, print: Print) =>
  [farmId, date, place, print?.id ?? null] as const;

/** Orders `o` of a list's day and place. */
export const OF_LIST = `o.farmer_id = $1::uuid AND o.date = $2::date
  AND ($3::uuid IS NULL OR o.place_id = $3::uuid)`;
/** Orders `o` whose lines count. */
export const IS_COUNTED = `o.status IN ('accepted', 'completed')`;

/** The ids of the orders of a list: those of its day and place, and those that only the print has. */
const IDS = `printed AS MATERIALIZED (
    SELECT line_id, quantity_milli FROM pick_print_lines WHERE print_id = $4::uuid
  ), ids AS MATERIALIZED (
    SELECT o.id FROM orders o WHERE ${OF_LIST} AND o.status IN (${sqlList(STANDING_STATUSES)})
    UNION
    SELECT line.order_id FROM printed JOIN order_lines line ON line.id = printed.line_id
  )`;

/** What pages of orders `o` of customers `consumer` are sorted by; whoever has them all sorts them by `byHandover`. */
const PLACE_IN_LIST = `o.time COLLATE "C",
  CASE WHEN NOT o.is_pickup THEN '' WHEN o.end_time IS NOT NULL THEN o.place_name
    ELSE o.pickup_location END COLLATE "by_name",
  CASE WHEN consumer.deleted_at IS NULL THEN consumer.name ELSE '${DELETED_USER_NAME}' END COLLATE "by_name",
  o.id`;

// Lines by goods, in columns: a row of each line would take several times as long to make and to read.
const READ_INDEX = `WITH ${IDS}, chosen AS MATERIALIZED (
    SELECT row_number() OVER (ORDER BY ${PLACE_IN_LIST}) - 1 AS nth,
      o.id, o.status, o.date, CASE WHEN o.is_pickup AND o.end_time IS NOT NULL THEN o.place_id END AS place_id
    FROM ids JOIN orders o ON o.id = ids.id JOIN users consumer ON consumer.id = o.consumer_id
  ), goods AS (
    SELECT ${GOODS}, array_agg(chosen.nth) AS orders, array_agg(line.position) AS positions,
      array_agg(line.quantity_milli) AS quantities,
      array_agg(COALESCE(printed.quantity_milli, 0)) AS printed
    FROM chosen JOIN order_lines line ON line.order_id = chosen.id
    LEFT JOIN printed ON printed.line_id = line.id
    GROUP BY ${BY_GOODS}
  )
  SELECT json_build_object(
    'orders', (SELECT COALESCE(json_agg(json_build_array(id, status, date, place_id) ORDER BY nth), '[]')
      FROM chosen),
    'goods', (SELECT COALESCE(json_agg(goods), '[]') FROM goods)) AS index`;

interface IndexRow {
  orders: [id: string, status: PickOrder['status'], date: string, placeId: string | null][];
  goods: (GoodsRow & {
    orders: number[];
    positions: number[];
    quantities: number[];
    printed: number[];
  })[];
}

/** An order of a list with what sums need of it. */
export interface IndexedOrder extends SummedOrder {
  _id: string;
}

/** Reads all orders of a list, by time, place and customer, with what sums need of them. */
export async function readIndex(
  db: Database | Transaction,
  scope: Scope,
  print: Print,
): Promise<IndexedOrder[]> {
  const [row] = await db.$queryRawUnsafe<[{ index: IndexRow }]>(
    READ_INDEX,
    ...listValues(scope, print),
  );
  const { orders, goods } = row.index;
  /** Of each order its lines, each at its position: some positions are empty. */
  const lines = orders.map((): SummedOrder['lines'][number][] => []);
  for (const { orders: nths, positions, quantities, printed, ...named } of goods) {
    const line = presentGoods(named);
    for (const [index, nth] of nths.entries()) {
      const at = lines[nth];
      if (!at) continue;
      at[positions[index] ?? 0] = {
        ...line,
        quantity: fromMilli(quantities[index] ?? 0),
        printed: fromMilli(printed[index] ?? 0),
      };
    }
  }
  return orders.map(([_id, status, day, placeId], nth) => ({
    _id,
    status,
    date: day,
    placeId,
    // Without the empty positions.
    lines: (lines[nth] ?? []).flat(),
  }));
}

const READ_ORDERS = `SELECT ${pickColumns({ date: '$2', place: '$3', print: '$4' })}
  FROM ${ORDER_SOURCE}
  WHERE o.id = ANY ($5::uuid[]) AND o.farmer_id = $1::uuid`;

/** Reads orders of a list by their ids, by time, place and customer; those that have left it since are not returned. */
export const readOrdersOf = async (
  db: Database | Transaction,
  scope: Scope,
  print: Print,
  ids: readonly string[],
): Promise<PickOrder[]> =>
  (await readRowsOf(db, scope, print, ids)).map(presentPickOrder).sort(byHandover);

/** An order as it is handed over. */
export interface HandoverOrder extends PickOrder {
  /** The customer's; empty without one. */
  phone: string;
}

/** Reads orders as {@link readOrdersOf} does, with how their customers are reached. */
export const readHandoversOf = async (
  db: Database | Transaction,
  scope: Scope,
  print: Print,
  ids: readonly string[],
): Promise<HandoverOrder[]> =>
  (await readRowsOf(db, scope, print, ids))
    .map((row) => ({
      ...presentPickOrder(row),
      phone: presentContact(row.order.consumer).phone,
    }))
    .sort(byHandover);

async function readRowsOf(
  db: Database | Transaction,
  scope: Scope,
  print: Print,
  ids: readonly string[],
): Promise<PickRow[]> {
  if (ids.length === 0) return [];
  const rows = await db.$queryRawUnsafe<PickRow[]>(READ_ORDERS, ...listValues(scope, print), ids);
  return rows.filter((row) => isListed(presentPickOrder(row), scope));
}

const Cursor = z.tuple([z.string(), z.string(), z.string(), z.uuid()]);

/** Returns the cursor of the orders behind this one. */
const cursorAfter = ({ time, place, customer, _id }: PickOrder): string =>
  encodeCursor([time, place ?? '', customer.name, _id]);

const READ_PAGE = `WITH ${IDS}
  SELECT o.id FROM ids JOIN orders o ON o.id = ids.id JOIN users consumer ON consumer.id = o.consumer_id
  WHERE $5::text IS NULL
    OR (${PLACE_IN_LIST}) > ($5::text COLLATE "C", $6, $7, $8::uuid)
  ORDER BY ${PLACE_IN_LIST} LIMIT $9::int`;

/**
 * Reads a page of the orders of a list, by time, place and customer.
 * @throws 400 not a cursor of this list
 */
export async function readPage(
  db: Database,
  scope: Scope,
  print: Print,
  { cursor, limit }: ListQuery,
): Promise<Page<PickOrder>> {
  const after = cursor === undefined ? [null, null, null, null] : decodeCursor(cursor, Cursor);
  const most = Math.min(limit, PICK_PAGE);
  const rows = await db.$queryRawUnsafe<{ id: string }[]>(
    READ_PAGE,
    ...listValues(scope, print),
    ...after,
    most + 1,
  );
  const ids = rows.slice(0, most).map(({ id }) => id);
  const items = await readOrdersOf(db, scope, print, ids);
  const known = new Map(items.map((order) => [order._id, order]));
  const last = known.get(ids.findLast((id) => known.has(id)) ?? '');
  return { items, nextCursor: rows.length > most && last ? cursorAfter(last) : null };
}
