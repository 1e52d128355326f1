import { queryOptions } from '@tanstack/react-query';
import { stockAlertsApi } from '#contract/catalogue/stock-alerts/constants';
import { dataOf } from '../../platform/api/api.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

/** Whether the signed-in customer is notified when a product is back in stock. */
export const stockAlertQuery = (productId: string) =>
  queryOptions({
    queryKey: ['stockAlerts', productId],
    queryFn: dataOf(stockAlertsApi.alert, { params: { id: productId } }),
  });

/** Keeps the customer's stock alerts current. */
export const stockAlertReducers = {
  'account.changed': (cache) => refetch(cache, ['stockAlerts']),
} satisfies FeatureReducers;
