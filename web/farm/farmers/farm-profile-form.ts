import { useState } from 'react';
import { DELIVERY_RADIUS_MAX_MILES, farmersApi, WEEKDAYS } from '#contract/farm/farmers/constants';
import { overlappingSpan, spansOf } from '#contract/farm/farmers/constants/hours';
import { type FarmProfile, UpdateFarmProfile } from '#contract/farm/farmers/farmers';
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
import { useFollowedEdit } from '../../platform/queries/versioned-edit.ts';
import { type AppForm, useZodForm } from '../../platform/ui/form/form.tsx';
import { toBusinessHours, type Week, weekOfBusiness } from '../model/week-hours.ts';
import { farmerQuery, farmersKeys } from './queries.ts';

/** Returns the miles of a distance in the market's unit. */
export const toMiles = (shown: number): number => (isMetric() ? shown / KM_PER_MILE : shown);

/** Returns the longest radius in the market's unit. */
export const longestRadius = (): number =>
  isMetric() ? Math.floor(DELIVERY_RADIUS_MAX_MILES * KM_PER_MILE) : DELIVERY_RADIUS_MAX_MILES;

/** The distance in the market's unit. */
const Radius = z
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
  .nullable();

/** A time that is missing is said at its field, and hours of a day that overlap at the later ones. */
const Hours = z.custom<Week>().superRefine((week, context) => {
  for (const day of WEEKDAYS) {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path: [day, ...path], message });
    const spans = week[day].map(({ from, to }) => ({ open: from, close: to }));
    for (const [index, { open, close }] of spans.entries()) {
      if (open === '') refuse([index, 'from'], t('Give an opening time too.'));
      if (close === '') refuse([index, 'to'], t('Give a closing time too.'));
    }
    const over = overlappingSpan(spans);
    if (over >= 0 && spans.every(({ open, close }) => open !== '' && close !== ''))
      refuse([over, 'from'], t('These hours overlap with others of this day.'));
  }
});

/** The fields of a farm's profile as its forms have them, each with its check: as on the server. */
export const FarmFields = UpdateFarmProfile.omit({ businessHours: true })
  .required({
    socialMedia: true,
    farmingPractices: true,
    acceptsPickup: true,
    acceptsDelivery: true,
    deliveryAreas: true,
    timeZone: true,
    showsEmail: true,
    position: true,
  })
  .extend({ deliveryRadius: Radius, hours: Hours });
export type FarmFields = z.output<typeof FarmFields>;

/** Returns the values of all fields of a farm's profile. */
export const toFarmFields = ({ businessHours, ...profile }: FarmProfile): FarmFields =>
  structuredClone({
    ...profile,
    showsEmail: profile.showsEmail ?? true,
    deliveryRadius: profile.deliveryRadius && toShownDistance(profile.deliveryRadius),
    deliveryAreas: profile.deliveryAreas ?? [],
    contact: profile.contact ?? null,
    hours: weekOfBusiness(businessHours),
    // A farm that has not said yet when it is open is probably where it is set up.
    timeZone: WEEKDAYS.some((day) => spansOf(businessHours[day]).length > 0)
      ? profile.timeZone
      : Intl.DateTimeFormat().resolvedOptions().timeZone,
    position: profile.position ?? null,
  });

/**
 * Returns what is sent of some fields: the radius in miles again, and only where it was changed, so that a shown one
 * rounds nothing.
 */
export const toFarmUpdate = (
  { deliveryRadius, hours, ...fields }: Described & Partial<FarmFields>,
  before: Partial<FarmFields>,
): UpdateFarmProfile => ({
  ...fields,
  ...(hours && { businessHours: toBusinessHours(hours) }),
  ...(deliveryRadius !== before.deliveryRadius && {
    deliveryRadius: deliveryRadius && toMiles(deliveryRadius),
  }),
});

/** What each change of a profile says too: the server requires it. */
const DESCRIBED = ['farmName', 'description'] as const;
type Described = Pick<FarmFields, (typeof DESCRIBED)[number]>;
type Picked = Record<keyof FarmFields, true>;

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

/** The form of a section of the profile: its values are those of the section alone, with what describes the farm. */
export type FarmForm = AppForm<z.input<typeof FarmFields>, FarmFields>;

/**
 * Returns the form of a section of a farm's profile, and what saves it over what others have changed since. While it
 * is untouched it follows what is saved elsewhere.
 */
export function useSection(
  farmerId: string,
  profile: FarmProfile,
  names: readonly (keyof FarmFields)[],
) {
  const read = (from: FarmProfile): FarmFields => {
    const fields = toFarmFields(from);
    return Object.fromEntries(
      [...DESCRIBED, ...names].map((name) => [name, fields[name]]),
    ) as FarmFields;
  };
  const [schema] = useState(
    () =>
      FarmFields.pick(
        Object.fromEntries([...DESCRIBED, ...names].map((name) => [name, true])) as Picked,
      ) as unknown as typeof FarmFields,
  );
  const form: FarmForm = useZodForm(schema, { defaultValues: read(profile) });
  const edit = useFollowedEdit(form, profile, read);
  const update = useUpdateFarmProfile(farmerId);
  const save = async (input: FarmFields, show: (saved: FarmFields) => void) => {
    const saved = await edit.save(
      input,
      async (values, before, expectedVersion) =>
        (await update.mutateAsync({ ...toFarmUpdate(values, before), expectedVersion })).data,
    );
    show(read(saved));
  };
  return { form, save };
}
