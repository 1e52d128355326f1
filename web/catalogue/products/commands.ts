import { productsApi } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import type { CreateProduct, UpdateProduct } from '#contract/catalogue/products/product-fields';
import type { ClosingQuery } from '#contract/platform/orders/closing';
import { t } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import {
  toastErrorOfClosing,
  useClosingQuestion,
} from '../../platform/queries/closing-question.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { mergeProduct, removeProduct } from './events.ts';
import { productsKeys } from './queries.ts';

/** Creates a product. */
export const useCreateProduct = () =>
  useCommand((body: CreateProduct) => call(productsApi.create, { body }), {
    onSuccess: (cache, { data }) => mergeProduct(cache, data),
    done: t('Product created successfully!'),
  });

/** Updates the given fields of a product. */
export function useUpdateProduct(id: string) {
  const save = useClosingQuestion();
  return useCommand(
    (body: UpdateProduct) => {
      const send = (query: ClosingQuery) =>
        call(productsApi.update, { params: { id }, query, body });
      // Nothing else of a product meets orders.
      return body.availableUntil ? save(send) : send({});
    },
    {
      onSuccess: (cache, { data }) => mergeProduct(cache, data),
      done: t('Product updated successfully!'),
      onError: (error, cache) => {
        // Orders have come since: the form says which.
        void cache.invalidateQueries({ queryKey: productsKeys.use(id) });
        toastErrorOfClosing(error);
      },
    },
  );
}

/** Deletes a product; orders keep their lines. */
export const useDeleteProduct = () =>
  useCommand(({ _id }: Product) => call(productsApi.remove, { params: { id: _id } }), {
    onSuccess: (cache, _, { _id }) => removeProduct(cache, _id),
    done: t('Product deleted successfully!'),
  });
