import { queryOptions } from '@tanstack/react-query';
import { productsApi } from '#contract/catalogue/products/constants/products';
import { orderChangesApi } from '#contract/ordering/changes/constants';
import type { ShareShortage } from '#contract/ordering/changes/order-changes';
import { picklistApi } from '#contract/ordering/picklist/constants';
import { call } from '../../platform/api/api.ts';
import { previewShortage } from './commands.ts';
import { changesKeys } from './keys.ts';

/** The server's most for one page. A farm with more finds the rest by searching. */
const GOODS_MAX = 200;

/**
 * What a farm sells, sold out or not. Fetched again whenever it is opened to choose from: buyers receive changes
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

/** The next day, from `today` on, on which open orders have a product; null for none. */
export const nextDayWithQuery = (productId: string, today: string) =>
  queryOptions({
    queryKey: changesKeys.nextDayWith(productId, today),
    queryFn: async ({ signal }) => {
      const query = { from: today, product: productId };
      const { data } = await call(picklistApi.days, { query, signal });
      return data[0]?.date ?? null;
    },
    staleTime: 0,
    gcTime: 0,
  });

/** What sharing a shortage would come to. */
export const shortagePreviewQuery = (body: ShareShortage) =>
  queryOptions({
    queryKey: changesKeys.preview(body),
    queryFn: ({ signal }) => previewShortage(body, signal),
    staleTime: 0,
    gcTime: 0,
  });

/** The time between two looks at a shortage that is being shared, in milliseconds. */
const PROGRESS_INTERVAL_MS = 800;

/** How far a shortage is; looked at again and again while it `isRunning`. */
export const shortageProgressQuery = (id: string, isRunning: boolean) =>
  queryOptions({
    queryKey: changesKeys.progress(id),
    queryFn: async ({ signal }) =>
      (await call(orderChangesApi.readShortage, { params: { id }, signal })).data,
    refetchInterval: ({ state }) =>
      isRunning && !state.data?.isFinished ? PROGRESS_INTERVAL_MS : false,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
