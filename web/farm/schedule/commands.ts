import { scheduleApi } from '#contract/farm/schedule/constants';
import type { FarmSchedule, UpdateFarmSchedule } from '#contract/farm/schedule/schedule';
import { call } from '../../platform/api/api.ts';
import { isVersionConflict } from '../../platform/api/api-error.ts';
import { shownByForm, useCommand } from '../../platform/queries/use-command.ts';
import { toastErrorOfEdit } from '../../platform/ui/feedback/toast.ts';
import { scheduleKeys } from './queries.ts';
import { type ClosedDays, withDays } from './schedule-form.ts';

/** How often a change of closed days is made again over somebody else's. */
const TRIES_MAX = 5;

/** Changes the cut-off of the signed-in person's farm. The event shows it everywhere else. */
export const useUpdateSchedule = () =>
  useCommand((body: UpdateFarmSchedule) => call(scheduleApi.update, { body }), {
    refetches: scheduleKeys.all,
    onError: toastErrorOfEdit,
  });

/** Closes days in a row, or opens them again. */
type Change = { schedule: FarmSchedule; row: ClosedDays; isClosed: boolean };

/** Makes a change over what is there: days that somebody else closed in between stay closed. */
async function changeClosedDays({ schedule, row, isClosed }: Change) {
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
}

/** Changes the closed days of the signed-in person's farm. The caller shows a failure. */
export const useChangeClosedDays = () =>
  useCommand(changeClosedDays, { refetches: scheduleKeys.all, onError: shownByForm });
