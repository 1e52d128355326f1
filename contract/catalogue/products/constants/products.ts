import type { Calls } from '#contract/platform/http/constants';
import { toMilli } from '#contract/platform/quantities/constants/quantities';
import { minimumOf, type Stocked } from '#contract/platform/quantities/constants/steps';

export const IMAGES_MAX = 5;
/** How many products one farm may have, inactive ones included. */
export const PRODUCTS_PER_FARM_MAX = 5000;
/** How many products one call can change the stock of. */
export const STOCK_BATCH_MAX = 100;
/** Below this many a product is low on stock: see {@link lowMilli}. */
export const LOW_STOCK = 10;

/** Whether a product has a stock, or there is always enough of it. */
export const AVAILABILITIES = ['counted', 'always'] as const;
export type Availability = (typeof AVAILABILITIES)[number];

/** Returns below which stock a product is low, in thousandths: so many units; with sizes, so many smallest orders. */
export const lowMilli = ({ sizes }: Pick<Stocked, 'sizes'>): number =>
  LOW_STOCK * toMilli(sizes?.length ? minimumOf({ sizes }) : 1);

/** Returns whether little of a product is left, or nothing. What is always available never runs low. */
export const isLow = (product: Stocked & { availability?: Availability | undefined }): boolean =>
  product.availability !== 'always' && toMilli(product.quantityAvailable) < lowMilli(product);

/** The fourteen kinds of allergens that are declared in the European Union: Regulation 1169/2011, annex II. */
export const ALLERGENS = [
  'gluten',
  'crustaceans',
  'eggs',
  'fish',
  'peanuts',
  'soy',
  'milk',
  'nuts',
  'celery',
  'mustard',
  'sesame',
  'sulphites',
  'lupin',
  'molluscs',
] as const;
export type Allergen = (typeof ALLERGENS)[number];

export const INGREDIENTS_MAX = 2000;
export const STORAGE_MAX = 300;
export const ORIGIN_MAX = 100;

/** The longest reason an admin gives for hiding a product, in characters. */
export const HIDING_REASON_MAX = 500;

export const PRODUCT_SORTS = ['newest', 'price-asc', 'price-desc', 'relevance'] as const;

/** How a farm's products can reach their consumer. */
export const ORDER_TYPES = ['pickup', 'delivery'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

/** The parameters of `/products` in the client that hold the search and the filters. */
export const PRODUCT_FILTERS = [
  'search',
  'category',
  'farmer',
  'organic',
  'inStock',
  'orderType',
  'town',
  'minPrice',
  'maxPrice',
] as const;

/** The longest name of a town that is filtered by. */
export const TOWN_MAX = 100;

/** Returns whether a product can be handed over on a day by the farm's clock: not after its last one. */
export const canBeHadOn = (
  { availableUntil }: { availableUntil: string | null },
  day: string,
): boolean => availableUntil === null || day <= availableUntil;

/** Returns whether the catalogue lists a product: active, and its last day is not before the farm's today. */
export const isListed = (
  product: { isActive: boolean; availableUntil: string | null },
  today: string,
): boolean => product.isActive && canBeHadOn(product, today);

export const productsApi = {
  list: { method: 'GET', path: '/products' },
  facets: { method: 'GET', path: '/products/facets' },
  own: { method: 'GET', path: '/products/farmer/me' },
  detail: { method: 'GET', path: '/products/:id' },
  use: { method: 'GET', path: '/products/:id/use' },
  create: { method: 'POST', path: '/products' },
  updateStock: { method: 'PUT', path: '/products/stock' },
  update: { method: 'PUT', path: '/products/:id' },
  remove: { method: 'DELETE', path: '/products/:id' },
  setHiding: { method: 'PUT', path: '/products/:id/hiding' },
} as const satisfies Calls;
