import { refetch } from '../realtime/in-flight.ts';
import type { FeatureReducers } from '../realtime/reducer.ts';

/** Keeps the categories true: an event says only which one changed, so all are read again. */
export const categoryReducers = {
  'category.changed': (cache) => refetch(cache, ['categories']),
} satisfies FeatureReducers;
