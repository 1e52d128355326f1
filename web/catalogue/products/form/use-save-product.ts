import { useState } from 'react';
import type { Product } from '#contract/catalogue/products/product';
import { VersionedEdit } from '../../../platform/queries/versioned-edit.ts';
import { useUpdateProduct } from '../commands.ts';
import { changesOf, type ProductInput, toInput } from './product-form.ts';

/**
 * Returns a function that saves what was changed in the form of a product, over what others have changed
 * since the form was opened. The stock replaces the one that the page shows.
 */
export function useSaveProduct(product: Product): (input: ProductInput) => Promise<Product> {
  const [edit] = useState(() => new VersionedEdit(product, toInput, ({ version }) => version));
  const update = useUpdateProduct(product._id);
  return (input) => {
    edit.follow({ quantityAvailable: product.quantityAvailable });
    return edit.save(input, async (values, before, expectedVersion) => {
      const changes = changesOf(values, before);
      return (await update.mutateAsync({ ...changes, expectedVersion })).data;
    });
  };
}
