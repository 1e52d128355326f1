import { WEEKDAYS } from '#contract/farm/farmers/constants';
import {
  type BusinessHours,
  type FarmProfile,
  OpeningHours,
  UpdateFarmProfile,
} from '#contract/farm/farmers/farmers';
import { z } from '#contract/platform/http/zod';

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
