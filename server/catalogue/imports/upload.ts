import { setImmediate } from 'node:timers/promises';
import type { ProductImport, UploadQuery } from '#contract/catalogue/imports/imports';
import { PRODUCTS_PER_FARM_MAX } from '#contract/catalogue/products/constants/products';
import { t } from '#contract/platform/text/constants/texts';
import type { Database } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { refuseUnverifiedOwner } from '../../people/auth/verify-email.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { requireUnused } from '../products/product-use.ts';
import { groupRows, nameKey, type ReadGroup } from './group.ts';
import {
  type Planned,
  planProduct,
  refusedRows,
  type StoredProduct,
  writeSentence,
} from './plan.ts';
import { findDecimal, type ProductFile, readFile } from './read-file.ts';
import { readGoods, readImport } from './read-goods.ts';
import { takenSkus } from './skus.ts';

/** How many products are decided before other requests have their turn. */
const TURN = 100;

/**
 * Compares a file with the products of the caller's farm, and keeps what it would change. Writes no product.
 * @throws 400 and 413 as {@link readFile}; 401 when the account was just deleted
 */
export async function uploadImport(
  platform: Platform,
  user: SessionUser,
  bytes: Buffer,
  { decimal: given, separator }: UploadQuery,
): Promise<ProductImport> {
  const farmId = actingFarm(user);
  const file = readFile(bytes, separator);
  const found = given ? { decimal: given } : findDecimal(file.rows);
  const question = found && 'question' in found ? found.question : undefined;
  const decimal = found && 'decimal' in found ? found.decimal : undefined;
  const createdAt = await beginComparing(platform.db, farmId);
  const planned = question ? [] : await planFile(platform.db, user, file, decimal);
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    const isAnything = planned.some(({ plan }) => plan);
    const { id } = await tx.productImport.create({
      data: {
        farmId,
        language: user.language ?? '',
        state: question ? 'asking' : isAnything ? 'ready' : 'done',
        separator: file.separator,
        encoding: file.encoding,
        decimal: decimal ?? null,
        ...(question ? { question: { ...question } } : {}),
        createdAt,
      },
      select: { id: true },
    });
    await tx.productImportItem.createMany({
      data: planned.map(({ productId, plan, rows }, position) => ({
        ...{ importId: id, position, productId, rows, isPending: plan !== null },
        ...(plan ? { plan: plan as unknown as Prisma.InputJsonObject } : {}),
      })),
    });
    return readImport(tx, farmId, id);
  });
}

/** Returns the moment before a comparison. What is being written by then counts as written after it. */
async function beginComparing(db: Database, farmId: string): Promise<Date> {
  const [row] = await db.$queryRaw<[{ at: Date }]>`
    SELECT coalesce(min(applied_at) FILTER (WHERE state = 'applying'), clock_timestamp()) AS at
    FROM product_imports WHERE farm_id = ${farmId}::uuid`;
  return row.at;
}

interface PlannedItem extends Planned {
  productId: string;
}

/** Decides what a file changes. */
async function planFile(
  db: Database,
  user: SessionUser,
  file: ProductFile,
  decimal: ProductImport['decimal'],
): Promise<PlannedItem[]> {
  const farmId = actingFarm(user);
  const stored = await readGoods(db, farmId);
  const idsByName = new Map<string, string[]>();
  for (const { product } of stored.values()) {
    const key = nameKey(product.name);
    idsByName.set(key, [...(idsByName.get(key) ?? []), product._id]);
  }
  const groups = groupRows(file.rows, decimal, {
    has: (id) => stored.has(id),
    idsOf: (key) => idsByName.get(key) ?? [],
  });
  const surroundings = {
    categories: await readCategories(db),
    uploads: await ownUploads(db, farmId, groups),
    offerRefusal: await refuseUnverifiedOwner(db, farmId, user),
  };
  const skus = await takenSkus(db, farmId);
  let room = PRODUCTS_PER_FARM_MAX - stored.size;
  const items: PlannedItem[] = [];
  for (const [index, group] of groups.entries()) {
    if (index % TURN === TURN - 1) await setImmediate();
    const before = stored.get(group.productId);
    const planned = planProduct(group, before, surroundings);
    const { productId } = group;
    const refuse = (sentence: string, column?: 'name' | 'sku' | 'unit') =>
      items.push({ productId, plan: null, rows: refusedRows(planned.rows, 0, column, sentence) });
    if (!planned.plan) items.push({ productId, ...planned });
    else if (planned.plan.isNew && room <= 0) {
      refuse(
        t('A farm can have at most {most, plural, one {# product} other {# products}}.', {
          most: PRODUCTS_PER_FARM_MAX,
        }),
      );
    } else if (!skus.take(productId, planned.plan.input)) {
      refuse(t('Another product or size of your farm has this SKU.'), 'sku');
    } else {
      const inUse = before && (await whyInUse(db, before, farmId, planned));
      if (inUse !== undefined) refuse(inUse, 'unit');
      else items.push({ productId, ...planned });
      if (planned.plan.isNew) room -= 1;
    }
  }
  return items;
}

/** Returns why the unit of a product stays; undefined where it may change. */
async function whyInUse(
  db: Database,
  { row }: StoredProduct,
  farmerId: string,
  { plan }: Planned,
): Promise<string | undefined> {
  if (!plan || plan.input.unit === undefined || plan.input.unit === row.unit) return undefined;
  try {
    await requireUnused(db, { ...row, farmerId }, plan.input);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return writeSentence(error.sentence);
  }
}

async function readCategories(db: Database) {
  const rows = await db.category.findMany({ select: { id: true, name: true, names: true } });
  return rows.map(({ id, name, names }) => ({
    id,
    names: [name, ...Object.values((names ?? {}) as Record<string, string>)],
  }));
}

/** Returns the pictures of a file that the farm has uploaded. */
async function ownUploads(
  db: Database,
  ownerId: string,
  groups: readonly ReadGroup[],
): Promise<Set<string>> {
  const images = groups.flatMap(({ rows }) => rows.map(({ cells }) => String(cells.image ?? '')));
  const named = images.filter((image) => image.startsWith('/uploads/'));
  if (named.length === 0) return new Set();
  const rows = await db.$queryRaw<{ url: string }[]>`
    SELECT '/uploads/' || id || '.webp' AS url FROM uploads
    WHERE owner_id = ${ownerId}::uuid AND '/uploads/' || id || '.webp' = ANY (${named}::text[])`;
  return new Set(rows.map(({ url }) => url));
}
