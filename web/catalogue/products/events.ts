import type { QueryClient } from '@tanstack/react-query';
import type { Envelope } from '#contract/platform/events/socket';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { productsKeys } from './keys.ts';
import {
  hideProduct,
  mergeProduct,
  relistFarm,
  removeFarmProducts,
  removeProduct,
} from './merge.ts';

function mergeChange(cache: QueryClient, { data }: Envelope<'product.updated'>): void {
  if ('name' in data) mergeProduct(cache, data);
  else hideProduct(cache, data);
}

/** Refetches all products, which contain the names of their category and farm. */
function refetchProducts(cache: QueryClient): void {
  refetch(cache, productsKeys.all);
}

/** Keeps every list of products and each product's page current. */
export const productReducers = {
  'product.created': (cache, event) => mergeProduct(cache, event.data),
  'product.updated': mergeChange,
  'product.deleted': (cache, event) => removeProduct(cache, event.data._id),
  'category.changed': refetchProducts,
  'farmer.updated': refetchProducts,
  'farmer.deleted': (cache, event) => removeFarmProducts(cache, event.data._id),
  'farmer.listingChanged': (cache, event) => relistFarm(cache, event.data),
} satisfies FeatureReducers;
