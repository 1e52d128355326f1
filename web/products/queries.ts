import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { CreateProduct, Product, ProductSort, UpdateProduct } from '#contract/products';
import { type Answer, api, type ListAnswer } from '../lib/api.ts';
import { paging } from '../lib/pages.ts';
import { toast, toastError } from '../ui/toast.ts';
import {
  FEATURED,
  FEATURED_KEY,
  mergeProduct,
  type ProductFilters,
  removeProduct,
} from './merge.ts';

/** How many products a list loads at once. */
const PAGE = 24;
/** As many at once as the server gives: a farmer's own are searched in the browser. */
const OWN_PAGE = 200;

/** Products on the market, as far as they are loaded. */
export const productsQuery = (filters: ProductFilters = {}, sort: ProductSort = 'newest') =>
  infiniteQueryOptions({
    queryKey: ['products', 'market', sort, filters] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<ListAnswer<Product>>('/products', {
        query: { ...filters, sort, limit: PAGE, cursor: pageParam },
        signal,
      }),
    ...paging,
  });

/** The newest few products, for the home page. */
export const featuredProductsQuery = () =>
  queryOptions({
    queryKey: FEATURED_KEY,
    queryFn: async ({ signal }) =>
      (await api.get<ListAnswer<Product>>('/products', { query: { limit: FEATURED }, signal }))
        .data,
  });

/** One product. */
export const productQuery = (id: string) =>
  queryOptions({
    queryKey: ['products', 'detail', id] as const,
    queryFn: async ({ signal }) =>
      (await api.get<Answer<Product>>(`/products/${encodeURIComponent(id)}`, { signal })).data,
  });

/** The products of the signed-in farmer (whose id is given), inactive ones too, newest first. */
export const ownProductsQuery = (farmerId: string) =>
  infiniteQueryOptions({
    queryKey: ['products', 'own', farmerId] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<ListAnswer<Product>>('/products/farmer/me', {
        query: { limit: OWN_PAGE, cursor: pageParam },
        signal,
      }),
    ...paging,
  });

/** Puts a product on the market. */
export function useCreateProduct() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: CreateProduct) => api.post<Answer<Product>>('/products', input),
    onSuccess: ({ data }) => {
      mergeProduct(cache, data);
      toast.success('Product created successfully!');
    },
    onError: toastError,
  });
}

/** Changes a product; fields left out keep what they were. */
export function useUpdateProduct(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateProduct) => api.put<Answer<Product>>(`/products/${id}`, input),
    onSuccess: ({ data }) => {
      mergeProduct(cache, data);
      toast.success('Product updated successfully!');
    },
    onError: toastError,
  });
}

/** Deletes a product; orders keep their lines. */
export function useDeleteProduct() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (product: Product) => api.del(`/products/${product._id}`),
    onSuccess: (_, product) => {
      removeProduct(cache, product._id);
      toast.success('Product deleted successfully!');
    },
    onError: toastError,
  });
}
