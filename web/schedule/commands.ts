import { useMutation, useQueryClient } from '@tanstack/react-query';
import { scheduleApi } from '#contract/constants/schedule';
import type { UpdateFarmSchedule } from '#contract/schedule';
import { call } from '../lib/api.ts';
import { refetch } from '../realtime/in-flight.ts';
import { toastErrorOfEdit } from '../ui/toast.ts';
import { scheduleKeys } from './keys.ts';

/** Changes the schedule of the signed-in person's farm. The event shows it everywhere else. */
export function useUpdateSchedule() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateFarmSchedule) => call(scheduleApi.update, { body }),
    onSuccess: () => refetch(cache, scheduleKeys.all),
    onError: toastErrorOfEdit,
  });
}
