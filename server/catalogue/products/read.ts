import { z } from 'zod';
import type { Product } from '#contract/catalogue/products/product';
import type { ProductListQuery, ProductSort } from '#contract/catalogue/products/product-search';
import type { OwnProductListQuery } from '#contract/catalogue/products/products';
import type { ListQuery, Page } from '#contract/platform/http/http';
import { toMinor } from '#contract/platform/money/constants';
import { canActFor } from '#contract/platform/session/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { isDraftFarm } from '../../farm/farmers/policy.ts';
import { CursorTime, decodeCursor, TimeCursor, toPage } from '../../platform/http/cursor.ts';
import { forbidden, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { withoutPermission } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { partOf } from '../../platform/stores/sql.ts';
import {
  allOf,
  filteredBy,
  foundBy,
  isNamed,
  LISTED,
  otherSearch,
  rankOf,
  type Search,
  searchFor,
  sourceOf,
} from '../search/search.ts';
import {
  canChangeProduct,
  canSeeProduct,
  PRODUCT_COLUMNS,
  PRODUCT_SOURCE,
  type ProductRow,
  presentProduct,
  visibilityOf,
} from './present.ts';

/** How a sort runs through the catalogue, and the place in it where a page ends. */
interface Sorting {
  by: Prisma.Sql;
  placeOf: (product: Product) => (string | number)[];
  after: (cursor: string) => Prisma.Sql;
}

// A cursor names its sort: the place of one sort means nothing in another.
const TimePlace = z.tuple([z.literal('newest'), CursorTime, z.uuid()]);
const PricePlace = (sort: ProductSort) => z.tuple([z.literal(sort), z.int32(), z.uuid()]);
const RankPlace = z.tuple([z.literal('relevance'), z.int32(), CursorTime, z.uuid()]);

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

const SORTINGS: Record<Exclude<ProductSort, 'relevance'>, Sorting> = {
  newest,
  'price-asc': byPrice('price-asc'),
  'price-desc': byPrice('price-desc'),
};

const SELECT_PRODUCTS = Prisma.raw(`SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT_SOURCE}`);

interface PageQuery {
  limit: number;
  cursor?: string | undefined;
}

/** Reads one page in one statement, which finds the page's ids first and joins only for these. */
async function readPage(
  { db }: Platform,
  conditions: readonly Prisma.Sql[],
  search: Search | null,
  sorting: Sorting,
  query: PageQuery,
): Promise<Page<Product>> {
  const wanted = [
    ...conditions,
    ...(search ? [await foundBy(db, search)] : []),
    ...(query.cursor ? [sorting.after(query.cursor)] : []),
  ];
  const rows = await db.$queryRaw<ProductRow[]>`
    ${SELECT_PRODUCTS}
    WHERE p.id = ANY (ARRAY(
      SELECT p.id FROM ${sourceOf(search, conditions)}
      WHERE ${allOf(wanted)}
      ORDER BY ${sorting.by} LIMIT ${query.limit + 1}::int))
    ORDER BY ${sorting.by}`;
  return toPage(rows.map(presentProduct), query.limit, sorting.placeOf, (product) => product);
}

/** How many products are ranked: the newest that are named so, and the newest that are only described so. */
const RANKED_MAX = 500;

/**
 * Reads one page of the products that fit a search best. Ranks only the newest that fit, so that a common word takes as
 * long on any market.
 */
async function readBest(
  { db }: Platform,
  conditions: readonly Prisma.Sql[],
  search: Search,
  query: PageQuery,
): Promise<Page<Product>> {
  const place = query.cursor === undefined ? undefined : decodeCursor(query.cursor, RankPlace);
  const found = await foundBy(db, search);
  const newestOf = (wanted: readonly Prisma.Sql[]) => Prisma.sql`(
    SELECT p.id FROM ${sourceOf(search, conditions)}
    WHERE ${allOf(wanted)} ORDER BY ${newest.by} LIMIT ${RANKED_MAX}::int)`;
  const rows = await db.$queryRaw<(ProductRow & { rank: number })[]>`
    WITH best AS MATERIALIZED (
      SELECT ranked.id, ranked.rank FROM (
        SELECT p.id, p.created_at, ${rankOf(search)} AS rank FROM products p
        WHERE p.id = ANY (ARRAY(
          ${newestOf([...conditions, found, isNamed(search)])}
          UNION ${newestOf([...conditions, found])}))
      ) ranked
      ${
        place
          ? Prisma.sql`WHERE ranked.rank > ${place[1]}::int OR ranked.rank = ${place[1]}::int
              AND (ranked.created_at, ranked.id) < (${place[2]}::timestamptz, ${place[3]}::uuid)`
          : Prisma.empty
      }
      ORDER BY ranked.rank, ranked.created_at DESC, ranked.id DESC LIMIT ${query.limit + 1}::int)
    SELECT ${Prisma.raw(PRODUCT_COLUMNS)}, best.rank
    FROM best JOIN (${Prisma.raw(PRODUCT_SOURCE)}) ON p.id = best.id
    ORDER BY best.rank, ${newest.by}`;
  const placeOf = ({ rank, createdAt, id }: (typeof rows)[number]) => [
    ...['relevance', rank, new Date(createdAt).toISOString(), id],
  ];
  return toPage(rows, query.limit, placeOf, presentProduct);
}

/** A page of the catalogue, and the words that were searched for instead. */
interface CataloguePage extends Page<Product> {
  correctedSearch?: string;
}

/**
 * Lists the catalogue: active products that are not past their last day, of farmers that exist. When the market has
 * nothing of what is searched for, it lists what has all the words, or similar ones.
 */
export async function listProducts(
  platform: Platform,
  query: ProductListQuery,
): Promise<CataloguePage> {
  const { sort, search: typed } = query;
  const conditions = [...LISTED, ...filteredBy(query)];
  const read = (search: Search | null) =>
    sort === 'relevance' && search
      ? readBest(platform, conditions, search, query)
      : readPage(
          platform,
          conditions,
          search,
          SORTINGS[sort === 'relevance' ? 'newest' : sort],
          query,
        );
  if (!typed) return read(null);
  const search = searchFor(typed);
  const page = await read(search);
  if (page.items.length > 0) return page;
  const other = await otherSearch(platform.db, search);
  if (!other) return page;
  return {
    ...(await read(other)),
    ...(other.corrected === undefined ? {} : { correctedSearch: other.corrected }),
  };
}

/** Lists everything a farm has, inactive and expired too, newest first; a search finds parts of SKUs as well. */
export async function listOwnProducts(
  platform: Platform,
  farmerId: string,
  query: OwnProductListQuery,
): Promise<Page<Product>> {
  const conditions = [Prisma.sql`p.farmer_id = ${farmerId}::uuid`];
  const { search } = query;
  if (search) {
    const isFound = await foundBy(platform.db, searchFor(search));
    // The few products of one farm need no index of words.
    conditions.push(Prisma.sql`(${isFound} OR EXISTS (
      SELECT FROM product_skus given
      WHERE given.product_id = p.id AND given.sku ILIKE ${partOf(search)}))`);
  }
  return readPage(platform, conditions, null, newest, query);
}

/** Lists what admins have hidden, the last changed first. */
export async function listHiddenProducts(
  { db }: Platform,
  { limit, cursor }: ListQuery,
): Promise<Page<Product>> {
  const [at, id] = cursor === undefined ? [null, null] : decodeCursor(cursor, TimeCursor);
  const rows = await db.$queryRaw<(ProductRow & { updatedAt: Date })[]>`
    SELECT ${Prisma.raw(PRODUCT_COLUMNS)}, p.updated_at AS "updatedAt"
    FROM ${Prisma.raw(PRODUCT_SOURCE)}
    WHERE p.hidden_reason IS NOT NULL AND farmer.deleted_at IS NULL
      AND (${at}::timestamptz IS NULL OR (p.updated_at, p.id) < (${at}::timestamptz, ${id}::uuid))
    ORDER BY p.updated_at DESC, p.id DESC LIMIT ${limit + 1}::int`;
  return toPage(rows, limit, (row) => [row.updatedAt.toISOString(), row.id], presentProduct);
}

/**
 * One product.
 * @throws 404 when it is unknown, its farmer is gone, or it is inactive and not this user's to see
 */
export async function getProduct(
  { db }: { db: Database | Transaction },
  id: string,
  user: SessionUser | null,
): Promise<Product> {
  const [product] = await findProducts({ db }, [id], user);
  if (!product) throw notFound(msg('Product not found'));
  return product;
}

/** Returns those of these products that this user may see, as {@link getProduct} does one, in any order. */
export async function findProducts(
  { db }: { db: Database | Transaction },
  ids: readonly string[],
  user: SessionUser | null,
): Promise<Product[]> {
  const rows = await db.$queryRaw<ProductRow[]>`
    ${SELECT_PRODUCTS} WHERE p.id = ANY (${ids}::uuid[]) AND farmer.deleted_at IS NULL`;
  return rows.filter((row) => canSeeProduct(user, visibilityOf(row))).map(presentProduct);
}

/** Reads a product that this user may change. @throws 404 unknown or hidden from this user, 403 another farmer's */
export async function requireChangeable(db: Database | Transaction, user: SessionUser, id: string) {
  const found = await db.product.findFirst({
    where: { id, farmer: { deletedAt: null } },
    include: { farmer: { select: { farm: { select: { approvedAt: true } } } } },
  });
  if (!found) throw notFound(msg('Product not found'));
  const { farmer, ...product } = found;
  const row = { ...product, isFarmDraft: isDraftFarm(farmer.farm) };
  if (!canSeeProduct(user, row)) throw notFound(msg('Product not found'));
  if (!canChangeProduct(user, row)) {
    throw canActFor(user, row.farmerId, 'read')
      ? withoutPermission()
      : forbidden(msg('This product belongs to another farm.'));
  }
  return row;
}
