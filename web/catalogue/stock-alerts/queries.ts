import { queryOptions } from '@tanstack/react-query';
import { stockAlertsApi } from '#contract/catalogue/stock-alerts/constants';
import { call } from '../../platform/api/api.ts';
import { stockAlertsKeys } from './keys.ts';

/** Whether the signed-in customer is notified when a product is back in stock. */
export const stockAlertQuery = (productId: string) =>
  queryOptions({
    queryKey: stockAlertsKeys.ofProduct(productId),
    queryFn: async ({ signal }) =>
      (await call(stockAlertsApi.alert, { params: { id: productId }, signal })).data,
  });
