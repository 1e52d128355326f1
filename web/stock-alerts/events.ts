import { refetch } from '../realtime/in-flight.ts';
import type { FeatureReducers } from '../realtime/reducer.ts';
import { stockAlertsKeys } from './keys.ts';

/** Keeps the customer's stock alerts current. */
export const stockAlertReducers = {
  'account.changed': (cache) => refetch(cache, stockAlertsKeys.all),
} satisfies FeatureReducers;
