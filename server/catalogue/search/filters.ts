import type { ProductFilters } from '#contract/catalogue/products/product-search';
import { toMinor } from '#contract/platform/money/constants';
import { MILLI } from '#contract/platform/quantities/constants/quantities';
import { Prisma } from '../../../prisma/generated/client.ts';

/** The filters that can be chosen beside a search; the prices are one. */
export const CHOICES = ['category', 'farmer', 'organic', 'inStock', 'orderType', 'prices'] as const;
export type Choice = (typeof CHOICES)[number];

type Filters = Omit<ProductFilters, 'search'>;

/** The condition of a product (`p`) of which the smallest order is in stock. */
export const HAS_STOCK = Prisma.sql`p.stock_milli >= COALESCE(p.minimum_milli, p.step_milli, ${MILLI}::int)`;

const OFFERS = {
  pickup: Prisma.sql`farm.accepts_pickup`,
  delivery: Prisma.sql`farm.accepts_delivery`,
};

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
