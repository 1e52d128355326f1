import { byName, goodsKeyOf } from '#contract/ordering/picklist/pick-summary';
import type {
  PicklistQuery,
  PickPrint,
  PrintedPicklist,
} from '#contract/ordering/picklist/picklist';
import { room } from '#contract/platform/events/constants';
import { fromMilli } from '#contract/platform/quantities/constants/quantities';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { resolveListAttentions } from '../attention/resolve.ts';
import { IS_COUNTED, lockList, OF_LIST, scopeFields } from './orders.ts';
import { byInclude, GOODS, type GoodsRow, presentGoods, presentPrint } from './present.ts';

// One statement, so that the lines and the log's number are of one moment, whatever is ordered at the same time. $4 who
// prints.
const WRITE_PRINT = `WITH number AS (
    SELECT COALESCE(max(number), 0) + 1 AS next FROM pick_prints
    WHERE farm_id = $1::uuid AND date = $2::date AND place_id IS NOT DISTINCT FROM $3::uuid
  ), print AS (
    INSERT INTO pick_prints (farm_id, date, place_id, number, by_id, at, seq)
    SELECT $1::uuid, $2::date, $3::uuid, number.next, $4::uuid, clock_timestamp(), head.seq
    FROM number, event_log_head head
    RETURNING id
  ), lines AS (
    INSERT INTO pick_print_lines (print_id, line_id, quantity_milli)
    SELECT print.id, line.id, line.quantity_milli
    FROM print, orders o JOIN order_lines line ON line.order_id = o.id
    WHERE ${OF_LIST} AND ${IS_COUNTED} AND line.quantity_milli > 0
  )
  SELECT print.id, counted.orders::int, counted.versions::int
  FROM print, (SELECT count(*) AS orders, COALESCE(sum(o.version), 0) AS versions
    FROM orders o WHERE ${OF_LIST} AND ${IS_COUNTED}) AS counted`;

/**
 * Numbers and keeps a print of a list as it is at this moment; changes count from it on.
 * @throws 401 the account was just deleted, 404 not a place of the farm
 */
export async function printPicklist(
  platform: Platform,
  user: SessionUser,
  body: PicklistQuery,
): Promise<PickPrint> {
  return transact(platform.db, async (tx) => {
    const scope = await lockList(tx, user, body);
    const { farmId, date, place } = scope;
    const values = [farmId, date, place, user.id];
    const [written] = await tx.$queryRawUnsafe<[{ id: string; orders: number; versions: number }]>(
      WRITE_PRINT,
      ...values,
    );
    const row = await tx.pickPrint.findUniqueOrThrow({
      where: { id: written.id },
      include: byInclude,
    });
    const print = presentPrint(row);
    await resolveListAttentions(tx, 'printed', scope);
    await record(tx, {
      name: 'picklist.printed',
      data: {
        ...print,
        ...scopeFields(scope),
        farmId,
        orderCount: written.orders,
        versionSum: written.versions,
      },
      rooms: [room.farm(farmId)],
    });
    return print;
  });
}

/** Goods of a print, with how much of them was on it. */
type PrintedGoods = PrintedPicklist['products'][number];

interface KeyedGoods extends PrintedGoods {
  milli: number;
}

/** Reads the goods of a print by name, each product and unit once, by their key. */
async function readPrintedGoods(
  db: Database | Transaction,
  printId: string,
): Promise<Map<string, KeyedGoods>> {
  const rows = await db.$queryRawUnsafe<(GoodsRow & { milli: bigint })[]>(
    `SELECT ${GOODS}, sum(printed.quantity_milli)::bigint AS milli
     FROM pick_print_lines printed JOIN order_lines line ON line.id = printed.line_id
     WHERE printed.print_id = $1::uuid GROUP BY 1, 2, 3, 4, 5
     ORDER BY line.name, line.product_id, line.unit`,
    printId,
  );
  const sums = new Map<string, KeyedGoods>();
  for (const row of rows) {
    const key = goodsKeyOf({ product: presentGoods(row), isByPiece: row.isByPiece });
    const known = sums.get(key);
    const milli = (known?.milli ?? 0) + Number(row.milli);
    const product = known?.product ?? presentGoods(row);
    sums.set(key, { product, isByPiece: row.isByPiece, milli, quantity: fromMilli(milli) });
  }
  return new Map([...sums].sort(([, one], [, other]) => byName(one, other)));
}

/**
 * Returns a print as it was.
 * @throws 404 not a print of the farm
 */
export async function getPrint(
  { db }: Platform,
  farmId: string,
  id: string,
): Promise<PrintedPicklist> {
  const row = await db.pickPrint.findFirst({ where: { id, farmId }, include: byInclude });
  if (!row) throw notFound(msg('Print not found'));
  const { date, placeId, number } = row;
  const before = await db.pickPrint.findFirst({
    where: { farmId, date, placeId, number: number - 1 },
    select: { id: true },
  });
  const goods = await readPrintedGoods(db, id);
  return {
    ...presentPrint(row),
    date: date.toISOString().slice(0, 10),
    place: placeId,
    products: [...goods.values()].map(({ milli: _, ...printed }) => printed),
    sinceLast: before ? differenceOf(await readPrintedGoods(db, before.id), goods) : [],
  };
}

/** Returns how goods differ from those of the print before; what is gone comes last. */
function differenceOf(
  before: ReadonlyMap<string, KeyedGoods>,
  after: ReadonlyMap<string, KeyedGoods>,
): PrintedPicklist['sinceLast'] {
  return [...new Map([...after, ...before])].flatMap(([key, { product, isByPiece }]) => {
    const delta = (after.get(key)?.milli ?? 0) - (before.get(key)?.milli ?? 0);
    return delta === 0 ? [] : [{ product, isByPiece, delta: fromMilli(delta) }];
  });
}
