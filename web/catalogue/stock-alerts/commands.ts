import { useMutation, useQueryClient } from '@tanstack/react-query';
import { stockAlertsApi } from '#contract/catalogue/stock-alerts/constants';
import { call } from '../../platform/api/api.ts';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { stockAlertsKeys } from './keys.ts';

/** Asks to be notified when a product is back in stock, or no longer asks. */
export function useSetStockAlert(productId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (isSet: boolean) =>
      call(stockAlertsApi.setAlert, { params: { id: productId }, body: { isSet } }),
    onError: toastError,
    // Until then the button shows what was chosen.
    onSettled: () => cache.invalidateQueries({ queryKey: stockAlertsKeys.ofProduct(productId) }),
  });
}
