import { isSoldOut } from '#contract/platform/quantities/constants/steps';
import { readAwaited, takeStockAlerts } from '../../../server/catalogue/stock/stock-alerts.ts';
import type { Definition, Effect } from '../engine/definition.ts';
import { nameInText } from '../engine/wording.ts';

const PREFIX = 'stock.back:';
/** Stands in a key where the id of a farm follows, in place of a product's. */
const FARM = 'farm';
/** How many people one run notifies, so that a statement stays small however many wait. */
const PEOPLE_PER_RUN = 500;

/** Notifies customers who asked for it, once, that a product is back in stock. */
export const stockBack: Definition<'stock.back'> = {
  kind: 'stock.back',
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
  // The key is `stock.back:<product>:<occasion>`, from the second run on with its number, or `stock.back:farm:<farm>:<event>`.
  // A timer of a key is set once: each return of a farm is an occasion of its own.
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

/** Sets the timer that notifies whoever waits for a product, if anybody does. */
const scheduleFor = (productId: string, farmId: string, occasion: string): Effect => ({
  do: 'schedule',
  userId: farmId,
  kind: 'stock.back',
  key: `${PREFIX}${productId}:${occasion}`,
  needsAlertOf: productId,
});
