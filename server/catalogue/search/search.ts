import type { ProductFilters } from '#contract/catalogue/products/product-search';
import { toMinor } from '#contract/platform/money/constants';
import { MILLI } from '#contract/platform/quantities/constants/quantities';
import { searchForm } from '#contract/platform/text/constants/names';
import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { OF_OPEN_FARM } from '../../farm/farmers/policy.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { partOf } from '../../platform/stores/sql.ts';
import { UNKNOWN_ALLERGENS } from '../products/present.ts';
import { closestWord, commonStart, formsOf, otherNamesOf } from './word-forms.ts';

/** What a search looks for: products that have all of these phrases, which are in search form. */
export interface Search {
  phrases: readonly string[];
  /** Only products that are marked as organic. */
  isOrganic?: boolean;
  /** What is searched for in place of what was typed. */
  corrected?: string;
}

/** Returns the search for a text as it is typed. */
export const searchFor = (typed: string): Search => ({ phrases: [searchForm(typed)] });

/** Products that everyone may find, of the table `p` and its `farmer`. */
export const LISTED: readonly Prisma.Sql[] = [
  Prisma.sql`p.is_active`,
  Prisma.sql`(p.available_until IS NULL OR p.available_until > day_in('UTC')
    OR p.available_until >= day_in('UTC') - 1 AND is_last_day_ahead(p.farmer_id, p.available_until))`,
  Prisma.sql`farmer.deleted_at IS NULL`,
  OF_OPEN_FARM,
];

export const allOf = (conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  Prisma.join([...conditions], ' AND ');

/** A run of letters or digits that the trigram index can find. */
const INDEXED = /[\p{L}\p{N}]{3}/u;
/** How many of the newest products are searched for a phrase that no index finds, such as "%" or "ox". */
const UNINDEXED_ROWS_MAX = 20_000;

/**
 * Returns from where the products (`p`) that fit `conditions` are read, newest first where it is read in part. A phrase
 * without a trigram is looked for among the newest products only, since it would else read them all.
 */
export function sourceOf(search: Search | null, conditions: readonly Prisma.Sql[]): Prisma.Sql {
  const isIndexed =
    !search || search.phrases.some((phrase) => INDEXED.test(commonStart(formsOf(phrase))));
  if (isIndexed) {
    return Prisma.sql`products p JOIN users farmer ON farmer.id = p.farmer_id`;
  }
  return Prisma.sql`(
    SELECT p.* FROM products p JOIN users farmer ON farmer.id = p.farmer_id
    WHERE ${allOf(conditions)}
    ORDER BY p.created_at DESC, p.id DESC LIMIT ${UNINDEXED_ROWS_MAX}
  ) p JOIN users farmer ON farmer.id = p.farmer_id`;
}

/** Returns the condition of the products that a search finds. */
export async function foundBy(db: Database, { phrases, isOrganic }: Search): Promise<Prisma.Sql> {
  const found = await Promise.all(phrases.map((phrase) => hasPhrase(db, phrase)));
  return allOf(isOrganic ? [Prisma.sql`p.is_organic`, ...found] : found);
}

/**
 * What makes a product one that has the phrase: its text holds it, as a part of a word too; or it holds another form of
 * it at the end of a word, so that "peas" finds a pea, but no peach.
 */
async function hasPhrase(db: Database, phrase: string): Promise<Prisma.Sql> {
  const endings = formsOf(phrase).filter((form) => !form.startsWith(phrase));
  const start = commonStart([phrase, ...endings]);
  const isForm =
    endings.length === 0
      ? Prisma.empty
      : Prisma.sql`AND (p.search_text LIKE ${partOf(phrase)} OR p.search_text ~ ${wordEnd(endings)})`;
  const rare = start.includes(' ') ? await rareWord(db, start) : null;
  if (!rare) return Prisma.sql`(p.search_text LIKE ${partOf(start)} ${isForm})`;
  // For a phrase the index compares the long lists of all its words. So it finds those with the rare
  // word alone, and the phrase, as an expression that it does not know, is looked for in these few.
  return Prisma.sql`p.id = ANY (ARRAY(
    SELECT p.id FROM products p
    WHERE p.search_text LIKE ${rare} AND p.search_text || '' LIKE ${partOf(start)} ${isForm}))`;
}

/** Returns the regular expression of a text with one of these forms at the end of a word. */
const wordEnd = (forms: readonly string[]): string =>
  `(${forms.map((form) => form.replace(/[^\p{L}\p{N}_\s]/gu, '\\$&')).join('|')})\\M`;

/** The pattern of the word that narrows a phrase most, or null when all its words are common. */
async function rareWord(db: Database, phrase: string): Promise<string | null> {
  const [row] = await db.$queryRaw<{ pattern: string | null }[]>`
    SELECT rare_word_pattern(${phrase}) AS pattern`;
  return row?.pattern ?? null;
}

/** What sold-out products have on top of their rank. */
const SOLD_OUT_RANK = 10;

const PUNCTUATION_OR_SPACE = /[!-/:-@[-`{-~\s]+/g;

/** Returns the words of a text in search form, one space between them, as `search_words` does in SQL. */
const wordsOf = (text: string): string => text.replace(PUNCTUATION_OR_SPACE, ' ').trim();

/** Returns the condition of a name that holds the beginnings of all phrases, for the index of names. */
export const isNamed = ({ phrases }: Search): Prisma.Sql =>
  allOf([
    Prisma.sql`TRUE`,
    ...phrases.map(
      (phrase) => Prisma.sql`p.name_text LIKE ${partOf(wordsOf(commonStart(formsOf(phrase))))}`,
    ),
  ]);

/**
 * Returns how well a product (`p`) fits a search, 0 best: names before descriptions before farms and places; whole
 * words before beginnings before other parts; what is sold out last. Of several phrases the worst counts.
 */
export const rankOf = ({ phrases }: Search): Prisma.Sql => Prisma.sql`(
  GREATEST(${Prisma.join([Prisma.sql`0`, ...phrases.map(rankOfPhrase)])})
  + CASE WHEN ${HAS_STOCK} THEN 0 ELSE ${SOLD_OUT_RANK}::int END)`;

function rankOfPhrase(phrase: string): Prisma.Sql {
  const part = wordsOf(phrase);
  // Punctuation alone stands in no word: all that have it are alike.
  if (part === '') return Prisma.sql`0`;
  const forms = formsOf(part);
  const beginning = `% ${part}%`;
  const anywhere = `%${part}%`;
  const words = forms.map((form) => `% ${form} %`);
  return Prisma.sql`CASE
    WHEN p.name_text = ANY (${forms.map((form) => ` ${form} `)}::text[]) THEN 0
    WHEN p.name_text LIKE ${`% ${part} %`} THEN 1
    WHEN p.name_text LIKE ANY (${words}::text[]) THEN 2
    WHEN p.name_text LIKE ${beginning} THEN 3
    WHEN p.name_text LIKE ${anywhere} THEN 4
    ELSE (SELECT CASE
      WHEN search_text LIKE ANY (${words}::text[]) THEN 5
      WHEN search_text LIKE ${beginning} THEN 6
      WHEN search_text LIKE ${anywhere} THEN 7
      ELSE 8 END FROM search_words(p.description) AS search_text)
    END`;
}

/** Returns whether anything on the market has what is searched for. */
async function isFound(db: Database, search: Search): Promise<boolean> {
  const found = await foundBy(db, search);
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM ${sourceOf(search, LISTED)} WHERE ${allOf([...LISTED, found])}
    ORDER BY p.created_at DESC, p.id DESC LIMIT 1`;
  return rows.length > 0;
}

/** The word on the mark of organic goods, which few descriptions repeat. */
const ORGANIC_WORD = 'organic';
/** A longer search is one sentence rather than several words. */
const WORDS_MAX = 6;
const CORRECTABLE = /^\p{L}{3,40}$/u;
/** How many of the nearest words are compared, and how many of these looked for. */
const SIMILAR_WORDS_MAX = 30;
const WORDS_TRIED_MAX = 3;

/**
 * Returns what to search for in place of a search of which the market has nothing: the same words in any order, with
 * each unknown one replaced by another name of the same goods, or by the most similar word that a product's name has.
 * The word organic means the mark.
 * Null when the market has the phrase (only the filters find nothing), or nothing is similar.
 */
export async function otherSearch(db: Database, search: Search): Promise<Search | null> {
  if (await isFound(db, search)) return null;
  // 'bell peppers' has another name, 'bell' and 'peppers' have none.
  const [phrase = ''] = search.phrases;
  const named = search.phrases.length === 1 ? await otherName(db, phrase) : null;
  if (named !== null) return { phrases: [named], corrected: named };
  const words = [...new Set(search.phrases.flatMap((phrase) => phrase.split(/\s+/)))];
  if (words.length > WORDS_MAX) return null;
  const meant: string[] = [];
  for (const word of words) {
    const isKnown = word === ORGANIC_WORD || (await isFound(db, { phrases: [word] }));
    const known = isKnown ? word : ((await otherName(db, word)) ?? (await similarWord(db, word)));
    if (known === null) return null;
    meant.push(known);
  }
  const isOrganic = meant.includes(ORGANIC_WORD);
  const other: Search = {
    phrases: meant.filter((word) => word !== ORGANIC_WORD),
    ...(isOrganic && { isOrganic }),
  };
  const isSame = meant.every((word, index) => word === words[index]);
  if (isSame) return words.length > 1 || isOrganic ? other : null;
  return { ...other, corrected: meant.join(' ') };
}

/** Returns another name of the same goods that finds anything. */
async function otherName(db: Database, unknown: string): Promise<string | null> {
  for (const name of otherNamesOf(unknown)) {
    if (await isFound(db, { phrases: [name] })) return name;
  }
  return null;
}

/** Returns the most similar word that finds anything. */
async function similarWord(db: Database, unknown: string): Promise<string | null> {
  // Anyone who types punctuation means it.
  if (!CORRECTABLE.test(unknown)) return null;
  const rows = await db.$queryRaw<{ word: string }[]>`
    SELECT word FROM search_words ORDER BY word <-> ${unknown} LIMIT ${SIMILAR_WORDS_MAX}`;
  const near = rows.map((row) => row.word);
  for (let tried = 0; tried < WORDS_TRIED_MAX; tried++) {
    const meant = closestWord(unknown, near);
    if (meant === undefined) return null;
    if (await isFound(db, { phrases: [meant] })) return meant;
    near.splice(near.indexOf(meant), 1);
  }
  return null;
}

/** The filters that can be chosen beside a search; the prices are one. */
const CHOICES = [
  'category',
  'farmer',
  'organic',
  'inStock',
  'orderType',
  'town',
  'without',
  'prices',
] as const;
export type Choice = (typeof CHOICES)[number];

type Filters = Omit<ProductFilters, 'search'>;

/** The condition of a product (`p`) of which the smallest order is in stock. */
export const HAS_STOCK = Prisma.sql`p.stock_milli >= COALESCE(p.minimum_milli, p.step_milli, ${MILLI}::int)`;

const OFFERS = {
  pickup: Prisma.sql`farm.accepts_pickup`,
  delivery: Prisma.sql`farm.accepts_delivery`,
};

/** The towns of a farm, of `u`, as a set of texts: its own, and those of the places where one can pick up. */
export const townsOf = (farm: 'farm' | 'f'): Prisma.Sql =>
  Prisma.raw(`(
  SELECT u.city AS town UNION ALL
  SELECT place->>'town' FROM jsonb_array_elements(${farm}.pickup_places) place
  WHERE ${farm}.accepts_pickup)`);

const CONDITIONS: Record<Choice, (filters: Filters) => Prisma.Sql[]> = {
  category: ({ category }) => (category ? [Prisma.sql`p.category_id = ${category}::uuid`] : []),
  farmer: ({ farmer }) => (farmer ? [Prisma.sql`p.farmer_id = ${farmer}::uuid`] : []),
  organic: ({ organic }) => (organic === 'true' ? [Prisma.sql`p.is_organic`] : []),
  inStock: ({ inStock }) => (inStock === 'true' ? [HAS_STOCK] : []),
  orderType: ({ orderType }) =>
    orderType
      ? [
          Prisma.sql`EXISTS (SELECT FROM farmer_profiles farm
            WHERE farm.user_id = p.farmer_id AND ${OFFERS[orderType]})`,
        ]
      : [],
  // The farms are looked up once for a statement.
  town: ({ town }) =>
    town
      ? [
          Prisma.sql`p.farmer_id = ANY (ARRAY(
            SELECT farm.user_id FROM farmer_profiles farm JOIN users u ON u.id = farm.user_id
            WHERE search_form(${town}) = ANY (
              SELECT search_form(town) FROM ${townsOf('farm')} towns)))`,
        ]
      : [],
  without: ({ without }) =>
    without
      ? [Prisma.sql`NOT p.allergens && ${[UNKNOWN_ALLERGENS, ...without.split(',')]}::text[]`]
      : [],
  prices: ({ minPrice, maxPrice }) => [
    ...(minPrice === undefined ? [] : [Prisma.sql`p.price_minor >= ${toMinor(minPrice)}::int`]),
    ...(maxPrice === undefined ? [] : [Prisma.sql`p.price_minor <= ${toMinor(maxPrice)}::int`]),
  ],
};

/** Returns the conditions of the products (`p`) that fit the filters; `without` leaves one out. */
export const filteredBy = (filters: Filters, without?: Choice): Prisma.Sql[] =>
  CHOICES.filter((choice) => choice !== without).flatMap((choice) => CONDITIONS[choice](filters));

/** Returns the filters that are set. */
export const chosenIn = (filters: Filters): Choice[] =>
  CHOICES.filter((choice) => CONDITIONS[choice](filters).length > 0);

/** A product on the market, and when it last changed. */
interface ListedId {
  id: string;
  updatedAt: Date;
}

/** Returns how many products are on the market. */
export async function countListed({ db }: Platform): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${sourceOf(null, LISTED)} WHERE ${allOf(LISTED)}`;
  return row?.count ?? 0;
}

/** Returns the products on the market, the oldest first, so that new ones move none to another part. */
export const listListedIds = (
  { db }: Platform,
  { offset, limit }: { offset: number; limit: number },
): Promise<ListedId[]> => db.$queryRaw<ListedId[]>`
  SELECT p.id, p.updated_at AS "updatedAt" FROM ${sourceOf(null, LISTED)}
  WHERE ${allOf(LISTED)}
  ORDER BY p.created_at, p.id OFFSET ${offset}::int LIMIT ${limit}::int`;
