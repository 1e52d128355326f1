import { useMutation, useQueryClient } from '@tanstack/react-query';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { openingApi } from '#contract/farm/opening/constants';
import { call } from '../../platform/api/api.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';
import { openingKeys } from './keys.ts';

/** Asks admins to approve the signed-in farmer's farm. */
export function useAskForApproval() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => call(openingApi.ask, {}),
    onSuccess: ({ data }) => {
      cache.setQueryData(openingKeys.own(), data);
      toast.success('Sent. You hear from us as soon as somebody has looked.');
    },
    onError: toastError,
  });
}

/** Approves a farm, or sends it back with a reason. */
export function useDecideApproval() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason?: string }) =>
      call(openingApi.decide, {
        params: { id },
        body: reason === undefined ? { approved: true } : { approved: false, reason },
      }),
    onSuccess: ({ data }) => {
      const farm = farmNameOf(data);
      toast.success(
        data.state === 'approved' ? `${farm} is in the market.` : `${farm} was told why.`,
      );
    },
    onError: toastError,
    onSettled: () => refetch(cache, openingKeys.queues()),
  });
}
