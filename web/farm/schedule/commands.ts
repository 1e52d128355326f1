import { useMutation, useQueryClient } from '@tanstack/react-query';
import { scheduleApi } from '#contract/farm/schedule/constants';
import type { FarmSchedule, UpdateFarmSchedule } from '#contract/farm/schedule/schedule';
import { call } from '../../platform/api/api.ts';
import { isVersionConflict } from '../../platform/api/api-error.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { toastErrorOfEdit } from '../../platform/ui/feedback/toast.ts';
import { scheduleKeys } from './queries.ts';
import { type ClosedDays, withDays } from './schedule-form.ts';

/** How often a change of closed days is made again over somebody else's. */
const TRIES_MAX = 5;

/** Changes the cut-off of the signed-in person's farm. The event shows it everywhere else. */
export function useUpdateSchedule() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateFarmSchedule) => call(scheduleApi.update, { body }),
    onSuccess: () => refetch(cache, scheduleKeys.all),
    onError: toastErrorOfEdit,
  });
}

/**
 * Closes days in a row, or opens them again. Days that somebody else closed meanwhile stay closed: the
 * change is made again over what is there. Whoever calls it shows its failure.
 */
export function useChangeClosedDays() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({
      schedule,
      row,
      isClosed,
    }: {
      schedule: FarmSchedule;
      row: ClosedDays;
      isClosed: boolean;
    }) => {
      let present = schedule;
      for (let tries = 1; ; tries++) {
        const exceptions = withDays(present.exceptions, row, isClosed);
        const expectedVersion = present.version;
        try {
          return await call(scheduleApi.update, { body: { exceptions, expectedVersion } });
        } catch (error) {
          if (!isVersionConflict(error) || tries === TRIES_MAX) throw error;
          present = (error.details as { data: FarmSchedule }).data;
        }
      }
    },
    onSuccess: () => refetch(cache, scheduleKeys.all),
  });
}
