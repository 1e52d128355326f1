import { PICK_PAGE } from '#contract/ordering/picklist/constants';
import {
  byTickedGoods,
  changesOf,
  countOf,
  totalsOf,
} from '#contract/ordering/picklist/pick-summary';
import type {
  PickChange,
  PickDay,
  PickDaysQuery,
  Picklist,
  PicklistQuery,
  PickOrder,
} from '#contract/ordering/picklist/picklist';
import type { ListQuery, Page } from '#contract/platform/http/http';
import { STANDING_STATUSES } from '#contract/platform/orders/constants';
import { addDays } from '#contract/platform/time/constants';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { sqlList } from '../../platform/stores/sql.ts';
import { readClock } from '../../platform/time/clock.ts';
import {
  type IndexedOrder,
  readIndex,
  readOrdersOf,
  readPage,
  type Scope,
  scopeOf,
  whereScope,
} from './orders.ts';
import { byInclude, type PrintRow, presentPrint, presentTick } from './present.ts';

/** Reads the last print of a list; null where it was never printed. */
export const readLastPrint = (db: Database | Transaction, scope: Scope): Promise<PrintRow | null> =>
  db.pickPrint.findFirst({
    where: whereScope(scope),
    include: byInclude,
    orderBy: { number: 'desc' },
  });

/**
 * Returns what to harvest and pack for a day at one place or all, and what changed since the last print.
 * @throws 404 not a place of the farm
 */
export async function getPicklist(
  { db }: Platform,
  farmId: string,
  query: PicklistQuery,
): Promise<Picklist> {
  const scope = await scopeOf(db, farmId, query);
  const [print, ticks] = await Promise.all([
    readLastPrint(db, scope),
    db.pickTick.findMany({ where: whereScope(scope), include: byInclude }),
  ]);
  // Both at once: the sums of thousands of lines take as long as a page of orders with all that they show.
  const [index, page] = await Promise.all([
    readIndex(db, scope, print),
    readPage(db, scope, print, { limit: PICK_PAGE }),
  ]);
  const presented = ticks.map(presentTick).sort(byTickedGoods);
  return {
    date: scope.date,
    place: scope.place,
    products: totalsOf(index, presented, scope, print !== null),
    orders: page.items,
    nextCursor: page.nextCursor,
    ticks: presented,
    print: print && presentPrint(print),
    changes: print ? await readChanges(db, scope, print, { index, known: page.items }) : [],
  };
}

/** Reads what changed of a list since its last print; of its orders those that are not known yet. */
async function readChanges(
  db: Database | Transaction,
  scope: Scope,
  print: Pick<PrintRow, 'id'>,
  { index, known }: { index: readonly IndexedOrder[]; known: readonly PickOrder[] },
): Promise<PickChange[]> {
  const shown = new Set(known.map(({ _id }) => _id));
  const changed = index.filter((order) => {
    const counts = countOf(order, scope) === 'counted';
    return order.lines.some(({ quantity, printed }) => (counts ? quantity : 0) !== printed);
  });
  const ids = changed.map(({ _id }) => _id).filter((id) => !shown.has(id));
  return changesOf([...known, ...(await readOrdersOf(db, scope, print, ids))], scope);
}

/**
 * Lists the orders of a pick list page by page, by time, place and customer.
 * @throws 400 not a cursor of this list, 404 not a place of the farm
 */
export async function listPickOrders(
  { db }: Platform,
  farmId: string,
  query: PicklistQuery & ListQuery,
): Promise<Page<PickOrder>> {
  const scope = await scopeOf(db, farmId, query);
  return readPage(db, scope, await readLastPrint(db, scope), query);
}

/** The days that are listed where no range is asked for: as far as slots are made ahead. */
const DAYS_AHEAD = 60;
const DAYS_BACK = 7;

/**
 * Lists the days of a range that have orders to pick, both ends included; without a range those around today. With a
 * product only open orders count, and of them those that have it.
 */
export async function listPickDays(
  { db }: Platform,
  farmId: string,
  { from, to, product }: PickDaysQuery,
): Promise<PickDay[]> {
  const today = (await readClock(db)).toISOString().slice(0, 10);
  return db.$queryRawUnsafe<PickDay[]>(
    `SELECT to_char(date, 'YYYY-MM-DD') AS date,
       count(*) FILTER (WHERE status <> 'pending')::int AS orders,
       count(*) FILTER (WHERE status = 'pending')::int AS pending
     FROM orders WHERE farmer_id = $1::uuid AND status IN (${sqlList(STANDING_STATUSES)})
       AND date BETWEEN $2::date AND $3::date
       AND ($4::uuid IS NULL OR status <> 'completed' AND EXISTS (
         SELECT FROM order_lines line
         WHERE line.order_id = orders.id AND line.product_id = $4::uuid AND line.quantity_milli > 0))
     GROUP BY 1 ORDER BY 1`,
    farmId,
    from ?? addDays(to ?? today, from === undefined && to === undefined ? -DAYS_BACK : -DAYS_AHEAD),
    to ?? addDays(from ?? today, DAYS_AHEAD),
    product ?? null,
  );
}

/** Changes of one list that nobody has seen. */
export interface UnseenChanges extends Scope {
  placeName: string | null;
  print: { id: string; number: number };
  /** The latest first. */
  changes: PickChange[];
}

/**
 * Reads what nobody has seen of the lists that an order is on, or was when they were last printed. A list whose last
 * handover is over is left out.
 */
export async function readUnseen(tx: Transaction, orderId: string): Promise<UnseenChanges[]> {
  const ids = await tx.$queryRawUnsafe<{ id: string }[]>(
    `SELECT DISTINCT ON (print.date, print.place_id) print.id
     FROM pick_prints print JOIN orders o ON o.farmer_id = print.farm_id
     WHERE o.id = $1::uuid AND (
       (print.date = o.date AND (print.place_id IS NULL OR print.place_id = o.place_id))
       OR EXISTS (
         SELECT FROM pick_prints any_print
         JOIN pick_print_lines printed ON printed.print_id = any_print.id
         JOIN order_lines line ON line.id = printed.line_id
         WHERE any_print.farm_id = print.farm_id AND any_print.date = print.date
           AND any_print.place_id IS NOT DISTINCT FROM print.place_id AND line.order_id = o.id))
       AND print.date >= (clock_timestamp() - interval '1 day')::date
     ORDER BY print.date, print.place_id, print.number DESC`,
    orderId,
  );
  const lists: UnseenChanges[] = [];
  for (const { id } of ids) {
    const print = await tx.pickPrint.findUniqueOrThrow({
      where: { id },
      include: { place: { select: { name: true } } },
    });
    const scope = {
      farmId: print.farmId,
      date: print.date.toISOString().slice(0, 10),
      place: print.placeId,
    };
    const index = await readIndex(tx, scope, print);
    const all = await readChanges(tx, scope, print, { index, known: [] });
    const changes = all.filter(({ seen }) => !seen);
    if (changes.length === 0) continue;
    const { number, place } = print;
    lists.push({ ...scope, placeName: place?.name ?? null, print: { id, number }, changes });
  }
  return lists;
}
