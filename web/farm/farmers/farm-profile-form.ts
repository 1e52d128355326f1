import { DELIVERY_RADIUS_MAX_MILES, farmersApi, WEEKDAYS } from '#contract/farm/farmers/constants';
import {
  type BusinessHours,
  type FarmProfile,
  OpeningHours,
  UpdateFarmProfile,
} from '#contract/farm/farmers/farmers';
import { z } from '#contract/platform/http/zod';
import {
  formatDistance,
  isMetric,
  KM_PER_MILE,
  toShownDistance,
} from '#contract/platform/quantities/constants/quantities';
import { t } from '#contract/platform/text/constants/texts';
import { writeTyped } from '#contract/platform/text/constants/typed-numbers';
import { call } from '../../platform/api/api.ts';
import {
  toastErrorOfClosing,
  useClosingQuestion,
} from '../../platform/queries/closing-question.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { farmerQuery, farmersKeys } from './queries.ts';

/** A day with both times or neither. */
const Day = OpeningHours.superRefine(({ open, close }, context) => {
  if ((open === '') === (close === '')) return;
  const missing = open === '' ? 'open' : 'close';
  const message = open === '' ? t('Give an opening time too.') : t('Give a closing time too.');
  context.addIssue({ code: 'custom', path: [missing], message });
});

/** Returns the miles of a distance in the market's unit. */
export const toMiles = (shown: number): number => (isMetric() ? shown / KM_PER_MILE : shown);

/** Returns the longest radius in the market's unit. */
export const longestRadius = (): number =>
  isMetric() ? Math.floor(DELIVERY_RADIUS_MAX_MILES * KM_PER_MILE) : DELIVERY_RADIUS_MAX_MILES;

/** The schema of the form: as on the server, but days need both times or neither. */
export const FarmInput = UpdateFarmProfile.required({
  socialMedia: true,
  farmingPractices: true,
  acceptsPickup: true,
  acceptsDelivery: true,
  deliveryAreas: true,
  timeZone: true,
  position: true,
}).extend({
  deliveryRadius: z
    .number({
      error: () =>
        isMetric()
          ? t('Enter whole kilometres, such as 25.')
          : t('Enter a number of miles, such as {example}.', { example: writeTyped(12.5) }),
    })
    .min(0, { error: () => t("The radius can't be negative.") })
    .refine((radius) => radius <= longestRadius(), {
      error: () =>
        t('The radius can be at most {distance}.', {
          distance: formatDistance(DELIVERY_RADIUS_MAX_MILES),
        }),
    })
    .refine((radius) => !isMetric() || Number.isInteger(radius), {
      error: () => t('Enter whole kilometres, such as 25.'),
    })
    .nullable(),
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
    deliveryRadius: profile.deliveryRadius && toShownDistance(profile.deliveryRadius),
    deliveryAreas: profile.deliveryAreas ?? [],
    contact: profile.contact ?? null,
    position: profile.position ?? null,
  });

/** Returns what is sent: the radius in miles again, and only where it was changed, so that a shown one rounds nothing. */
export const toFarmUpdate = (
  { deliveryRadius, ...input }: FarmInput,
  before: FarmInput,
): UpdateFarmProfile => ({
  ...input,
  ...(deliveryRadius !== before.deliveryRadius && {
    deliveryRadius: deliveryRadius && toMiles(deliveryRadius),
  }),
});

/** Updates the farm profile of the signed-in farmer, whose id is given. */
export function useUpdateFarmProfile(farmerId: string) {
  const save = useClosingQuestion();
  return useCommand(
    (body: UpdateFarmProfile) => save((query) => call(farmersApi.updateProfile, { query, body })),
    {
      onSuccess: (cache, { data: profile }) =>
        cache.setQueryData(
          farmerQuery(farmerId).queryKey,
          (detail) => detail && { ...detail, profile },
        ),
      refetches: farmersKeys.all,
      done: t('Farmer profile updated successfully!'),
      onError: toastErrorOfClosing,
    },
  );
}
