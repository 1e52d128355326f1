import { z } from 'zod';
import {
  type BusinessHours,
  type FarmProfile,
  OpeningHours,
  UpdateFarmProfile,
  WEEKDAYS,
} from '#contract/farmers';

/** A day has both times or neither: one alone says nothing. */
const Day = OpeningHours.superRefine(({ open, close }, context) => {
  if ((open === '') === (close === '')) return;
  const missing = open === '' ? 'open' : 'close';
  const message = open === '' ? 'Give an opening time too.' : 'Give a closing time too.';
  context.addIssue({ code: 'custom', path: [missing], message });
});

/** What the form of a farm takes: as the server does, and whole days. */
export const FarmInput = UpdateFarmProfile.required({
  socialMedia: true,
  farmingPractices: true,
  acceptsPickup: true,
  acceptsDelivery: true,
}).extend({
  businessHours: z.object(
    Object.fromEntries(WEEKDAYS.map((day) => [day, Day])) as Record<
      keyof z.infer<typeof BusinessHours>,
      typeof Day
    >,
  ),
});
export type FarmInput = z.output<typeof FarmInput>;

/** A farm's profile as the form's fields hold it. */
export const toFarmInput = (profile: FarmProfile): FarmInput => structuredClone(profile);
