import { useState } from 'react';
import { useController } from 'react-hook-form';
import { weekdays } from '#contract/farm/farmers/constants';
import { DIRECTIONS_MAX, PLACE_HOURS_MAX } from '#contract/farm/places/constants';
import type { Place } from '#contract/farm/places/places';
import { CAPACITY_LIMITS } from '#contract/farm/slots/constants';
import type { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';
import { VersionedEdit } from '../../platform/queries/versioned-edit.ts';
import { LeaveGuard } from '../../platform/ui/dialogs/LeaveGuard.tsx';
import { Alert } from '../../platform/ui/feedback/states.tsx';
import { Checkbox, Options, Select, Textarea } from '../../platform/ui/fields/controls.tsx';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { AddressFields, NumberField, TextField } from '../../platform/ui/form/fields.tsx';
import {
  type AppForm,
  Form,
  FormError,
  FormField,
  useZodForm,
} from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { PositionField } from '../model/PositionField.tsx';
import { WeekHours } from '../model/WeekHours.tsx';
import {
  FIRST_HOURS,
  type FirstPlace,
  formatMinutes,
  formatSlots,
  newPlace,
  PlaceInput,
  slotLengths,
  toPlaceFields,
  toPlaceInput,
  useCreatePlace,
  useUpdatePlace,
} from './place-form.ts';

/** The form to add a pickup place, or to change one. What others change in other fields is kept. */
export function PlaceForm({
  place,
  first,
  onDone,
}: {
  /** Undefined for a new one. */
  place?: Place;
  /** What the first one of a farm begins with. */
  first?: FirstPlace | undefined;
  onDone: () => void;
}) {
  const create = useCreatePlace();
  const update = useUpdatePlace();
  const [edit] = useState(() => place && new VersionedEdit(place, toPlaceInput));
  const form = useZodForm(PlaceInput, {
    defaultValues: place ? toPlaceInput(place) : newPlace(first),
  });
  const { isDirty, isSubmitting } = form.formState;
  const save = async (input: PlaceInput) => {
    if (!place || !edit) await create.mutateAsync(toPlaceFields(input));
    else
      await edit.save(
        input,
        async (values, _, expectedVersion) =>
          (
            await update.mutateAsync({
              place,
              change: { ...toPlaceFields(values), expectedVersion },
            })
          ).data,
      );
    onDone();
  };
  return (
    <Form
      form={form}
      label={place ? t('Edit {name}', { name: place.name }) : t('New place')}
      draftKey={`place:${place?._id ?? 'new'}`}
      onSubmit={save}
      className="grid gap-6"
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <FormField form={form} name="name" label={t('Name')} required className="sm:col-span-2">
          {(field) => <Input {...field} placeholder={t('Market square, farm gate, …')} />}
        </FormField>
        <AddressFields form={form} required={['street', 'city']} />
        <PositionField
          {...useController({ control: form.control, name: 'position' })}
          className="sm:col-span-2"
        />
        <FormField
          form={form}
          name="directions"
          label={t('Directions')}
          hint={t('How to find it, and what to do there. Customers see this.')}
          className="sm:col-span-2"
        >
          {(field) => <Textarea {...field} rows={3} maxLength={DIRECTIONS_MAX} />}
        </FormField>
        <TextField form={form} name="phone" label={t('Phone')} type="tel" autoComplete="off" />
        <div className="content-end sm:grid">
          <Checkbox
            label={t('Offered to customers')}
            hint={t('Without it no new orders come for this place.')}
            {...form.register('isActive')}
          />
        </div>
      </div>
      <HoursField form={form} />
      <FormError form={form} />
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button type="reset" variant="secondary" onClick={onDone}>
          {t('Cancel')}
        </Button>
        <Button type="submit" pending={isSubmitting}>
          {t('Save place')}
        </Button>
      </div>
      <LeaveGuard when={isDirty && !isSubmitting} />
    </Form>
  );
}

/** The hours of a place by weekday, with the length of their slots and how many orders each takes. */
function HoursField({ form }: { form: AppForm<z.input<typeof PlaceInput>, PlaceInput> }) {
  const error = form.formState.errors.hours?.message;
  return (
    <fieldset className="min-w-0">
      <legend className="font-display text-base font-semibold">{t('Hours')}</legend>
      <p className="mt-1 mb-3 text-sm text-ink-soft">
        {t(
          'Tap the days that you are there. The hours are cut into slots, of which customers choose one; slots with orders stay as they are when you change the hours.',
        )}
      </p>
      {error && (
        <Alert kind="error" className="mb-3">
          {error}
        </Alert>
      )}
      <WeekHours
        form={form}
        first={FIRST_HOURS}
        spansMax={PLACE_HOURS_MAX / weekdays().length}
        midnight="24:00"
        hint={formatSlots}
        details={(path, hours) => (
          <>
            <FormField
              form={form}
              name={`${path}.slotMinutes`}
              label={t('One slot')}
              registerOptions={{ valueAsNumber: true }}
            >
              {(field) => (
                <Select {...field}>
                  <Options
                    of={slotLengths(hours).map((minutes) => [minutes, formatMinutes(minutes)])}
                  />
                </Select>
              )}
            </FormField>
            <NumberField
              form={form}
              name={`${path}.capacity`}
              label={t('Orders per slot')}
              isOptional
              limits={CAPACITY_LIMITS}
              placeholder={t('No limit')}
            />
          </>
        )}
      />
    </fieldset>
  );
}
