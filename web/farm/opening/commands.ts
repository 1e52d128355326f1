import { farmNameOf } from '#contract/farm/farmers/constants/farmers';
import { openingApi } from '#contract/farm/opening/constants';
import { call } from '../../platform/api/api.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { openingKeys } from './queries.ts';

/** Asks admins to approve the signed-in farmer's farm. */
export const useAskForApproval = () =>
  useCommand(() => call(openingApi.ask, {}), {
    onSuccess: (cache, { data }) => cache.setQueryData(openingKeys.own(), data),
    done: 'Sent. You hear from us as soon as somebody has looked.',
  });

/** Approves a farm, or sends it back with a reason. */
export const useDecideApproval = () =>
  useCommand(
    ({ id, reason }: { id: string; reason?: string }) =>
      call(openingApi.decide, {
        params: { id },
        body: reason === undefined ? { approved: true } : { approved: false, reason },
      }),
    {
      refetches: openingKeys.queues(),
      done: ({ data }) =>
        `${farmNameOf(data)} ${data.state === 'approved' ? 'is in the market' : 'was told why'}.`,
      onError: (error, cache) => {
        toastError(error);
        refetch(cache, openingKeys.queues());
      },
    },
  );
