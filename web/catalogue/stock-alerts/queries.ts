import { queryOptions } from '@tanstack/react-query';
import { stockAlertsApi } from '#contract/catalogue/stock-alerts/constants';
import { call } from '../../platform/api/api.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

/** The keys of the signed-in customer's stock alerts in the query cache; each begins with `all`. */
export const stockAlertsKeys = {
  all: ['stockAlerts'] as const,
  ofProduct: (id: string) => ['stockAlerts', id] as const,
};

/** Whether the signed-in customer is notified when a product is back in stock. */
export const stockAlertQuery = (productId: string) =>
  queryOptions({
    queryKey: stockAlertsKeys.ofProduct(productId),
    queryFn: async ({ signal }) =>
      (await call(stockAlertsApi.alert, { params: { id: productId }, signal })).data,
  });

/** Keeps the customer's stock alerts current. */
export const stockAlertReducers = {
  'account.changed': (cache) => refetch(cache, stockAlertsKeys.all),
} satisfies FeatureReducers;
