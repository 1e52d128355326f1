import {
  productsApi as calls,
  HIDING_REASON_MAX,
  STOCK_BATCH_MAX,
} from '#contract/catalogue/products/constants/products';
import { HiddenProduct, Product } from '#contract/catalogue/products/product';
import {
  CreateProduct,
  ProductFields,
  UpdateProduct,
} from '#contract/catalogue/products/product-fields';
import {
  ProductFacets,
  ProductFilters,
  ProductListQuery,
} from '#contract/catalogue/products/product-search';
import { event, Reference } from '#contract/platform/events/event';
import { endpoints, forFarm, type InvalidatedBy } from '#contract/platform/http/endpoint';
import {
  ExpectedVersion,
  Id,
  idParams,
  ListQuery,
  list,
  named,
  one,
  text,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { mayMeetOrders } from '#contract/platform/orders/closing';
import { isEachOnce } from '#contract/platform/quantities/constants/sizes';
import { Quantity } from '#contract/platform/quantities/quantity';
import { t } from '#contract/platform/text/constants/texts';

/**
 * A product's stock, price or visibility; what is left out stays. With `size` the price is that of the
 * size. A stock says which one it replaces (`seen`), so that what was sold meanwhile is not put back. Only 0 needs no
 * `seen`: sold out is sold out, whatever it was.
 */
export const StockChange = z
  .object({
    product: Id,
    size: Id.optional(),
    quantityAvailable: ProductFields.shape.quantityAvailable,
    seen: Quantity.min(0).optional(),
    price: ProductFields.shape.price,
    isActive: z.boolean().optional(),
    /** With a stock of 0: what was seen is in stock again the next morning. */
    untilMorning: z.literal(true).optional(),
  })
  .refine(
    ({ quantityAvailable, price, isActive }) =>
      quantityAvailable !== undefined || price !== undefined || isActive !== undefined,
    { error: () => t('Say what to change.') },
  )
  .refine(
    ({ size, quantityAvailable, isActive }) =>
      size === undefined || (quantityAvailable === undefined && isActive === undefined),
    { path: ['size'], error: () => t('Only a price can be that of a size.') },
  )
  .refine(({ quantityAvailable, seen }) => !quantityAvailable || seen !== undefined, {
    path: ['seen'],
    error: () => t('Say which stock this replaces.'),
  })
  .refine(
    ({ quantityAvailable, seen, untilMorning }) =>
      !untilMorning || (quantityAvailable === 0 && seen !== undefined),
    {
      path: ['untilMorning'],
      error: () => t('Only what is sold out now can return in the morning.'),
    },
  );
export type StockChange = z.infer<typeof StockChange>;

export const UpdateStock = z.object({
  changes: z
    .array(StockChange)
    .min(1, { error: () => t('Choose at least one product.') })
    .max(STOCK_BATCH_MAX, {
      error: () =>
        t('Change at most {most, plural, one {# product} other {# products}} at once.', {
          most: STOCK_BATCH_MAX,
        }),
    })
    .refine(isEachOnce, { error: () => t('Each product can be changed only once.') }),
});
export type UpdateStock = z.infer<typeof UpdateStock>;

/**
 * What became of one product of several: the product as it is now, or why it did not change. If another
 * stock was seen than there is (`STOCK_CHANGED`), `current` is the product as it is.
 */
export const StockResult = z
  .union([
    z.object({ _id: Id, product: Product }),
    z.object({ _id: Id, code: z.string(), message: z.string(), current: Product.optional() }),
  ])
  .meta({ id: 'StockResult' });
export type StockResult = z.infer<typeof StockResult>;

/**
 * Open orders that hold goods of a product, substitutes of open proposals included: how many, and the first of them.
 * While there are any, its unit and whether it is sold by the piece stay as they are.
 */
export const ProductUse = named('ProductUse', { count: z.int(), ids: z.array(Id) });
export type ProductUse = z.infer<typeof ProductUse>;

/** Hides a product from the market, or shows it again. Only hiding needs a reason. */
export const SetProductHiding = z
  .object({
    hidden: z.boolean(),
    reason: text(HIDING_REASON_MAX).default(''),
    expectedVersion: ExpectedVersion,
  })
  .refine(({ hidden, reason }) => !hidden || reason !== '', {
    path: ['reason'],
    error: () => t('Tell the farmer why.'),
  });
export type SetProductHiding = z.infer<typeof SetProductHiding>;

/** How many products a farm's own list answers at once, and what is searched for: SKUs too. */
export const OwnProductListQuery = ListQuery.extend({
  search: text(200).optional(),
});
export type OwnProductListQuery = z.infer<typeof OwnProductListQuery>;

export const productEvents = {
  'product.created': event({
    data: Product,
    summary: 'A product came to the market.',
    audience: 'Everyone connected; an inactive one only to its farm and admins.',
    rooms: [['everyone'], ['farm', 'admins']],
    changesPublicReads: true,
  }),
  'product.updated': event({
    // Anyone who may no longer see the product learns only that it is hidden.
    data: z.union([Product, HiddenProduct]),
    summary: 'A product changed.',
    audience:
      'Those watching it and its farm. When it becomes inactive, everyone connected receives only that; its farm and admins get the whole product, then and for as long as it is inactive.',
    rooms: [
      ['product', 'farm'],
      ['product', 'farm', 'everyone'],
      ['farm', 'admins'],
      ['farm', 'admins', 'everyone'],
    ],
    changesPublicReads: true,
  }),
  'product.deleted': event({
    data: Reference,
    summary: 'A product was deleted.',
    audience: 'Everyone connected; an inactive one only to its farm and admins.',
    rooms: [['everyone'], ['farm', 'admins']],
    changesPublicReads: true,
  }),
  // Comes with a `product.updated`, which changes what is shown; this one says why.
  'product.hidingChanged': event({
    data: z.object({
      _id: Id,
      name: z.string(),
      /** The id of its farmer. */
      farmer: Id,
      /** Null when it is shown again. */
      reason: z.string().nullable(),
      /** The version that the change made. */
      version: z.int(),
    }),
    summary: 'An admin hid a product or showed it again.',
    audience: 'Its farm and admins.',
    rooms: [['farm', 'admins']],
  }),
};

/** A list holds stock, the names of farm and category, and what the farm offers. */
const changedByProducts = {
  'product.created': 'anyId',
  'product.updated': 'anyId',
  'product.deleted': 'anyId',
  'category.changed': 'anyId',
  'market.updated': 'never',
  'farmer.updated': 'anyId',
  'farmer.deleted': 'anyId',
  'farmer.listingChanged': 'anyId',
  'user.created': 'never',
  'user.deleted': 'never',
} satisfies InvalidatedBy;

export const productsApi = endpoints(calls, {
  list: {
    summary: 'Products on the market',
    access: 'public',
    query: ProductListQuery,
    answer: list(Product).extend({
      /** The words that were searched for instead, when nothing on the market has those that were asked for. */
      correctedSearch: z.string().optional(),
    }),
    rate: 'search',
    invalidatedBy: changedByProducts,
  },
  facets: {
    summary: 'How many products each choice of a filter finds',
    access: 'public',
    query: ProductFilters,
    answer: one(ProductFacets),
    rate: 'search',
    invalidatedBy: changedByProducts,
  },
  own: {
    summary: "The signed-in farmer's products, inactive ones too, newest first",
    ...forFarm('read'),
    query: OwnProductListQuery,
    answer: list(Product),
    rate: 'search',
  },
  detail: {
    summary: 'One product; an inactive one only for its farmer and admins',
    access: 'optional',
    invalidatedBy: {
      'product.created': 'never',
      'product.updated': 'sameId',
      'product.deleted': 'sameId',
      'category.changed': 'anyId',
      'market.updated': 'never',
      'farmer.updated': 'anyId',
      'farmer.deleted': 'anyId',
      'farmer.listingChanged': 'anyId',
      'user.created': 'never',
      'user.deleted': 'never',
    },
    params: idParams(() => t('Product not found')),
    answer: one(Product),
  },
  use: {
    summary: 'The open orders that keep the unit of a product as it is',
    access: ['farmer', 'admin'],
    farmPermission: 'changeProducts',
    params: idParams(() => t('Product not found')),
    answer: one(ProductUse),
  },
  create: {
    summary: 'Put a product on the market',
    ...forFarm('changeProducts'),
    body: CreateProduct,
    answer: one(Product),
    status: 201,
  },
  updateStock: {
    summary:
      "Change stock, price or visibility of some of one's products; each is decided for itself",
    ...forFarm('changeProducts'),
    body: UpdateStock,
    answer: one(z.array(StockResult)),
  },
  update: {
    summary: 'Change a product',
    access: ['farmer', 'admin'],
    farmPermission: 'changeProducts',
    params: idParams(() => t('Product not found')),
    body: UpdateProduct,
    ...mayMeetOrders(Product),
  },
  remove: {
    summary: 'Delete a product; orders keep their lines',
    access: ['farmer', 'admin'],
    farmPermission: 'changeProducts',
    params: idParams(() => t('Product not found')),
  },
  setHiding: {
    summary: 'Hide a product from the market with a reason for its farmer, or show it again',
    access: ['admin'],
    params: idParams(() => t('Product not found')),
    body: SetProductHiding,
    answer: one(Product),
  },
});
