import { farmersApi, WEEKDAYS } from '#contract/farm/farmers/constants';
import {
  type BusinessHours,
  type FarmProfile,
  OpeningHours,
  UpdateFarmProfile,
} from '#contract/farm/farmers/farmers';
import { z } from '#contract/platform/http/zod';
import { call } from '../../platform/api/api.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { toastErrorOfEdit } from '../../platform/ui/feedback/toast.ts';
import { farmerQuery, farmersKeys } from './queries.ts';

/** A day with both times or neither. */
const Day = OpeningHours.superRefine(({ open, close }, context) => {
  if ((open === '') === (close === '')) return;
  const missing = open === '' ? 'open' : 'close';
  const message = open === '' ? 'Give an opening time too.' : 'Give a closing time too.';
  context.addIssue({ code: 'custom', path: [missing], message });
});

/** The schema of the form: as on the server, but days need both times or neither. */
export const FarmInput = UpdateFarmProfile.required({
  socialMedia: true,
  farmingPractices: true,
  acceptsPickup: true,
  acceptsDelivery: true,
  deliveryAreas: true,
  timeZone: true,
}).extend({
  businessHours: z.object(
    Object.fromEntries(WEEKDAYS.map((day) => [day, Day])) as Record<
      keyof z.infer<typeof BusinessHours>,
      typeof Day
    >,
  ),
});
export type FarmInput = z.output<typeof FarmInput>;

/** Returns the form values of a farm profile. */
export const toFarmInput = (profile: FarmProfile): FarmInput =>
  structuredClone({
    ...profile,
    deliveryAreas: profile.deliveryAreas ?? [],
    contact: profile.contact ?? null,
  });

/** Updates the farm profile of the signed-in farmer, whose id is given. */
export const useUpdateFarmProfile = (farmerId: string) =>
  useCommand((body: UpdateFarmProfile) => call(farmersApi.updateProfile, { body }), {
    onSuccess: (cache, { data: profile }) =>
      cache.setQueryData(
        farmerQuery(farmerId).queryKey,
        (detail) => detail && { ...detail, profile },
      ),
    refetches: farmersKeys.all,
    done: 'Farmer profile updated successfully!',
    onError: toastErrorOfEdit,
  });
