import type { Database, Transaction } from '../../../prisma/client.ts';
import { findSize } from '../../catalogue/products/sizes.ts';

/** What names goods: a product, in a size where it is sold in one. */
interface NamedGoods {
  product: { _id: string | null };
  size?: { _id: string } | undefined;
}

/** Returns the SKU of goods; undefined without one. */
export type SkuOf = (goods: NamedGoods) => string | undefined;

/** Reads the SKUs that these goods have now: an order keeps none, so that a correction is printed at once. */
export async function readSkus(
  db: Database | Transaction,
  goods: readonly NamedGoods[],
): Promise<SkuOf> {
  const ids = goods.flatMap(({ product }) => product._id ?? []);
  const products = await db.product.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true, sku: true, sizes: true },
  });
  const known = new Map(products.map((product) => [product.id, product]));
  return ({ product: { _id }, size }) => {
    const product = known.get(_id ?? '');
    if (!product) return undefined;
    return (size ? findSize(product, size._id)?.sku : product.sku) ?? undefined;
  };
}
