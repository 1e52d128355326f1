import { LOW_STOCK, type Product } from '#contract/products';
import type { Definition, Ways } from './definition.ts';
import { counted } from './wording.ts';

/** A product that came to run low, to its farmer; again only after it was restocked. */
export const stockLow: Definition = {
  kind: 'stock.low',
  action: 'Update stock',
  digest: (count) => `${count} products are running low`,
  reactions: {
    // One that starts low has not crossed anything.
    'product.created': async ({ data: product }, { tx }) => {
      if (isLow(product)) await markLow(product, tx);
    },
    'product.updated': async ({ data: product }, { tx, tell }) => {
      if (!isLow(product)) {
        await tx.notificationDelivery.deleteMany({ where: { key: markOf(product) } });
        return;
      }
      if (!(await markLow(product, tx)) || !product.isActive) return;
      await tell({
        userId: product.farmer._id,
        kind: 'stock.low',
        key: `stock.low:${product._id}:${product.version}`,
        title:
          product.quantityAvailable === 0
            ? `${product.name} is sold out`
            : `${product.name} is running low`,
        body:
          product.quantityAvailable === 0
            ? 'There is none left. Restock it so that customers can order again.'
            : `${counted(product.quantityAvailable, product.unit === 'each' ? 'piece' : product.unit)} left.`,
        link: `/farmer/products/edit/${product._id}`,
      });
    },
    'product.deleted': async ({ data }, { tx }) => {
      await tx.notificationDelivery.deleteMany({ where: { key: markOf(data) } });
    },
  },
};

const isLow = (product: Product): boolean => product.quantityAvailable < LOW_STOCK;

/** Kept while a product is low: the row in the ledger says that its farmer knows. */
const markOf = (product: { _id: string }): string => `stock.low:${product._id}`;

/** @returns false when it was low already */
async function markLow(product: Product, tx: Ways['tx']): Promise<boolean> {
  const { count } = await tx.notificationDelivery.createMany({
    data: {
      userId: product.farmer._id,
      key: markOf(product),
      channel: 'in_app',
      kind: 'stock.low',
      status: 'sent',
    },
    skipDuplicates: true,
  });
  return count > 0;
}
