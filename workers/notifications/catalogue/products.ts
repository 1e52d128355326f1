import { LOW_STOCK } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import { quantityUnit } from '#contract/platform/quantities/constants/pieces';
import { toMilli } from '#contract/platform/quantities/constants/quantities';
import { isSoldOut, minimumOf } from '#contract/platform/quantities/constants/steps';
import { msg, t } from '#contract/platform/text/constants/texts';
import { readAwaited, takeStockAlerts } from '../../../server/catalogue/stock/stock-alerts.ts';
import { type Definition, type Effect, settle } from '../engine/definition.ts';

/** Notifies a farmer that an admin hid one of their products, with the reason, or showed it again. */
const productHidden: Definition<'product.hidden'> = {
  kind: 'product.hidden',
  reach: 'market',
  concerns: 'changeProducts',
  action: msg('View product'),
  subject: () => t('An admin changed whether one of your products is shown'),
  digest: (count) =>
    t(
      'An admin changed whether {count, plural, one {# of your products is} other {# of your products are}} shown',
      { count },
    ),
  reactions: {
    'product.hidingChanged': ({ data: { _id, name, farmer, reason, version } }) => {
      return [
        {
          do: 'notify',
          userId: farmer,
          kind: 'product.hidden',
          key: `product.hidden:${_id}:${version}`,
          params: { product: name, isHidden: reason !== null, reason: reason ?? undefined },
          link: `/farmer/products/edit/${_id}`,
        },
      ];
    },
  },
};

/** Where its farmer changes the stock of a product: `linksOf` knows it as one about the product. */
const linkOf = ({ _id }: Product): string => `/farmer/products?view=stock&product=${_id}`;

/** Notifies the farmer of a product that runs low, until it is restocked; again only after that. */
export const stockLow: Definition<'stock.low'> = {
  kind: 'stock.low',
  reach: 'own',
  concerns: 'changeProducts',
  action: msg('Update stock'),
  subject: () => t('A product needs restocking'),
  digest: (count) =>
    t('{count, plural, one {# product is running low} other {# products are running low}}', {
      count,
    }),
  reactions: {
    // A product created with low stock has not run low.
    'product.created': ({ data: product }) =>
      isLow(product) ? [{ do: 'setFlag', ...flagOf(product) }] : [],
    'product.updated': ({ data: product }) => {
      const flag = flagOf(product);
      if (!isLow(product)) {
        const { farmer } = product;
        return [
          { do: 'clearFlag', key: flag.key },
          settle(farmer._id, linkOf(product), 'stock.low'),
        ];
      }
      if (!product.isActive) return [{ do: 'setFlag', ...flag }];
      return [
        {
          do: 'notify',
          unlessFlag: flag.key,
          userId: product.farmer._id,
          kind: 'stock.low',
          key: `stock.low:${product._id}:${product.version}`,
          params: stockOf(product),
          link: linkOf(product),
        },
      ];
    },
    'product.deleted': ({ data }) => [{ do: 'clearFlag', key: flagKey(data._id) }],
  },
};

/** Returns how much is left, and the smallest order where nobody can order that. */
const stockOf = (product: Product) => ({
  product: product.name,
  unit: quantityUnit(product),
  leftMilli: toMilli(product.quantityAvailable),
  minimumMilli: isSoldOut(product) ? toMilli(minimumOf(product)) : undefined,
});

const isLow = (product: Product): boolean => product.quantityAvailable < LOW_STOCK;

const flagKey = (productId: string): string => `stock.low:${productId}`;

/** Returns the flag that is set while a product is low, so that its farmer is notified once. */
const flagOf = ({ _id, farmer }: Product) => ({
  userId: farmer._id,
  kind: 'stock.low' as const,
  key: flagKey(_id),
});

const PREFIX = 'stock.back:';
/** Stands in a key where the id of a farm follows, in place of a product's. */
const FARM = 'farm';
/** How many people one run notifies, so that a statement stays small however many wait. */
const PEOPLE_PER_RUN = 500;

/** Notifies customers who asked for it, once, that a product is back in stock. */
const stockBack: Definition<'stock.back'> = {
  kind: 'stock.back',
  // Each one was asked for, once.
  reach: 'own',
  action: msg('View product'),
  subject: () => t('A product you asked about is back in stock'),
  digest: (count) =>
    t(
      '{count, plural, one {# product you asked about is back in stock} other {# products you asked about are back in stock}}',
      { count },
    ),
  reactions: {
    'product.updated': ({ data: product }) =>
      product.isActive && !isSoldOut(product)
        ? [scheduleFor(product._id, product.farmer._id, `${product.version}`)]
        : [],
    // What was restocked while its farm was off the market.
    'farmer.listingChanged': ({ data, seq }) => (data.isListed ? [checkFarm(data._id, seq)] : []),
    'farm.approvalChanged': ({ data, seq }) =>
      data.state === 'approved' ? [checkFarm(data._id, seq)] : [],
  },
  // The key is `stock.back:<product>:<occasion>`, from the second run on with its number, or
  // `stock.back:farm:<farm>:<event>`. A timer of a key is set once: each return of a farm is an occasion of its own.
  remind: async (key, tx) => {
    const [productId = '', occasion = '', run = '1'] = key.slice(PREFIX.length).split(':');
    if (productId === FARM) {
      const awaited = await readAwaited(tx, occasion);
      return awaited.map((id) => scheduleFor(id, occasion, `${FARM}${run}`));
    }
    const alerts = await takeStockAlerts(tx, productId, PEOPLE_PER_RUN);
    if (!alerts) return [];
    const { product, userIds } = alerts;
    return [
      ...userIds.map((userId) => ({
        do: 'notify' as const,
        userId,
        kind: 'stock.back' as const,
        key: `${PREFIX}${productId}:${product.version}`,
        params: { product: product.name },
        link: `/products/${productId}`,
      })),
      scheduleFor(productId, product.farmer._id, `${occasion}:${Number(run) + 1}`),
    ];
  },
};

/** Sets the timer that looks at all products of a farm for which somebody waits. */
const checkFarm = (farmId: string, seq: number): Effect => ({
  do: 'schedule',
  userId: farmId,
  kind: 'stock.back',
  key: `${PREFIX}${FARM}:${farmId}:${seq}`,
});

/** Sets the timer that notifies those who wait for a product, if there are any. */
const scheduleFor = (productId: string, farmId: string, occasion: string): Effect => ({
  do: 'schedule',
  userId: farmId,
  kind: 'stock.back',
  key: `${PREFIX}${productId}:${occasion}`,
  needsAlertOf: productId,
});

/** By kind. */
export const productKinds = {
  'product.hidden': productHidden,
  'stock.back': stockBack,
  'stock.low': stockLow,
};
