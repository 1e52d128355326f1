import { z } from 'zod';
import type { Category, SaveCategory } from '#contract/catalogue/categories/categories';
import { room } from '#contract/platform/events/constants';
import type { ListQuery, Page } from '#contract/platform/http/http';
import { compareNames } from '#contract/platform/text/constants/names';
import { type Message, msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import type { Category as CategoryRow } from '../../../prisma/generated/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { decodeCursor, toPage } from '../../platform/http/cursor.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { offeredLanguages, readerOf } from '../../platform/market/readers.ts';
import { lockCaller } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { isDuplicate, transact } from '../../platform/stores/postgres.ts';
import { presentNames } from '../products/present.ts';

const NameCursor = z.tuple([z.string(), z.uuid()]);

/** Lists categories by name. */
export async function listCategories(
  { db }: Platform,
  { limit, cursor }: ListQuery,
): Promise<Page<Category>> {
  const [name, id] = cursor === undefined ? [] : decodeCursor(cursor, NameCursor);
  // All of them: a market has dozens, and the database knows no order of the market's locale.
  const rows = (await db.category.findMany()).sort(byName);
  const first =
    name === undefined ? 0 : rows.findIndex((row) => byName(row, { name, id: id ?? '' }) > 0);
  const page = first < 0 ? [] : rows.slice(first, first + limit + 1);
  return toPage(page, limit, (row) => [row.name, row.id], presentCategory);
}

type Named = Pick<CategoryRow, 'id' | 'name'>;

const byName = (one: Named, other: Named): number =>
  compareNames(one.name, other.name) || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);

/** Creates a category. @throws 409 CATEGORY_TAKEN when the name exists in any case */
export function createCategory(
  platform: Platform,
  admin: SessionUser,
  input: SaveCategory,
): Promise<Category> {
  return change(platform, admin, async (tx) => {
    const row = await tx.category.create({ data: toData(input) });
    await audit(tx, admin, 'category.created', row.id, { name: row.name });
    await recordCategoryChange(tx, row.id);
    return presentCategory(row);
  });
}

/** Updates a category. @throws 404; 409 CATEGORY_TAKEN when another one has this name */
export function updateCategory(
  platform: Platform,
  admin: SessionUser,
  id: string,
  input: SaveCategory,
): Promise<Category> {
  return change(platform, admin, async (tx) => {
    const [row] = await tx.category.updateManyAndReturn({ where: { id }, data: toData(input) });
    if (!row) throw notFound(msg('Category not found'));
    await audit(tx, admin, 'category.updated', id, { name: row.name });
    await recordCategoryChange(tx, id);
    return presentCategory(row);
  });
}

/**
 * Deletes a category. Its products stay, without a category and with a new version. They may be
 * thousands, so no event is recorded for each: clients refetch shown products on `category.changed`.
 * @throws 404
 */
export function deleteCategory(platform: Platform, admin: SessionUser, id: string): Promise<void> {
  return change(platform, admin, async (tx) => {
    // Lock the category first, so that no product can be added to it.
    await tx.$queryRaw`SELECT 1 FROM categories WHERE id = ${id}::uuid FOR UPDATE`;
    // Orders lock products by ascending id too.
    await tx.$queryRaw`
      SELECT 1 FROM products WHERE category_id = ${id}::uuid ORDER BY id FOR NO KEY UPDATE`;
    await tx.product.updateMany({
      where: { categoryId: id },
      data: { categoryId: null, version: { increment: 1 } },
    });
    const [row] = await tx.$queryRaw<{ name: string }[]>`
      DELETE FROM categories WHERE id = ${id}::uuid RETURNING name`;
    if (!row) throw notFound(msg('Category not found'));
    await audit(tx, admin, 'category.deleted', id, { name: row.name });
    await recordCategoryChange(tx, id);
  });
}

async function change<T>(
  platform: Platform,
  admin: SessionUser,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await transact(platform.db, async (tx) => {
      await lockCaller(tx, admin.id);
      return work(tx);
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw conflict('CATEGORY_TAKEN', msg('A category with this name already exists.'), [
      { path: 'name', message: msg('This name is taken.') },
    ]);
  }
}

const toData = ({ names, ...input }: SaveCategory) => ({
  ...input,
  nameKey: input.name.normalize('NFKC').toLowerCase(),
  ...(names && { names: withoutEmpty(names) }),
});

/** Leaves out names that are empty, and the one of the market's first language, which is the category's own. */
const withoutEmpty = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(names).filter(([tag, name]) => name !== '' && tag !== offeredLanguages()[0]),
  );

/** Names something that this release has translations for in the first of these languages, and in the others. */
export const namesIn = (
  { text }: Message,
  [first = 'en', ...others]: readonly string[],
): { name: string; names: Record<string, string> } => {
  const nameIn = (language: string) => readerOf(language).find?.(text) ?? text;
  return {
    name: nameIn(first),
    names: Object.fromEntries(others.map((each) => [each, nameIn(each)])),
  };
};

/** Records that a category is new, changed or gone. */
export const recordCategoryChange = (tx: Transaction, id: string) =>
  record(tx, { name: 'category.changed', data: { _id: id }, rooms: [room.everyone] });

/** Presents a category. */
const presentCategory = (row: CategoryRow): Category => ({
  _id: row.id,
  name: row.name,
  ...presentNames(row.names),
  description: row.description,
  icon: row.icon,
});
