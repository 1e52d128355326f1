import { stockAlertsApi as calls } from '#contract/catalogue/stock-alerts/constants';
import { endpoints } from '#contract/platform/http/endpoint';
import { idParams, named, one } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

/** Whether the signed-in customer is notified, once, when a sold-out product is back in stock. */
export const StockAlert = named('StockAlert', { isSet: z.boolean() });
export type StockAlert = z.infer<typeof StockAlert>;

export const stockAlertsApi = endpoints(calls, {
  alert: {
    summary: 'Whether the signed-in customer is notified when a product is back in stock',
    access: ['consumer'],
    params: idParams(() => t('Product not found')),
    answer: one(StockAlert),
  },
  setAlert: {
    summary: 'Ask to be notified once when a sold-out product is back in stock, or no longer ask',
    access: ['consumer'],
    params: idParams(() => t('Product not found')),
    body: StockAlert,
    answer: one(StockAlert),
  },
});
