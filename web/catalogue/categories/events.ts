import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { categoriesKeys } from './keys.ts';

/** Keeps the categories current: an event names only the one that changed, so all are refetched. */
export const categoryReducers = {
  'category.changed': (cache) => refetch(cache, categoriesKeys.list()),
} satisfies FeatureReducers;
