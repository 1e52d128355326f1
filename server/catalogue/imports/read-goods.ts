import type { ProductImport } from '#contract/catalogue/imports/imports';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { notFound } from '../../platform/http/errors.ts';
import { PRODUCT_COLUMNS, PRODUCT_SOURCE, presentProduct } from '../products/present.ts';
import type { StoredProduct } from './plan.ts';

/** Reads products of a farm, all of them or these. */
export async function readGoods(
  db: Database | Transaction,
  farmId: string,
  ids?: readonly string[],
): Promise<Map<string, StoredProduct>> {
  const rows = await db.$queryRawUnsafe<StoredProduct['row'][]>(
    `SELECT ${PRODUCT_COLUMNS}, p.is_farm_suspended AS "isFarmSuspended" FROM ${PRODUCT_SOURCE}
     WHERE p.farmer_id = $1::uuid AND ($2::uuid[] IS NULL OR p.id = ANY ($2::uuid[]))
     ORDER BY p.created_at, p.id`,
    farmId,
    ids ?? null,
  );
  return new Map(rows.map((row) => [row.id, { row, product: presentProduct(row) }]));
}

/**
 * Returns what a file would change, or has changed.
 * @throws 404 unknown, of another farm, or older than `IMPORT_DAYS` days
 */
export async function readImport(
  db: Database | Transaction,
  farmId: string,
  id: string,
): Promise<ProductImport> {
  const row = await db.productImport.findFirst({
    where: { id, farmId },
    include: { items: { select: { rows: true } } },
  });
  if (!row) throw notFound(msg('This import is gone. Choose the file again.'));
  const { items, question } = row;
  // What is planned is as large as the rows, and not read for this.
  const [{ done, total } = { done: 0, total: 0 }] = await db.$queryRaw<
    { done: number; total: number }[]
  >`
    SELECT count(*) FILTER (WHERE NOT is_pending)::int AS done, count(*)::int AS total
    FROM product_import_items WHERE import_id = ${row.id}::uuid AND plan IS NOT NULL`;
  return {
    _id: row.id,
    state: row.state as ProductImport['state'],
    done,
    total,
    version: row.version,
    ...(question ? { question: question as unknown as ProductImport['question'] } : {}),
    separator: row.separator as ProductImport['separator'],
    ...(row.decimal ? { decimal: row.decimal as ProductImport['decimal'] } : {}),
    encoding: row.encoding as ProductImport['encoding'],
    rows: items
      .flatMap(({ rows }) => rows as unknown as ProductImport['rows'])
      .sort((one, other) => one.line - other.line),
    createdAt: row.createdAt.toISOString(),
  };
}
