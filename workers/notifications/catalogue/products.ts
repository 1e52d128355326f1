import { isLow } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import { theMarket } from '#contract/platform/market/constants';
import { stockUnit } from '#contract/platform/quantities/constants/pieces';
import { toMilli } from '#contract/platform/quantities/constants/quantities';
import { piecesLeft } from '#contract/platform/quantities/constants/sizes';
import { isSoldOut, minimumOf } from '#contract/platform/quantities/constants/steps';
import { msg, t } from '#contract/platform/text/constants/texts';
import { dayIn } from '#contract/platform/time/constants';
import { takeNewProducts, UNSEEN_MS } from '../../../server/catalogue/follows/new-products.ts';
import { lookAtFarm, runWave } from '../../../server/catalogue/follows/wave.ts';
import { nextMorning } from '../../../server/catalogue/stock/stock-events.ts';
import { setTimer } from '../../../server/platform/stores/timers.ts';
import { readClock } from '../../../server/platform/time/clock.ts';
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

type Goods = Pick<
  Product,
  | ('name' | 'unit' | 'unitLabel' | 'pieceWeight' | 'sizes' | 'quantityAvailable')
  | ('step' | 'minimum')
>;

/** Returns in what the stock of a product is counted. */
const countedIn = (product: Goods) => ({
  unit: stockUnit(product),
  unitLabel: product.unitLabel,
});

/** Returns how much is left, and the smallest order where nobody can order that. */
export function stockOf(product: Goods) {
  const { name, quantityAvailable, sizes } = product;
  const smallest = sizes?.find(
    (size) => size.isActive && minimumOf({ sizes: [size] }) === minimumOf(product),
  );
  return {
    product: name,
    ...countedIn(product),
    leftMilli: toMilli(quantityAvailable),
    minimumMilli: isSoldOut(product) ? toMilli(minimumOf(product)) : undefined,
    size: smallest && { label: smallest.label, pieces: piecesLeft(smallest, quantityAvailable) },
  };
}

const flagKey = (productId: string): string => `stock.low:${productId}`;

/** Returns the flag that is set while a product is low, so that its farmer is notified once. */
const flagOf = ({ _id, farmer }: Product) => ({
  userId: farmer._id,
  kind: 'stock.low' as const,
  key: flagKey(_id),
});

/** Stands in a key where the id of a farm follows, in place of a product's. */
const FARM = 'farm';

/** Notifies customers who wait for a product that it is back in stock, so many at a time as there is something for. */
const stockBack: Definition<'stock.back'> = {
  kind: 'stock.back',
  // Each one was asked for, once.
  reach: 'own',
  action: msg('View product'),
  endsFollows: ({ productId }) => productId,
  subject: () => t('A product you asked about is back in stock'),
  digest: (count) =>
    t(
      '{count, plural, one {# product you asked about is back in stock} other {# products you asked about are back in stock}}',
      { count },
    ),
  reactions: {
    'product.updated': ({ data: product }) =>
      product.isActive && !isSoldOut(product)
        ? [lookAt(product._id, product.farmer._id, `${product._id}:${product.version}`)]
        : [],
    // What was restocked while its farm was off the market or took no orders.
    'farmer.listingChanged': ({ data, seq }) => (data.isListed ? [lookAtFarmLater(data, seq)] : []),
    'farm.approvalChanged': ({ data, seq }) =>
      data.state === 'approved' ? [lookAtFarmLater(data, seq)] : [],
    'farmer.updated': ({ data, seq }) => [lookAtFarmLater(data, seq)],
  },
  // The key is the timer's kind, then `<product>:<occasion>` or `farm:<farm>:<occasion>`.
  remind: async (key, tx, env) => {
    const [, productId = '', farmId = ''] = key.split(':');
    if (productId === FARM) {
      await lookAtFarm(tx, farmId);
      return [];
    }
    const wave = await runWave(tx, productId, env.STOCK_WAVE_AFTER_SECONDS * 1000);
    if (!wave) return [];
    const { product, userIds, peopleCount } = wave;
    return userIds.map((userId) => ({
      do: 'notify' as const,
      userId,
      kind: 'stock.back' as const,
      key: `stock.back:${productId}:${product.version}`,
      params: {
        ...{ product: product.name, productId, ...countedIn(product), peopleCount },
        ...(product.availability === 'always'
          ? { isAlways: true as const }
          : { leftMilli: toMilli(product.quantityAvailable) }),
      },
      link: `/products/${productId}`,
    }));
  },
};

/** Sets the timer that looks whether those who wait for a product, or for one of a farm, are to be notified. */
const lookAt = (subject: string, farmId: string, occasion: string): Effect => ({
  do: 'schedule',
  userId: farmId,
  kind: 'stock.wave',
  key: `stock.wave:${occasion}`,
  needsFollowers: subject,
});

const lookAtFarmLater = ({ _id }: { _id: string }, seq: number): Effect =>
  lookAt(_id, _id, `${FARM}:${_id}:${seq}`);

/** Wall clock of the market: when people are notified of new products. */
const NEW_PRODUCTS_AT = '08:00';

/** Notifies customers once a day of what the farms that they follow have added. */
const newProducts: Definition<'farm.newProducts'> = {
  kind: 'farm.newProducts',
  reach: 'own',
  action: msg('Take a look'),
  reactions: {
    'product.created': ({ at, data: product }) => {
      if (!product.isActive || product.farmer.isDraft) return [];
      const { timeZone } = theMarket();
      const seenFrom = new Date(Date.parse(at) + UNSEEN_MS);
      const notBefore = nextMorning(timeZone, seenFrom, NEW_PRODUCTS_AT);
      return [
        {
          do: 'schedule',
          userId: product.farmer._id,
          kind: 'farm.newProducts',
          key: `farm.newProducts:${dayIn(timeZone, notBefore)}`,
          notBefore,
        },
      ];
    },
  },
  // The key is `farm.newProducts:<day>`, and where there are many people `:<the last one before>`.
  remind: async (key, tx) => {
    const [kind, day, after] = key.split(':');
    const news = await takeNewProducts(tx, after);
    const last = news.at(-1);
    if (last) {
      const next = `farm.newProducts:${day}:${last.userId}` as const;
      await setTimer(tx, { kind: 'farm.newProducts', key: next, dueAt: await readClock(tx) });
    }
    return news.map(({ userId, farmIds: [farmId, ...others], count, names }) => ({
      do: 'notify' as const,
      userId,
      kind: 'farm.newProducts' as const,
      key: `${kind}:${day}`,
      params: { count, names, ...(farmId && others.length === 0 ? { farm: { _id: farmId } } : {}) },
      link: farmId && others.length === 0 ? `/farmers/${farmId}` : '/favorites',
    }));
  },
};

/** By kind. */
export const productKinds = {
  'farm.newProducts': newProducts,
  'product.hidden': productHidden,
  'stock.back': stockBack,
  'stock.low': stockLow,
};
