import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { IMPORT_COLUMNS } from '#contract/catalogue/imports/constants';
import { theMarket } from '#contract/platform/market/constants';
import { marketFileName } from '#contract/platform/text/constants/formats';
import { dayIn } from '#contract/platform/time/constants';
import type { Database } from '../../../prisma/client.ts';
import { toCsv } from '../../platform/http/csv.ts';
import { fileColumn, rowsOf } from './cells.ts';
import { readGoods } from './read-goods.ts';

const COLUMNS = IMPORT_COLUMNS.map(fileColumn);
/** Programs for tables read UTF-8 with this mark alone. */
const MARK = '\ufeff';
/** How many products are written at once. */
const PART = 500;

/** Returns a farm's products as CSV, the oldest first, piece by piece. */
export async function* writeFile(db: Database, farmId: string): AsyncGenerator<string> {
  const ids = await db.product.findMany({
    where: { farmerId: farmId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true },
  });
  yield MARK + toCsv(COLUMNS, [], { hasHeadings: true });
  for (let start = 0; start < ids.length; start += PART) {
    const part = ids.slice(start, start + PART).map(({ id }) => id);
    const goods = [...(await readGoods(db, farmId, part)).values()];
    const rows = goods.flatMap(({ product }) => rowsOf(product));
    yield toCsv(COLUMNS, rows, { hasHeadings: false });
  }
}

/** Answers the farm's products as a file. */
export async function sendFile(db: Database, farmId: string, ctx: Context): Promise<void> {
  ctx.attachment(marketFileName(`products-${dayIn(theMarket().timeZone)}.csv`));
  ctx.type = 'text/csv; charset=utf-8';
  ctx.body = Readable.from(writeFile(db, farmId));
}
