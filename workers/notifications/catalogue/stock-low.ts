import { LOW_STOCK } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import { quantityUnit } from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { isSoldOut, minimumOf } from '#contract/platform/quantities/constants/steps';
import type { Definition } from '../engine/definition.ts';
import { nameInText } from '../engine/wording.ts';

/** Where its farmer changes the stock of a product: `linksOf` knows it as one about the product. */
const linkOf = ({ _id }: Product): string => `/farmer/products?view=stock&product=${_id}`;

/** Notifies the farmer of a product that runs low, until it is restocked; again only after that. */
export const stockLow: Definition<'stock.low'> = {
  kind: 'stock.low',
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
          { do: 'settle', userId: farmer._id, links: [linkOf(product)], kinds: ['stock.low'] },
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
          title:
            product.quantityAvailable === 0
              ? `${nameInText(product.name, 'A product')} is sold out`
              : `${nameInText(product.name, 'A product')} is running low`,
          body:
            product.quantityAvailable === 0
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
