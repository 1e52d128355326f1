import { stockAlertsApi as calls } from '#contract/catalogue/stock-alerts/constants';
import { endpoint } from '#contract/platform/http/endpoint';
import { idParams, one } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';

/** Whether the signed-in customer is notified, once, when a sold-out product is back in stock. */
export const StockAlert = z.object({ isSet: z.boolean() }).meta({ id: 'StockAlert' });
export type StockAlert = z.infer<typeof StockAlert>;

export const stockAlertsApi = {
  alert: endpoint({
    ...calls.alert,
    summary: 'Whether the signed-in customer is notified when a product is back in stock',
    access: ['consumer'],
    params: idParams('Product not found'),
    answer: one(StockAlert),
    failures: [404],
  }),
  setAlert: endpoint({
    ...calls.setAlert,
    summary: 'Ask to be notified once when a sold-out product is back in stock, or no longer ask',
    access: ['consumer'],
    params: idParams('Product not found'),
    body: StockAlert,
    answer: one(StockAlert),
    rate: 'writes',
    failures: [404, 409],
  }),
};

declare module '#contract/platform/http/endpoint' {
  interface ApiRegistry {
    stockAlerts: typeof stockAlertsApi;
  }
}
