import { z } from 'zod';
import type { Category, SaveCategory } from '#contract/categories';
import type { ListQuery, Page } from '#contract/platform';
import { room } from '#contract/realtime';
import type { Transaction } from '../../prisma/client.ts';
import { audit } from '../admin/service.ts';
import { decodeCursor, toPage } from '../platform/cursor.ts';
import { conflict, notFound } from '../platform/errors.ts';
import { record } from '../platform/event-log.ts';
import type { Platform } from '../platform/platform.ts';
import { isDuplicate, transact } from '../platform/postgres.ts';
import type { SessionUser } from '../platform/sessions.ts';
import { presentCategory } from './present.ts';

const NameCursor = z.tuple([z.string(), z.uuid()]);

/** All categories by name. */
export async function listCategories(
  { db }: Platform,
  { limit, cursor }: ListQuery,
): Promise<Page<Category>> {
  const rows = await db.category.findMany({
    where: cursor === undefined ? {} : after(decodeCursor(cursor, NameCursor)),
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: limit + 1,
  });
  const page = toPage(rows, limit, (row) => [row.name, row.id]);
  return { items: page.rows.map(presentCategory), nextCursor: page.nextCursor };
}

const after = ([name, id]: z.infer<typeof NameCursor>) => ({
  OR: [{ name: { gt: name } }, { name, id: { gt: id } }],
});

/** Adds a category. @throws 409 CATEGORY_TAKEN when one has this name, whatever its case */
export function createCategory(
  platform: Platform,
  admin: SessionUser,
  input: SaveCategory,
): Promise<Category> {
  return change(platform, async (tx) => {
    const row = await tx.category.create({ data: toData(input) });
    await audit(tx, admin, 'category.created', row.id, { name: row.name });
    await recordChange(tx, row.id);
    return presentCategory(row);
  });
}

/** Changes a category. @throws 404; 409 CATEGORY_TAKEN when another one has this name */
export function updateCategory(
  platform: Platform,
  admin: SessionUser,
  id: string,
  input: SaveCategory,
): Promise<Category> {
  return change(platform, async (tx) => {
    const [row] = await tx.category.updateManyAndReturn({ where: { id }, data: toData(input) });
    if (!row) throw notFound('Category not found');
    await audit(tx, admin, 'category.updated', id, { name: row.name });
    await recordChange(tx, id);
    return presentCategory(row);
  });
}

/**
 * Deletes a category. Its products stay without one, a version further; they may be thousands, so
 * that no event is recorded for each: `category.changed` tells clients, which read the products
 * they show anew, as they must when a category is renamed.
 * @throws 404
 */
export function deleteCategory(platform: Platform, admin: SessionUser, id: string): Promise<void> {
  return change(platform, async (tx) => {
    await tx.product.updateMany({
      where: { categoryId: id },
      data: { categoryId: null, version: { increment: 1 } },
    });
    const [row] = await tx.$queryRaw<{ name: string }[]>`
      DELETE FROM categories WHERE id = ${id}::uuid RETURNING name`;
    if (!row) throw notFound('Category not found');
    await audit(tx, admin, 'category.deleted', id, { name: row.name });
    await recordChange(tx, id);
  });
}

async function change<T>(platform: Platform, work: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await transact(platform.db, work);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw conflict('CATEGORY_TAKEN', 'A category with this name already exists.', [
      { path: 'name', message: 'This name is taken.' },
    ]);
  }
}

const toData = (input: SaveCategory) => ({
  ...input,
  nameKey: input.name.normalize('NFKC').toLowerCase(),
});

const recordChange = (tx: Transaction, id: string) =>
  record(tx, { name: 'category.changed', data: { _id: id }, rooms: [room.everyone] });
