import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { paymentKeys } from './queries.ts';

/** Keeps how to pay a farm current. An event names the farm, not its orders: those shown are few. */
export const paymentReducers = {
  'farmer.updated': (cache) => refetch(cache, paymentKeys.all),
} satisfies FeatureReducers;
