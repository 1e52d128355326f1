import { z } from 'zod';
import type { LotLine, LotQuery } from '#contract/ordering/lots/lots';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import { type Page, WallDate } from '#contract/platform/http/http';
import { formatCounted, nameWithSize } from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { t } from '#contract/platform/text/constants/texts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { type ContactRow, presentContact } from '../../people/users/present.ts';
import { columnsOf, toCsv } from '../../platform/http/csv.ts';
import { decodeCursor, toPage } from '../../platform/http/cursor.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { inLanguageOf } from '../../platform/market/readers.ts';
import { actingFarm } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { contactRow } from '../model/present.ts';
import { type LineRow, lineRow, presentLine } from '../model/present-lines.ts';

const LINE = Prisma.raw(lineRow('line'));
const CUSTOMER = Prisma.raw(contactRow('consumer'));

interface Row {
  orderId: string;
  status: OrderStatus;
  date: string;
  customer: ContactRow;
  line: LineRow;
}

const LotCursor = z.tuple([WallDate.refine((day) => day >= '0001'), z.uuid()]);

/**
 * Returns who got goods of a lot of the caller's farm, the latest handover first: whatever case the lot is written in,
 * and whether or not the order is completed.
 * @throws 403 who works for no farm
 */
export async function listLot(
  { db }: Platform,
  user: SessionUser,
  { lot, limit, cursor }: LotQuery,
): Promise<Page<LotLine>> {
  const [date, id] = cursor ? decodeCursor(cursor, LotCursor) : [];
  const after =
    date === undefined
      ? Prisma.empty
      : Prisma.sql`AND (o.date, line.id) < (${date}::date, ${id}::uuid)`;
  const rows = await db.$queryRaw<Row[]>`
    SELECT o.id AS "orderId", o.status, o.date::text AS date, ${CUSTOMER} AS customer, ${LINE} AS line
    FROM order_lines line
    JOIN orders o ON o.id = line.order_id
    JOIN users consumer ON consumer.id = o.consumer_id
    WHERE lower(line.lot) = lower(${lot}) AND line.quantity_milli > 0
      AND o.farmer_id = ${actingFarm(user)}::uuid AND o.status IN ('accepted', 'completed') ${after}
    ORDER BY o.date DESC, line.id DESC LIMIT ${limit + 1}::int`;
  return toPage(rows, limit, (row) => [row.date, row.line.id], presentLotLine);
}

function presentLotLine({ orderId, status, date, customer, line }: Row): LotLine {
  const { product, size, pieceWeight, quantity, packed, lot = '' } = presentLine(line);
  return {
    ...{ _id: line.id, orderId, status, date, customer: presentContact(customer), product },
    ...(size && { size }),
    ...(pieceWeight && { pieceWeight }),
    quantity,
    ...(packed === undefined ? {} : { packed }),
    lot,
  };
}

const line = columnsOf<LotLine>();
const COLUMNS = [
  line.text(
    () => t('Lot'),
    ({ lot }) => lot,
  ),
  line.wall(
    () => t('Date'),
    ({ date }) => date,
  ),
  line.text(
    () => t('Customer'),
    ({ customer }) => customer.name,
  ),
  line.text(
    () => t('Customer email'),
    ({ customer }) => customer.email,
  ),
  line.phone(
    () => t('Customer phone'),
    ({ customer }) => customer.phone,
  ),
  line.text(
    () => t('Product'),
    ({ product, size }) => nameWithSize(product.name, size),
  ),
  line.text(
    () => t('Quantity'),
    ({ quantity, product, ...goods }) => formatCounted(quantity, { ...product, ...goods }),
  ),
  line.text(
    () => t('Weight'),
    ({ packed, product }) => (packed === undefined ? null : formatQuantity(packed, product.unit)),
  ),
  line.text(
    () => t('Order'),
    ({ orderId }) => orderId,
  ),
];

/** Returns a part of {@link listLot} as CSV, the first with headings. */
export async function exportLot(platform: Platform, user: SessionUser, query: LotQuery) {
  const { items, nextCursor } = await listLot(platform, user, query);
  return inLanguageOf(user.language, async () => ({
    csv: toCsv(COLUMNS, items, { hasHeadings: query.cursor === undefined }),
    rows: items.length,
    nextCursor,
  }));
}
