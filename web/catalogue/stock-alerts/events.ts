import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { stockAlertsKeys } from './keys.ts';

/** Keeps the customer's stock alerts current. */
export const stockAlertReducers = {
  'account.changed': (cache) => refetch(cache, stockAlertsKeys.all),
} satisfies FeatureReducers;
