import { useMutation, useQueryClient } from '@tanstack/react-query';
import { farmersApi } from '#contract/farm/farmers/constants';
import type { UpdateFarmProfile } from '#contract/farm/farmers/farmers';
import { call } from '../../platform/api/api.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { toast, toastErrorOfEdit } from '../../platform/ui/feedback/toast.ts';
import { farmersKeys } from './keys.ts';
import { farmerQuery } from './queries.ts';

/** Updates the farm profile of the signed-in farmer, whose id is given. */
export function useUpdateFarmProfile(farmerId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateFarmProfile) => call(farmersApi.updateProfile, { body }),
    onSuccess: ({ data: profile }) => {
      cache.setQueryData(
        farmerQuery(farmerId).queryKey,
        (detail) => detail && { ...detail, profile },
      );
      refetch(cache, farmersKeys.all);
      toast.success('Farmer profile updated successfully!');
    },
    onError: toastErrorOfEdit,
  });
}
