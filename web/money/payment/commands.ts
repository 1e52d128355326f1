import { useMutation, useQueryClient } from '@tanstack/react-query';
import { paymentApi } from '#contract/money/payment/constants';
import type { UpdateFarmPayment } from '#contract/money/payment/payment';
import { call } from '../../platform/api/api.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { toastErrorOfEdit } from '../../platform/ui/feedback/toast.ts';
import { paymentKeys } from './keys.ts';

/** Changes how to pay the signed-in person's farm. The event shows it everywhere else. */
export function useUpdatePayment() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateFarmPayment) => call(paymentApi.update, { body }),
    onSuccess: () => refetch(cache, paymentKeys.all),
    onError: toastErrorOfEdit,
  });
}
