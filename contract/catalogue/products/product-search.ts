import {
  isPriceInRange,
  tooHigh,
  tooManyDecimals,
} from '#contract/catalogue/products/constants/prices';
import {
  ORDER_TYPES,
  PRODUCT_SORTS,
  TOWN_MAX,
} from '#contract/catalogue/products/constants/products';
import { Amount, Id, ListQuery, named, text } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { fitsCurrency } from '#contract/platform/money/constants';
import { t } from '#contract/platform/text/constants/texts';

// What narrows and sorts a list of products, and the counts beside each choice.

export const ProductSort = z.enum(PRODUCT_SORTS);
export type ProductSort = z.infer<typeof ProductSort>;

/** A yes that is asked for; `false` is the same as nothing. */
const Flag = z.enum(['true', 'false']);

const PriceLimit = z.coerce
  .number({ error: () => t('Enter the price as a number.') })
  .min(0, { error: () => t("A price can't be below 0.") })
  .refine(isPriceInRange, { error: tooHigh })
  .refine(fitsCurrency, { error: tooManyDecimals });

const Filters = z.object({
  category: Id.optional(),
  farmer: Id.optional(),
  /**
   * Found in the name, the description, the sizes that are on, and the name and place of the farm, whatever case or
   * accents, in the singular and the plural.
   */
  search: text(200).optional(),
  /** Only organic products. */
  organic: Flag.optional(),
  /** Only products that are not sold out. */
  inStock: Flag.optional(),
  /** Only products of farms that offer pickup, or delivery. */
  orderType: z.enum(ORDER_TYPES).optional(),
  /** Only products of farms that are in this town or have a pickup place there, whatever case or accents. */
  town: text(TOWN_MAX).optional(),
  minPrice: PriceLimit.optional(),
  maxPrice: PriceLimit.optional(),
});

const isRange = ({
  minPrice,
  maxPrice,
}: {
  minPrice?: number | undefined;
  maxPrice?: number | undefined;
}) => minPrice === undefined || maxPrice === undefined || minPrice <= maxPrice;
const noRange = {
  path: ['maxPrice'],
  error: () => t("The highest price can't be below the lowest."),
};

/** What narrows a list of products. */
export const ProductFilters = Filters.refine(isRange, noRange);
export type ProductFilters = z.infer<typeof ProductFilters>;

export const ProductListQuery = ListQuery.extend({
  ...Filters.shape,
  /**
   * `relevance` is for a search: what is sold out comes last; before that, names come before descriptions and these
   * before farms and places, each whole words first. It ranks the newest products that fit, up to 1,000; the other
   * sorts have all.
   */
  sort: ProductSort.default('newest'),
}).refine(isRange, noRange);
export type ProductListQuery = z.infer<typeof ProductListQuery>;

/** How many products fit a choice. */
export const FacetCount = named('FacetCount', {
  count: z.int(),
  /** False when there are more: large markets are not counted to the end. */
  isExact: z.boolean(),
});
export type FacetCount = z.infer<typeof FacetCount>;

/** A category or a farm as a choice. */
export const FacetChoice = FacetCount.extend({
  _id: Id,
  name: z.string(),
  /** Of a category, as there. */
  names: z.record(z.string(), z.string()).optional(),
}).meta({
  id: 'FacetChoice',
});

/** A town as a choice. */
const TownChoice = FacetCount.extend({ name: z.string() }).meta({ id: 'TownChoice' });

/** How many products each choice of a filter would find, with all other filters as they are. */
export const ProductFacets = named('ProductFacets', {
  found: FacetCount,
  organic: FacetCount,
  inStock: FacetCount,
  pickup: FacetCount,
  delivery: FacetCount,
  /** Those with products, by name. */
  categories: z.array(FacetChoice),
  /** Those with the most products, by name, and the one that is chosen. */
  farmers: z.array(FacetChoice),
  /** Where farms with the most products are or one can pick them up, by name. Absent only in answers of an older server. */
  towns: z.array(TownChoice).optional(),
  /** The lowest and the highest price among them; null when there are none. */
  prices: z.object({ min: Amount, max: Amount }).nullable(),
});
export type ProductFacets = z.infer<typeof ProductFacets>;
