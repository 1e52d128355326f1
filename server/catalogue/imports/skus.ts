import type { Database, Transaction } from '../../../prisma/client.ts';

interface Given {
  sku?: string | null | undefined;
  sizes?: readonly { sku?: string | null | undefined }[] | null | undefined;
}

/** Returns the SKUs of a farm, and takes more for its products, each once. */
export async function takenSkus(db: Database | Transaction, farmId: string) {
  const rows = await db.$queryRaw<{ sku: string; productId: string }[]>`
    SELECT sku, product_id AS "productId" FROM product_skus WHERE farmer_id = ${farmId}::uuid`;
  const owners = new Map(rows.map(({ sku, productId }) => [sku, productId]));
  return {
    /** Takes those of a product. Returns false where another one has one of them, or it has one twice. */
    take(productId: string, { sku, sizes }: Given): boolean {
      const own = [sku, ...(sizes ?? []).map((size) => size.sku)].filter((each) => each);
      const isFree = own.every((each) => {
        const owner = owners.get(each as string);
        return owner === undefined || owner === productId;
      });
      if (!isFree || new Set(own).size !== own.length) return false;
      for (const each of own) owners.set(each as string, productId);
      return true;
    },
  };
}
