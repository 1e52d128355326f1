import type {
  FacetCount,
  ProductFacets,
  ProductFilters,
} from '#contract/catalogue/products/product-search';
import { fromMinor } from '#contract/platform/money/constants';
import { compareNames } from '#contract/platform/text/constants/names';
import type { Prisma } from '../../../prisma/generated/client.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { presentNames } from '../products/present.ts';
import {
  allOf,
  type Choice,
  chosenIn,
  filteredBy,
  foundBy,
  HAS_STOCK,
  LISTED,
  otherSearch,
  type Search,
  searchFor,
  sourceOf,
  townsOf,
} from './search.ts';

/** How many products are counted; the newest, when there are more. */
const COUNTED_MAX = 1000;
/** How many farms can be chosen from. */
const FARMS_MAX = 50;
const TOWNS_MAX = 100;

/** The products that fit the filters, or all filters but one, by their choices. */
export interface Counts {
  found: number;
  organic: number;
  inStock: number;
  pickup: number;
  delivery: number;
  minPrice: number | null;
  maxPrice: number | null;
  categories: { id: string; name: string; names?: unknown; count: number }[];
  farmers: { id: string; name: string; count: number }[];
  towns: { name: string; count: number }[];
}

/**
 * Counts what each choice of a filter would find. A choice is counted among the products that fit all other filters:
 * one read for all that are not set, and one for each that is.
 */
export async function countFacets(
  platform: Platform,
  { search: typed, ...filters }: ProductFilters,
): Promise<ProductFacets> {
  const search = typed ? await findable(platform, typed) : null;
  const chosen = chosenIn(filters);
  const [all, ...others] = await Promise.all([
    count(platform, search, filteredBy(filters)),
    ...chosen.map((choice) => count(platform, search, filteredBy(filters, choice))),
  ]);
  const withoutChoice = new Map(chosen.map((choice, index) => [choice, others[index] ?? all]));
  const farm = filters.farmer ? await farmNamed(platform, filters.farmer) : undefined;
  return presentFacets(all, (choice) => withoutChoice.get(choice) ?? all, farm);
}

/** Returns the search that the list answers too. */
async function findable({ db }: Platform, typed: string): Promise<Search> {
  const search = searchFor(typed);
  return (await otherSearch(db, search)) ?? search;
}

async function count(
  { db }: Platform,
  search: Search | null,
  filters: readonly Prisma.Sql[],
): Promise<Counts> {
  const conditions = [...LISTED, ...filters];
  const found = search ? [await foundBy(db, search)] : [];
  const [counts] = await db.$queryRaw<Counts[]>`
    WITH found AS MATERIALIZED (
      SELECT p.category_id, p.farmer_id, p.is_organic, ${HAS_STOCK} AS in_stock, p.price_minor
      FROM ${sourceOf(search, conditions)}
      WHERE ${allOf([...conditions, ...found])}
      ORDER BY p.created_at DESC, p.id DESC LIMIT ${COUNTED_MAX + 1}::int
    ), farms AS MATERIALIZED (
      SELECT counted.farmer_id AS id, counted.count, farm.*
      FROM (SELECT farmer_id, count(*)::int FROM found GROUP BY farmer_id) counted
      -- The limit looks them up one by one: a join would read all farms.
      CROSS JOIN LATERAL (
        SELECT COALESCE(NULLIF(f.farm_name, ''), u.name) AS name, f.accepts_pickup, f.accepts_delivery,
          ARRAY(SELECT town FROM ${townsOf('f')} towns) AS towns
        FROM users u JOIN farmer_profiles f ON f.user_id = u.id
        WHERE u.id = counted.farmer_id LIMIT 1) farm
    )
    SELECT count(*)::int AS found,
      (count(*) FILTER (WHERE is_organic))::int AS organic,
      (count(*) FILTER (WHERE in_stock))::int AS "inStock",
      (SELECT COALESCE(sum(count) FILTER (WHERE accepts_pickup), 0)::int FROM farms) AS pickup,
      (SELECT COALESCE(sum(count) FILTER (WHERE accepts_delivery), 0)::int FROM farms) AS delivery,
      min(price_minor) AS "minPrice", max(price_minor) AS "maxPrice",
      (SELECT COALESCE(json_agg(
          json_build_object('id', id, 'name', name, 'names', names, 'count', count)), '[]')
        FROM categories JOIN (
          SELECT category_id, count(*)::int FROM found GROUP BY category_id
        ) counted ON counted.category_id = categories.id) AS categories,
      (SELECT COALESCE(json_agg(json_build_object('id', id, 'name', name, 'count', count)), '[]')
        FROM (SELECT * FROM farms ORDER BY count DESC, id LIMIT ${FARMS_MAX}::int) most) AS farmers,
      (SELECT COALESCE(json_agg(json_build_object('name', name, 'count', count)), '[]')
        FROM (
          -- A farm with two places in a town counts once there, however the town is spelled.
          SELECT min(town) AS name, sum(count)::int AS count
          FROM (SELECT DISTINCT ON (id, search_form(town)) count, town, search_form(town) AS form
            FROM farms, unnest(towns) town WHERE town <> '' ORDER BY id, search_form(town), town) of_farm
          GROUP BY form ORDER BY count DESC, form LIMIT ${TOWNS_MAX}::int) most) AS towns
    FROM found`;
  // An aggregate answers one row, whatever it finds.
  return counts as Counts;
}

/** Returns a farm as a choice that finds nothing, or undefined when there is none. */
async function farmNamed({ db }: Platform, id: string) {
  const [farm] = await db.$queryRaw<{ id: string; name: string }[]>`
    SELECT u.id, COALESCE(NULLIF(f.farm_name, ''), u.name) AS name
    FROM users u JOIN farmer_profiles f ON f.user_id = u.id
    WHERE u.id = ${id}::uuid AND u.deleted_at IS NULL AND u.suspended_at IS NULL
      AND f.approved_at IS NOT NULL`;
  return farm && { ...farm, count: 0 };
}

/**
 * Presents counts. `without` returns those of the products that fit all filters but this one; `farm` is the chosen one,
 * which is a choice even where it has nothing.
 */
export function presentFacets(
  all: Counts,
  without: (choice: Choice) => Counts,
  farm?: Counts['farmers'][number],
): ProductFacets {
  const prices = without('prices');
  const { farmers } = without('farmer');
  const isListed = !farm || farmers.some(({ id }) => id === farm.id);
  return {
    found: countIn(all, all.found),
    organic: countIn(without('organic'), without('organic').organic),
    inStock: countIn(without('inStock'), without('inStock').inStock),
    pickup: countIn(without('orderType'), without('orderType').pickup),
    delivery: countIn(without('orderType'), without('orderType').delivery),
    categories: choicesIn(without('category'), without('category').categories),
    farmers: choicesIn(without('farmer'), isListed ? farmers : [...farmers, farm]),
    towns: choicesIn(
      without('town'),
      without('town').towns.map((town) => ({ id: town.name, ...town })),
    ).map(({ _id: _, ...town }) => town),
    prices:
      prices.minPrice === null || prices.maxPrice === null
        ? null
        : { min: fromMinor(prices.minPrice), max: fromMinor(prices.maxPrice) },
  };
}

const countIn = ({ found }: Counts, among: number): FacetCount => ({
  // One more than is counted is read, to know that there are more.
  count: Math.min(among, COUNTED_MAX),
  isExact: found <= COUNTED_MAX,
});

const choicesIn = (counts: Counts, choices: Counts['categories']) =>
  choices
    .map(({ id, name, names, count: among }) => ({
      _id: id,
      name,
      ...presentNames(names),
      ...countIn(counts, among),
    }))
    .sort((a, b) => compareNames(a.name, b.name) || (a._id < b._id ? -1 : 1));
