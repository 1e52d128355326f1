import { z } from 'zod';
import { type Page, toMinor } from '#contract/http';
import type {
  OwnProductListQuery,
  Product,
  ProductListQuery,
  ProductSort,
} from '#contract/products';
import type { Database } from '../../prisma/client.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import { CursorTime, decodeCursor, toPage } from '../http/cursor.ts';
import { notFound } from '../http/errors.ts';
import type { Platform } from '../http/platform.ts';
import type { SessionUser } from '../http/sessions.ts';
import { foldedPattern } from '../process/search-pattern.ts';
import { canSeeProduct } from './policy.ts';
import { PRODUCT_COLUMNS, PRODUCT_SOURCE, type ProductRow, presentProduct } from './present.ts';

/** How a sort runs through the catalogue, and the place in it where a page ends. */
interface Sorting {
  by: Prisma.Sql;
  placeOf: (product: Product) => (string | number)[];
  after: (cursor: string) => Prisma.Sql;
}

// A cursor names its sort: the place of one sort means nothing in another.
const TimePlace = z.tuple([z.literal('newest'), CursorTime, z.uuid()]);
const PricePlace = (sort: ProductSort) => z.tuple([z.literal(sort), z.int32(), z.uuid()]);

const newest: Sorting = {
  by: Prisma.sql`p.created_at DESC, p.id DESC`,
  placeOf: (product) => ['newest', product.createdAt, product._id],
  after: (cursor) => {
    const [, at, id] = decodeCursor(cursor, TimePlace);
    return Prisma.sql`(p.created_at, p.id) < (${at}::timestamptz, ${id}::uuid)`;
  },
};

const byPrice = (sort: 'price-asc' | 'price-desc'): Sorting => ({
  by:
    sort === 'price-asc'
      ? Prisma.sql`p.price_minor ASC, p.id ASC`
      : Prisma.sql`p.price_minor DESC, p.id DESC`,
  placeOf: (product) => [sort, toMinor(product.price), product._id],
  after: (cursor) => {
    const [, price, id] = decodeCursor(cursor, PricePlace(sort));
    return sort === 'price-asc'
      ? Prisma.sql`(p.price_minor, p.id) > (${price}::int, ${id}::uuid)`
      : Prisma.sql`(p.price_minor, p.id) < (${price}::int, ${id}::uuid)`;
  },
});

const SORTINGS: Record<ProductSort, Sorting> = {
  newest,
  'price-asc': byPrice('price-asc'),
  'price-desc': byPrice('price-desc'),
};

/**
 * What makes a product one that is searched for: its text holds the phrase, folded as the text is; the
 * reader's % and _ mean themselves.
 */
async function foundBy(db: Database, search: string): Promise<Prisma.Sql> {
  const phrase = foldedPattern(search);
  const rare = search.includes(' ') ? await rareWord(db, search) : null;
  if (!rare) return Prisma.sql`p.search_text LIKE ${phrase}`;
  // For a phrase the index compares the long lists of all its words. So it finds those with the rare
  // word alone, and the phrase, as an expression that it does not know, is looked for in these few.
  return Prisma.sql`p.id = ANY (ARRAY(
    SELECT id FROM products WHERE search_text LIKE ${rare} AND search_text || '' LIKE ${phrase}))`;
}

/** The pattern of the word that narrows a phrase most, or null when all its words are common. */
async function rareWord(db: Database, phrase: string): Promise<string | null> {
  const [row] = await db.$queryRaw<{ pattern: string | null }[]>`
    SELECT rare_word_pattern(${phrase}) AS pattern`;
  return row?.pattern ?? null;
}

const SELECT_PRODUCTS = Prisma.raw(`SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT_SOURCE}`);

/** Reads one page in one statement, which finds the page's ids first and joins only for these. */
async function readPage(
  platform: Platform,
  conditions: Prisma.Sql[],
  sorting: Sorting,
  query: { limit: number; cursor?: string | undefined; search?: string | undefined },
): Promise<Page<Product>> {
  if (query.search) conditions.push(await foundBy(platform.db, query.search));
  if (query.cursor) conditions.push(sorting.after(query.cursor));
  const rows = await platform.db.$queryRaw<ProductRow[]>`
    ${SELECT_PRODUCTS}
    WHERE p.id = ANY (ARRAY(
      SELECT p.id FROM products p JOIN users farmer ON farmer.id = p.farmer_id
      WHERE ${Prisma.join(conditions, ' AND ')}
      ORDER BY ${sorting.by} LIMIT ${query.limit + 1}::int))
    ORDER BY ${sorting.by}`;
  const page = toPage(rows.map(presentProduct), query.limit, sorting.placeOf);
  return { items: page.rows, nextCursor: page.nextCursor };
}

/** The catalogue: active products that are not past their last day, of farmers that exist. */
export async function listProducts(
  platform: Platform,
  query: ProductListQuery,
): Promise<Page<Product>> {
  const conditions = [
    Prisma.sql`p.is_active`,
    Prisma.sql`(p.available_until IS NULL OR p.available_until >= market_day())`,
    Prisma.sql`farmer.deleted_at IS NULL`,
  ];
  if (query.category) conditions.push(Prisma.sql`p.category_id = ${query.category}::uuid`);
  if (query.farmer) conditions.push(Prisma.sql`p.farmer_id = ${query.farmer}::uuid`);
  return readPage(platform, conditions, SORTINGS[query.sort], query);
}

/** Everything a farm has, inactive and expired too, newest first. */
export const listOwnProducts = (
  platform: Platform,
  farmerId: string,
  query: OwnProductListQuery,
): Promise<Page<Product>> =>
  readPage(platform, [Prisma.sql`p.farmer_id = ${farmerId}::uuid`], newest, query);

/**
 * One product.
 * @throws 404 when it is unknown, its farmer is gone, or it is inactive and not this user's to see
 */
export async function getProduct(
  platform: Platform,
  id: string,
  user: SessionUser | null,
): Promise<Product> {
  const [row] = await platform.db.$queryRaw<ProductRow[]>`
    ${SELECT_PRODUCTS} WHERE p.id = ${id}::uuid AND farmer.deleted_at IS NULL`;
  if (!row || !canSeeProduct(user, { farmerId: row.farmer.id, isActive: row.isActive })) {
    throw notFound('Product not found');
  }
  return presentProduct(row);
}
