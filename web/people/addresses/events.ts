import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { addressesKeys } from './keys.ts';

/** Keeps the person's own addresses current. */
export const addressReducers = {
  'account.changed': (cache) => refetch(cache, addressesKeys.all),
} satisfies FeatureReducers;
