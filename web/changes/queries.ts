import { queryOptions } from '@tanstack/react-query';
import { orderChangesApi } from '#contract/constants/order-changes';
import { productsApi } from '#contract/constants/products';
import type { ShareShortage } from '#contract/order-changes';
import { call } from '../lib/api.ts';
import { previewShortage } from './commands.ts';
import { changesKeys } from './keys.ts';

/** The server's most for one page. A farm with more finds the rest by searching. */
const GOODS_MAX = 200;

/**
 * What a farm sells, sold out or not. Asked for anew whenever it is opened to choose from: buyers are told of changes
 * of what they watch alone.
 */
export const goodsQuery = (farmId: string, search = '') =>
  queryOptions({
    queryKey: changesKeys.goods(farmId, search),
    queryFn: async ({ signal }) =>
      (
        await call(productsApi.list, {
          query: { farmer: farmId, search: search || undefined, limit: GOODS_MAX },
          signal,
        })
      ).data,
    refetchOnMount: 'always',
  });

/** What the buyer wished last for a shortage of these products. */
export const wishesQuery = (productIds: readonly string[]) =>
  queryOptions({
    queryKey: changesKeys.wishes(productIds),
    queryFn: async ({ signal }) =>
      (await call(orderChangesApi.wishes, { query: { products: [...productIds] }, signal })).data,
    enabled: productIds.length > 0,
    refetchOnMount: 'always',
  });

/** What sharing a shortage would come to. */
export const shortagePreviewQuery = (body: ShareShortage) =>
  queryOptions({
    queryKey: changesKeys.preview(body),
    queryFn: ({ signal }) => previewShortage(body, signal),
    staleTime: 0,
    gcTime: 0,
  });
