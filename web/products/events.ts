import type { QueryClient } from '@tanstack/react-query';
import type { Envelope } from '#contract/realtime';
import { refetch } from '../realtime/in-flight.ts';
import type { FeatureReducers } from '../realtime/reducer.ts';
import { mergeProduct, removeProduct } from './merge.ts';

function merge(cache: QueryClient, event: Envelope<'product.created' | 'product.updated'>): void {
  mergeProduct(cache, event.data);
}

/** Products carry the names of their category and farm, which changed somewhere else. */
function nameAgain(cache: QueryClient): void {
  refetch(cache, ['products']);
}

/** Keeps every list of products and each product's own page true. */
export const productReducers = {
  'product.created': merge,
  'product.updated': merge,
  'product.deleted': (cache, event) => removeProduct(cache, event.data._id),
  'category.changed': nameAgain,
  'farmer.updated': nameAgain,
} satisfies FeatureReducers;
