import { useMutation, useQueryClient } from '@tanstack/react-query';
import { productsApi } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import type { CreateProduct, UpdateProduct } from '#contract/catalogue/products/products';
import { call } from '../../platform/api/api.ts';
import { toast, toastError, toastErrorOfEdit } from '../../platform/ui/feedback/toast.ts';
import { mergeProduct, removeProduct } from './events.ts';
import { productsKeys } from './queries.ts';

/** Creates a product. */
export function useCreateProduct() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateProduct) => call(productsApi.create, { body }),
    onSuccess: ({ data }) => {
      mergeProduct(cache, data);
      toast.success('Product created successfully!');
    },
    onError: toastError,
  });
}

/** Updates the given fields of a product. */
export function useUpdateProduct(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateProduct) => call(productsApi.update, { params: { id }, body }),
    onSuccess: ({ data }) => {
      mergeProduct(cache, data);
      toast.success('Product updated successfully!');
    },
    onError: (error) => {
      // Orders have come since: the form says which.
      void cache.invalidateQueries({ queryKey: productsKeys.use(id) });
      toastErrorOfEdit(error);
    },
  });
}

/** Deletes a product; orders keep their lines. */
export function useDeleteProduct() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (product: Product) => call(productsApi.remove, { params: { id: product._id } }),
    onSuccess: (_, product) => {
      removeProduct(cache, product._id);
      toast.success('Product deleted successfully!');
    },
    onError: toastError,
  });
}
