import { LOW_STOCK } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import { quantityUnit } from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { isSoldOut, minimumOf } from '#contract/platform/quantities/constants/steps';
import { readAwaited, takeStockAlerts } from '../../../server/catalogue/stock/stock-alerts.ts';
import { type Definition, type Effect, settle } from '../engine/definition.ts';
import { because, nameInText } from '../engine/wording.ts';

/** Notifies a farmer that an admin hid one of their products, with the reason, or showed it again. */
const productHidden: Definition<'product.hidden'> = {
  kind: 'product.hidden',
  reach: 'market',
  concerns: 'changeProducts',
  action: 'View product',
  subject: () => 'An admin changed whether one of your products is shown',
  digest: (count) => `An admin changed whether ${count} of your products are shown`,
  reactions: {
    'product.hidingChanged': ({ data: { _id, name, farmer, reason, version } }) => {
      const product = nameInText(name, 'A product');
      return [
        {
          do: 'notify',
          userId: farmer,
          kind: 'product.hidden',
          key: `product.hidden:${_id}:${version}`,
          title: reason === null ? `${product} is no longer hidden` : `${product} was hidden`,
          body:
            reason === null
              ? 'An admin has shown it again. Customers see it if it is active.'
              : `An admin has hidden it. Your other products aren't affected.${because(reason)}`,
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
  action: 'Update stock',
  subject: () => 'A product needs restocking',
  digest: (count) => `${count} products are running low`,
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
      const isEmpty = product.quantityAvailable === 0;
      return [
        {
          do: 'notify',
          unlessFlag: flag.key,
          userId: product.farmer._id,
          kind: 'stock.low',
          key: `stock.low:${product._id}:${product.version}`,
          title: `${nameInText(product.name, 'A product')} is ${isEmpty ? 'sold out' : 'running low'}`,
          body: isEmpty
            ? "There's none left. Restock it so customers can order again."
            : leftSentence(product),
          link: linkOf(product),
        },
      ];
    },
    'product.deleted': ({ data }) => [{ do: 'clearFlag', key: flagKey(data._id) }],
  },
};

/** Says how much is left, and that nobody can order it where it is less than the smallest order. */
function leftSentence(product: Product): string {
  const unit = quantityUnit(product);
  const left = `Only ${formatQuantity(product.quantityAvailable, unit)} left`;
  if (!isSoldOut(product)) return `${left}.`;
  return `${left}, less than the smallest order of ${formatQuantity(minimumOf(product), unit)}.`;
}

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
  action: 'View product',
  subject: () => 'A product you asked about is back in stock',
  digest: (count) => `${count} products you asked about are back in stock`,
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
    const title = `${nameInText(product.name, 'A product')} is back in stock`;
    return [
      ...userIds.map((userId) => ({
        do: 'notify' as const,
        userId,
        kind: 'stock.back' as const,
        key: `${PREFIX}${productId}:${product.version}`,
        title,
        body: 'You asked to be told. Order while there is some.',
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
