import {
  byName,
  bySize,
  type PickScope,
  type SummedLine,
  type SummedOrder,
  sumsOf,
  totalsOf,
} from '#contract/ordering/picklist/pick-summary';
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
import {
  BY_GOODS,
  byInclude,
  GOODS,
  type GoodsRow,
  presentGoods,
  presentPrint,
} from './present.ts';

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

/** Reads the lines of a print, each product and size once. */
async function readPrintedLines(
  db: Database | Transaction,
  printId: string,
): Promise<(Omit<SummedLine, 'quantity' | 'printed'> & { milli: number })[]> {
  const rows = await db.$queryRawUnsafe<(GoodsRow & { milli: bigint })[]>(
    `SELECT ${GOODS}, sum(printed.quantity_milli)::bigint AS milli
     FROM pick_print_lines printed JOIN order_lines line ON line.id = printed.line_id
     WHERE printed.print_id = $1::uuid GROUP BY ${BY_GOODS}
     ORDER BY line.name, line.product_id, line.unit`,
    printId,
  );
  return rows.map((row) => ({ ...presentGoods(row), milli: Number(row.milli) }));
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
  const scope = { date: date.toISOString().slice(0, 10), place: placeId };
  const lines = (await readPrintedLines(db, id)).map(({ milli, ...line }) => ({
    ...line,
    quantity: fromMilli(milli),
    printed: 0,
  }));
  const linesBefore = before ? await readPrintedLines(db, before.id) : [];
  // As if all of it were one order.
  const orderOf = (all: readonly SummedLine[]) => [
    { status: 'accepted' as const, date: scope.date, placeId, lines: [...all] },
  ];
  return {
    ...presentPrint(row),
    ...scope,
    products: totalsOf(orderOf(lines), [], scope, false).map(
      ({ product, isByPiece, quantity, sizes }) => ({
        ...{ product, isByPiece, quantity },
        ...(sizes
          ? { sizes: sizes.map(({ size, quantity: pieces }) => ({ size, quantity: pieces })) }
          : {}),
      }),
    ),
    sinceLast: before
      ? differencesOf(
          orderOf([
            ...lines,
            ...linesBefore.map(({ milli, ...line }) => ({
              ...line,
              quantity: 0,
              printed: fromMilli(milli),
            })),
          ]),
          scope,
        )
      : [],
  };
}

/** Returns how goods differ from those of the print before, by name; what is gone comes last. */
const differencesOf = (
  orders: readonly SummedOrder[],
  scope: PickScope,
): PrintedPicklist['sinceLast'] =>
  [...sumsOf(orders, scope).values()]
    .map(({ line, countedMilli, printedMilli }) => ({
      isGone: countedMilli === 0,
      change: {
        product: line.product,
        isByPiece: line.pieceWeight !== undefined,
        ...(line.size ? { size: line.size } : {}),
        delta: fromMilli(countedMilli - printedMilli),
      },
    }))
    .filter(({ change }) => change.delta !== 0)
    .sort(
      (a, b) =>
        Number(a.isGone) - Number(b.isGone) ||
        byName(a.change, b.change) ||
        bySize(a.change.size, b.change.size),
    )
    .map(({ change }) => change);
