import { LOW_STOCK, type Product } from '#contract/products';
import type { Definition } from './definition.ts';
import { counted } from './wording.ts';

/** A product that came to run low, to its farmer; again only after it was restocked. */
export const stockLow: Definition = {
  kind: 'stock.low',
  action: 'Update stock',
  digest: (count) => `${count} products are running low`,
  reactions: {
    // One that starts low has not crossed anything.
    'product.created': ({ data: product }) =>
      isLow(product) ? [{ do: 'mark', ...markOf(product) }] : [],
    'product.updated': ({ data: product }) => {
      const mark = markOf(product);
      if (!isLow(product)) return [{ do: 'unmark', key: mark.key }];
      if (!product.isActive) return [{ do: 'mark', ...mark }];
      return [
        {
          do: 'tell',
          mark: mark.key,
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
        },
      ];
    },
    'product.deleted': ({ data }) => [{ do: 'unmark', key: markKey(data._id) }],
  },
};

const isLow = (product: Product): boolean => product.quantityAvailable < LOW_STOCK;

const markKey = (productId: string): string => `stock.low:${productId}`;

/** Set while a product is low: its farmer knows. */
const markOf = ({ _id, farmer }: Product) => ({
  userId: farmer._id,
  kind: 'stock.low' as const,
  key: markKey(_id),
});
