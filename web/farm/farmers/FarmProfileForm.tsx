import { useState } from 'react';
import { useController } from 'react-hook-form';
import {
  ANSWER_MINUTES,
  ESTABLISHED_YEAR_MIN,
  PRACTICE_LENGTH_MAX,
  WEIGHT_TOLERANCE_PERCENT,
  weekdays,
} from '#contract/farm/farmers/constants';
import type { FarmProfile, UpdateFarmProfile } from '#contract/farm/farmers/farmers';
import { DELIVERY_AREA_LENGTH_MAX, distinctAreas } from '#contract/farm/places/constants/areas';
import { isMetric } from '#contract/platform/quantities/constants/quantities';
import { t } from '#contract/platform/text/constants/texts';
import { clockMs } from '#contract/platform/time/constants';
import { capitalized } from '../../platform/format/format.ts';
import { useCurrent } from '../../platform/queries/use-current.ts';
import { VersionedEdit } from '../../platform/queries/versioned-edit.ts';
import { useAuth } from '../../platform/session/session.ts';
import { LeaveGuard } from '../../platform/ui/dialogs/LeaveGuard.tsx';
import { Alert, Fetched, Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { Checkbox, FieldGroup, Textarea } from '../../platform/ui/fields/controls.tsx';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { NumberField } from '../../platform/ui/form/fields.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { TimeZoneSelect } from '../../platform/ui/form/TimeZoneSelect.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import type { PictureField } from '../../platform/uploads/ImageUpload.tsx';
import { weekdayName } from '../model/handoff.ts';
import { PositionField } from '../model/PositionField.tsx';
import {
  ContactElsewhere,
  ContactFields,
  FarmPictures,
  TextListField,
} from './FarmProfileFields.tsx';
import {
  FarmInput,
  longestRadius,
  toFarmInput,
  toFarmUpdate,
  useUpdateFarmProfile,
} from './farm-profile-form.ts';
import { farmerQuery } from './queries.ts';
import { SOCIAL_MEDIA } from './rules.ts';

/** The form to edit the signed-in farmer's farm profile. */
export function FarmProfileForm({
  farmerId,
  pictureField,
}: {
  farmerId: string;
  pictureField: PictureField;
}) {
  const query = useCurrent(farmerQuery(farmerId));
  const update = useUpdateFarmProfile(farmerId);
  const { user } = useAuth();
  const skeleton = (
    <Loading className="grid gap-5">
      <Skeleton className="h-10 rounded" />
      <Skeleton className="h-32 rounded" />
      <Skeleton className="h-10 rounded" />
      <Skeleton className="h-64 rounded" />
    </Loading>
  );
  return (
    <Fetched query={query} skeleton={skeleton}>
      {({ profile }) => (
        <LoadedForm
          profile={profile}
          isFounder={user?._id === farmerId}
          pictureField={pictureField}
          onSave={async (input) => (await update.mutateAsync(input)).data}
        />
      )}
    </Fetched>
  );
}

function LoadedForm({
  profile,
  isFounder,
  pictureField,
  onSave,
}: {
  profile: FarmProfile;
  /** Whether the person signed in registered the farm, which has their phone and address. */
  isFounder: boolean;
  pictureField: PictureField;
  onSave: (input: UpdateFarmProfile) => Promise<FarmProfile>;
}) {
  const [edit] = useState(() => new VersionedEdit(profile, toFarmInput));
  const form = useZodForm(FarmInput, { defaultValues: toFarmInput(profile) });
  const { isDirty, isSubmitting } = form.formState;
  const thisYear = new Date(clockMs()).getFullYear();
  // Not `isSubmitSuccessful`, which `form.reset` clears.
  const [wasSaved, setWasSaved] = useState(false);
  const [isCoverUploading, setCoverUploading] = useState(false);
  const [isPhotoUploading, setPhotoUploading] = useState(false);
  const isUploading = isCoverUploading || isPhotoUploading;
  return (
    <Form
      form={form}
      label={t('Farm Profile')}
      draftKey="farm-profile"
      onSubmit={async (input, show) => {
        const saved = await edit.save(input, (values, before, expectedVersion) =>
          onSave({ ...toFarmUpdate(values, before), expectedVersion }),
        );
        show(toFarmInput(saved));
        setWasSaved(true);
      }}
      className="grid gap-8"
    >
      <FieldGroup title={t('The farm')}>
        <FormField form={form} name="farmName" label={t('Farm name')} required>
          {(field) => <Input {...field} autoComplete="organization" />}
        </FormField>
        <NumberField
          form={form}
          name="establishedYear"
          label={t('Established year')}
          isOptional
          limits={{ decimals: 0, min: ESTABLISHED_YEAR_MIN, max: thisYear }}
        />
        <FormField
          form={form}
          name="description"
          label={t('Description')}
          required
          className="sm:col-span-2"
        >
          {(field) => <Textarea {...field} rows={5} />}
        </FormField>
        <PositionField
          {...useController({ control: form.control, name: 'position' })}
          className="sm:col-span-2"
        />
        <div className="sm:col-span-2">
          <TextListField
            form={form}
            name="farmingPractices"
            label={t('Farming practices')}
            placeholder={t('For example: no-till, crop rotation')}
            maxLength={PRACTICE_LENGTH_MAX}
          />
        </div>
      </FieldGroup>

      {profile.contact ? <ContactFields form={form} /> : <ContactElsewhere isFounder={isFounder} />}

      <FieldGroup title={t('Pictures')}>
        <FarmPictures
          form={form}
          pictureField={pictureField}
          onCoverUploading={setCoverUploading}
          onPhotoUploading={setPhotoUploading}
        />
      </FieldGroup>

      <FieldGroup title={t('Social links')}>
        {SOCIAL_MEDIA.map((site) => (
          <FormField key={site} form={form} name={`socialMedia.${site}`} label={capitalized(site)}>
            {(field) => <Input type="url" placeholder={`https://${site}.com/...`} {...field} />}
          </FormField>
        ))}
      </FieldGroup>

      <FieldGroup
        title={t('Business hours')}
        text={t('Leave a day empty when the farm is closed.')}
      >
        <FormField
          form={form}
          name="timeZone"
          label={t('Time zone')}
          hint={t('Hours, pickup times and last days go by this clock.')}
          className="sm:col-span-2"
        >
          {(field) => <TimeZoneSelect {...field} kept={profile.timeZone} />}
        </FormField>
        <div className="grid gap-4 sm:col-span-2">
          {weekdays().map((day) => (
            <fieldset
              key={day}
              className="grid grid-cols-2 items-start gap-x-3 gap-y-1.5 sm:grid-cols-[8rem_10rem_10rem]"
            >
              <legend className="sr-only">{weekdayName(day)}</legend>
              <span
                aria-hidden="true"
                className="col-span-2 text-sm font-medium sm:col-span-1 sm:pt-2"
              >
                {weekdayName(day)}
              </span>
              {(['open', 'close'] as const).map((end) => (
                <FormField
                  key={end}
                  form={form}
                  name={`businessHours.${day}.${end}`}
                  label={
                    end === 'open'
                      ? t('{weekday}: opens', { weekday: weekdayName(day) })
                      : t('{weekday}: closes', { weekday: weekdayName(day) })
                  }
                  hideLabel
                >
                  {(field) => <Input type="time" {...field} />}
                </FormField>
              ))}
            </fieldset>
          ))}
        </div>
      </FieldGroup>

      <FieldGroup title={t('How customers get it')}>
        <div className="grid justify-items-start">
          <Checkbox label={t('Accepts pickup')} {...form.register('acceptsPickup')} />
          <Checkbox label={t('Accepts delivery')} {...form.register('acceptsDelivery')} />
        </div>
        <NumberField
          form={form}
          name="deliveryRadius"
          label={isMetric() ? t('Delivery radius (km)') : t('Delivery radius (miles)')}
          isOptional
          limits={{
            min: 0,
            max: longestRadius(),
            ...(isMetric() && { decimals: 0 }),
          }}
        />
        <div className="sm:col-span-2">
          <TextListField
            form={form}
            name="deliveryAreas"
            label={t('Postcodes and cities you deliver to')}
            addLabel={t('Add area')}
            hint={t(
              'With a list, orders to other addresses are refused. Without one, customers are asked whether they live in your area.',
            )}
            placeholder={t('For example: 05346, Putney')}
            maxLength={DELIVERY_AREA_LENGTH_MAX}
            distinct={distinctAreas}
          />
        </div>
      </FieldGroup>

      <FieldGroup
        title={t('When an order changes')}
        text={t('You may run short of something, or a weighed item may cost more than expected.')}
      >
        <NumberField
          form={form}
          name="answerMinutes"
          label={t('Minutes to answer a change')}
          hint={t('How long customers have when you ask them.')}
          limits={{ decimals: 0, ...ANSWER_MINUTES }}
        />
        <NumberField
          form={form}
          name="weightTolerancePercent"
          label={t('Weight tolerance (percent)')}
          hint={t('Above it customers are asked for their yes.')}
          limits={{ decimals: 0, ...WEIGHT_TOLERANCE_PERCENT }}
        />
      </FieldGroup>

      <FormError form={form} />
      {wasSaved && !isDirty && (
        <Alert kind="success">{t('Farm profile updated successfully!')}</Alert>
      )}
      <Button
        type="submit"
        pending={isSubmitting || isUploading}
        pendingLabel={isUploading ? t('Uploading pictures...') : t('Saving...')}
        className="justify-self-start"
      >
        {t('Save farm profile')}
      </Button>
      <LeaveGuard when={(isDirty || isUploading) && !isSubmitting} />
    </Form>
  );
}
