import type { ImportColumn } from '#contract/catalogue/imports/constants';
import type { ImportRow } from '#contract/catalogue/imports/imports';
import { PRODUCTS_PER_FARM_MAX } from '#contract/catalogue/products/constants/products';
import type { CreateProduct } from '#contract/catalogue/products/product-fields';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import { msg, t } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { refuseUnverifiedOwner } from '../../people/auth/verify-email.ts';
import { record } from '../../platform/events/event-log.ts';
import { AppError, invalidField, type Sentence } from '../../platform/http/errors.ts';
import { columnOf } from '../../platform/stores/sql.ts';
import { requireOwnUploads } from '../../platform/uploads/service.ts';
import { keepCertificate, refuseOrganic } from '../organic/organic.ts';
import { productEvents } from '../products/present.ts';
import { requireUnused } from '../products/product-use.ts';
import { requireSale } from '../products/sale.ts';
import { changedProductRow, keepCurrency, newProductRow } from '../products/service.ts';
import { rowsOf, showCell } from './cells.ts';
import { basisOf, type PlannedWrite, type StoredProduct, writeSentence } from './plan.ts';
import { readGoods } from './read-goods.ts';
import { takenSkus } from './skus.ts';

/** A product of a file that is still to be written. */
export interface PendingItem {
  position: number;
  productId: string;
  plan: PlannedWrite;
  rows: ImportRow[];
}

/** What became of a product of a file. */
export interface Settled {
  position: number;
  rows: ImportRow[];
}

/** What of a product's row a change can set. */
const CHANGED_COLUMNS = [
  ...(['name', 'description', 'images', 'isOrganic', 'isOrganicLapsed', 'sku'] as const),
  ...(['unit', 'unitLabel', 'netMilli', 'netUnit'] as const),
  ...(['pieceMilli', 'pieceMinMilli', 'pieceMaxMilli', 'isAlways', 'maxOrderMilli'] as const),
  ...(['sizes', 'stepMilli', 'minimumMilli', 'priceMinor'] as const),
  ...(['stockMilli', 'asideMilli', 'returnsAt'] as const),
  ...(['isActive', 'isActiveUnhidden', 'categoryId', 'allergens', 'harvestDate'] as const),
  ...(['availableUntil', 'ingredients', 'storage', 'origin'] as const),
].map(columnOf);

const CHANGE = `UPDATE products p
  SET (${CHANGED_COLUMNS.join()}, version, updated_at) = (
    SELECT ${CHANGED_COLUMNS.map((column) => `changed.${column}`).join()}, p.version + 1, now()
    FROM jsonb_populate_record(p, change.data) AS changed)
  FROM (
    SELECT (entry ->> 'id')::uuid AS id, entry AS data FROM jsonb_array_elements($1::jsonb) AS entry
  ) change
  WHERE p.id = change.id`;

/** Says that a product was changed by somebody else since. */
class Edited extends Error {}

/**
 * Writes products of a file: each as it was compared with what it is now, but for its stock. What was sold since stays
 * sold. What is read and checked before the products are locked, by ascending id, keeps orders waiting for short.
 */
export async function writeProducts(
  tx: Transaction,
  farmId: string,
  items: readonly PendingItem[],
): Promise<Settled[]> {
  const farm = await lockFarm(tx, farmId);
  if (!farm) return items.map((item) => refuse(item, msg('There is no such farm any more.')));
  await keepCertificate(tx, { id: farmId });
  const organicRefusal = await refuseOrganic(tx, farmId);
  await keepCurrency(tx);
  const offerRefusal = await refuseUnverifiedOwner(tx, farmId, { id: farmId });
  const categories = await lockCategories(tx, items);
  const skus = await takenSkus(tx, farmId);
  const names = await takenNames(tx, farmId, items);
  const refusals = await refusePictures(tx, farmId, items);
  const ids = items.filter(({ plan }) => !plan.isNew).map(({ productId }) => productId);
  await tx.$queryRaw`
    SELECT 1 FROM products WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  // A separate statement, so that it sees what was committed while waiting for the locks.
  const stored = await readGoods(tx, farmId, ids);

  const added: Prisma.ProductCreateManyInput[] = [];
  const changed: Record<string, unknown>[] = [];
  const settled: Settled[] = [];
  let { room } = farm;
  for (const item of items) {
    const { productId, plan } = item;
    const before = stored.get(productId);
    try {
      const refused = refusals.get(item.position);
      if (refused) throw refused;
      const { category } = plan.input;
      if (
        category !== undefined &&
        !categories.has(category) &&
        category !== before?.product.category?._id
      ) {
        throw invalidField('category', msg('This category does not exist.'));
      }
      if (plan.isNew) {
        const input = plan.input as CreateProduct;
        if (names.has(input.name)) throw new Edited();
        if (room <= 0) throw limitReached();
        if (offerRefusal) throw offerRefusal;
        if (input.isOrganic && organicRefusal) throw organicRefusal;
        requireSku(skus, productId, input);
        const images = plan.image ? [plan.image] : [];
        const row = newProductRow({ ...input, images }, requireSale(null, input), farm);
        added.push({ ...row, id: productId, farmerId: farmId });
        room -= 1;
      } else {
        if (!before) throw invalidField('id', msg('This product was deleted.'));
        if (basisOf(before.product) !== plan.basis) throw new Edited();
        const input = changeOf(plan, before);
        if (input.isActive && !before.row.isActive && offerRefusal) throw offerRefusal;
        if ((input.isOrganic ?? before.product.isOrganic) && organicRefusal) throw organicRefusal;
        if (input.unit !== undefined)
          await requireUnused(tx, { ...before.row, farmerId: farmId }, input);
        requireSku(skus, productId, input);
        changed.push(toColumns({ ...changedProductRow(before.row, input), id: productId }));
      }
      settled.push({ position: item.position, rows: item.rows.map(asWritten) });
    } catch (error) {
      if (error instanceof Edited) settled.push(edited(item, before));
      else if (error instanceof AppError && error.status < 500)
        settled.push(refuseFor(item, error));
      else throw error;
    }
  }
  if (added.length > 0) await tx.product.createMany({ data: added });
  if (changed.length > 0) await tx.$executeRawUnsafe(CHANGE, JSON.stringify(changed));
  const written = [...added.map(({ id }) => String(id)), ...changed.map(({ id }) => String(id))];
  if (written.length > 0) {
    const after = await readGoods(tx, farmId, written);
    await record(
      tx,
      ...[...after.values()].flatMap(({ product }) =>
        productEvents(stored.get(product._id)?.row ?? null, product),
      ),
    );
  }
  return settled;
}

const toColumns = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([field, value]) => [columnOf(field), value]));

/** Returns a change as it comes to now. */
function changeOf(plan: PlannedWrite, { row, product }: StoredProduct) {
  const { stock, image } = plan;
  const input = plan.input as Exclude<PlannedWrite['input'], CreateProduct>;
  const images = product.images.slice(1);
  return {
    ...input,
    ...(image === undefined ? {} : { images: image === null ? images : [image, ...images] }),
    ...(stock
      ? { quantityAvailable: fromMilli(stockAfter(stock, Number(row.stockMilli), row, input)) }
      : {}),
  };
}

/** Returns the stock, in thousandths: what the file adds or takes, put on what there is now; never below 0. */
function stockAfter(
  { was, to }: { was: number; to: number },
  now: number,
  { isAlways }: { isAlways: boolean },
  { unit }: { unit?: string | undefined },
): number {
  if (isAlways || now === was) return to;
  // Counted in something else there is no difference to put on it.
  if (unit !== undefined) throw new Edited();
  return Math.min(Math.max(0, now + to - was), toMilli(QUANTITY_MAX));
}

/** Locks the farm, so that its products are added one after the other. */
async function lockFarm(tx: Transaction, farmId: string) {
  const [farm] = await tx.$queryRaw<{ isSuspended: boolean }[]>`
    SELECT suspended_at IS NOT NULL AS "isSuspended" FROM users
    WHERE id = ${farmId}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`;
  if (!farm) return undefined;
  const count = await tx.product.count({ where: { farmerId: farmId } });
  return { ...farm, room: PRODUCTS_PER_FARM_MAX - count };
}

async function lockCategories(
  tx: Transaction,
  items: readonly PendingItem[],
): Promise<Set<string>> {
  const ids = items.flatMap(({ plan }) => plan.input.category ?? []);
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM categories WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR KEY SHARE`;
  return new Set(rows.map(({ id }) => id));
}

/** Returns the names of new products that the farm has by now. */
async function takenNames(
  tx: Transaction,
  farmId: string,
  items: readonly PendingItem[],
): Promise<Set<string>> {
  const names = items.flatMap(({ plan }) => (plan.isNew ? [plan.input.name ?? ''] : []));
  if (names.length === 0) return new Set();
  const rows = await tx.$queryRaw<{ name: string }[]>`
    SELECT given.name FROM unnest(${names}::text[]) AS given (name)
    WHERE EXISTS (
      SELECT FROM products WHERE farmer_id = ${farmId}::uuid AND lower(btrim(name)) = lower(given.name))`;
  return new Set(rows.map(({ name }) => name));
}

/** Keeps the pictures of products from being cleared away. Returns the refusals of those that are not there. */
async function refusePictures(tx: Transaction, farmId: string, items: readonly PendingItem[]) {
  const refusals = new Map<number, AppError>();
  for (const { position, plan } of items) {
    if (!plan.image) continue;
    try {
      await requireOwnUploads(tx, farmId, { images: plan.image });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusals.set(position, error);
    }
  }
  return refusals;
}

function requireSku(
  skus: Awaited<ReturnType<typeof takenSkus>>,
  productId: string,
  input: Parameters<typeof skus.take>[1],
): void {
  if (skus.take(productId, input)) return;
  throw invalidField('sku', msg('Another product or size of your farm has this SKU.'));
}

const limitReached = () =>
  invalidField(
    'name',
    msg('A farm can have at most {most, plural, one {# product} other {# products}}.', {
      most: PRODUCTS_PER_FARM_MAX,
    }),
  );

const isOf = ({ outcome }: ImportRow): boolean => outcome === 'new' || outcome === 'changed';

const asWritten = (row: ImportRow): ImportRow => (isOf(row) ? { ...row, result: 'written' } : row);

const COLUMNS: Record<string, ImportColumn> = {
  images: 'image',
  id: 'id',
  sku: 'sku',
  unit: 'unit',
  category: 'category',
  isActive: 'active',
  isOrganic: 'organic',
  quantityAvailable: 'stock',
};

function refuseFor(item: PendingItem, { errors, sentence }: AppError): Settled {
  const [problem] = errors ?? [];
  return refuse(item, problem?.message ?? sentence, COLUMNS[problem?.path ?? '']);
}

const refuse = (
  { position, rows }: PendingItem,
  sentence: Sentence,
  column?: ImportColumn,
): Settled => ({
  position,
  rows: rows.map((row) =>
    isOf(row)
      ? {
          ...row,
          result: 'refused',
          ...(column ? { column } : {}),
          reason: writeSentence(sentence),
        }
      : row,
  ),
});

/** Shows a product that was edited since again: what the file would change of it now. */
function edited({ position, rows }: PendingItem, stored: StoredProduct | undefined): Settled {
  const current = stored ? rowsOf(stored.product) : [];
  const reason = stored
    ? t('This product was edited after the file was compared with it.')
    : t('Your farm has added a product of this name since.');
  return {
    position,
    rows: rows.map((row): ImportRow => {
      if (!isOf(row)) return row;
      const own = current.find(({ size }) => size != null && size === row.size);
      const cells = row.cells?.map((cell) => ({
        ...cell,
        from: showCell(own?.[cell.column] ?? current[0]?.[cell.column]),
      }));
      return { ...row, result: 'edited', reason, ...(cells ? { cells } : {}) };
    }),
  };
}
