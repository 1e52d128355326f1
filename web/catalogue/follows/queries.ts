import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { followsApi } from '#contract/catalogue/follows/constants';
import type { Follow } from '#contract/catalogue/follows/follows';
import type { Product } from '#contract/catalogue/products/product';
import { stockAlertsApi } from '#contract/catalogue/stock-alerts/constants';
import type { FarmerCard } from '#contract/farm/farmers/farmers';
import { isSoldOut } from '#contract/platform/quantities/constants/steps';
import { dataOf } from '../../platform/api/api.ts';
import { protectFromStaleFetch, refetch } from '../../platform/realtime/in-flight.ts';
import { type FeatureReducers, replaceEverywhere } from '../../platform/realtime/reducer.ts';

const FOLLOWS_KEY = ['follows'] as const;

/** What the signed-in customer follows. */
export const followsQuery = () =>
  queryOptions({ queryKey: FOLLOWS_KEY, queryFn: dataOf(followsApi.list) });

/** Whether the signed-in customer is notified when a product is back in stock. */
export const stockAlertQuery = (productId: string) =>
  queryOptions({
    queryKey: ['stockAlerts', productId],
    queryFn: dataOf(stockAlertsApi.alert, { params: { id: productId } }),
  });

export type FollowedProduct = Follow & { product: Product };
export type FollowedFarm = Follow & { farm: FarmerCard };

/** Returns the products among favorites, those first that are in stock now. */
export function productsIn(follows: readonly Follow[]): FollowedProduct[] {
  const products = follows.filter((follow): follow is FollowedProduct => 'product' in follow);
  return [
    ...products.filter(({ product }) => !isSoldOut(product)),
    ...products.filter(({ product }) => isSoldOut(product)),
  ];
}

/** Returns the farms among favorites. */
export const farmsIn = (follows: readonly Follow[]): FollowedFarm[] =>
  follows.filter((follow): follow is FollowedFarm => 'farm' in follow);

const refetchFollows = (cache: QueryClient): void => refetch(cache, FOLLOWS_KEY);

/** Keeps the customer's favorites current: what is in stock, what came to the market, how many products farms have. */
export const followReducers = {
  'account.changed': (cache) => {
    refetchFollows(cache);
    refetch(cache, ['stockAlerts']);
  },
  'product.updated': (cache, { data }) => {
    if ('name' in data) replaceEverywhere(cache, data, FOLLOWS_KEY);
    // Also a fetch that is on its way for the first time.
    protectFromStaleFetch(cache, FOLLOWS_KEY);
    if (!data.isActive || data.availableUntil !== null) refetchFollows(cache);
  },
  'product.created': refetchFollows,
  'product.deleted': refetchFollows,
  'category.changed': refetchFollows,
  'farmer.updated': refetchFollows,
  'farmer.deleted': refetchFollows,
  'farmer.listingChanged': refetchFollows,
} satisfies FeatureReducers;
