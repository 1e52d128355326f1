import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useController, useFieldArray, useWatch } from 'react-hook-form';
import { type Weekday, weekdays } from '#contract/farm/farmers/constants';
import { DIRECTIONS_MAX } from '#contract/farm/places/constants';
import type { Place } from '#contract/farm/places/places';
import { CAPACITY_LIMITS } from '#contract/farm/slots/constants';
import type { User } from '#contract/people/users/users';
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
import { weekdayName } from '../model/handoff.ts';
import { PositionField } from '../model/PositionField.tsx';
import {
  formatMinutes,
  formatSlots,
  type HoursInput,
  newPlace,
  nextHours,
  PlaceInput,
  slotLengths,
  toPlaceInput,
  useCreatePlace,
  useUpdatePlace,
} from './place-form.ts';

/** The form to add a pickup place, or to change one. What others change in other fields is kept. */
export function PlaceForm({
  place,
  address = null,
  onDone,
}: {
  /** Undefined for a new one. */
  place?: Place;
  /** What a new one begins with. */
  address?: User['address'] | null;
  onDone: () => void;
}) {
  const create = useCreatePlace();
  const update = useUpdatePlace();
  const [edit] = useState(() => place && new VersionedEdit(place, toPlaceInput));
  const form = useZodForm(PlaceInput, {
    defaultValues: place ? toPlaceInput(place) : newPlace(address),
  });
  const { isDirty, isSubmitting } = form.formState;
  const save = async (input: PlaceInput) => {
    if (!place || !edit) await create.mutateAsync(input);
    else
      await edit.save(
        input,
        async (values, _, expectedVersion) =>
          (await update.mutateAsync({ place, change: { ...values, expectedVersion } })).data,
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

/** The form of a place, before and after its check. */
type PlaceFormApi = AppForm<z.input<typeof PlaceInput>, PlaceInput>;

/** The hours of a place by weekday, with the length of their slots and how many orders each takes. */
function HoursField({ form }: { form: PlaceFormApi }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'hours' });
  const hours = useWatch({ control: form.control, name: 'hours' });
  const { errors } = form.formState;
  // A conflict of versions is about all hours.
  const error = errors.hours?.message ?? errors.hours?.root?.message;
  return (
    <fieldset className="min-w-0">
      <legend className="font-display text-base font-semibold">{t('Hours')}</legend>
      <p className="mt-1 text-sm text-ink-soft">
        {t(
          "They're cut into slots, of which customers choose one. Slots with orders stay as they are when you change the hours.",
        )}
      </p>
      {error && (
        <Alert kind="error" className="mt-3">
          {error}
        </Alert>
      )}
      <ul className="mt-3 grid divide-y divide-hairline">
        {weekdays().map((weekday) => {
          const ranges = fields.flatMap((field, index) =>
            hours[index]?.weekday === weekday ? [{ id: field.id, index }] : [],
          );
          return (
            <li key={weekday} className="grid gap-3 py-3">
              <div className="flex min-h-9 items-center justify-between gap-2">
                <span className="text-sm font-medium">{weekdayName(weekday)}</span>
                <Button
                  variant="quiet"
                  size="sm"
                  icon={<Plus />}
                  aria-label={t('Add hours on {weekday}', {
                    weekday: weekdayName(weekday),
                  })}
                  onClick={() => append(nextHours(hours, weekday))}
                >
                  {t('Add hours')}
                </Button>
              </div>
              {ranges.map(({ id, index }, position) => (
                <Range
                  key={id}
                  form={form}
                  index={index}
                  weekday={weekday}
                  position={position + 1}
                  range={hours[index]}
                  onRemove={() => remove(index)}
                />
              ))}
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}

function Range({
  form,
  index,
  weekday,
  position,
  range,
  onRemove,
}: {
  form: PlaceFormApi;
  index: number;
  weekday: Weekday;
  /** From 1, among those of the day. */
  position: number;
  range: HoursInput | undefined;
  onRemove: () => void;
}) {
  if (!range) return null;
  const day = weekdayName(weekday);
  const name =
    position > 1 ? t('{weekday}, range {number}', { weekday: day, number: position }) : day;
  const says = formatSlots(range);
  return (
    <fieldset className="grid min-w-0 gap-2 rounded bg-sunken p-3">
      <legend className="sr-only">{name}</legend>
      <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-[1fr_1fr_1fr_1fr_auto]">
        <FormField form={form} name={`hours.${index}.from`} label={t('time|From')} required>
          {(field) => <Input type="time" className="max-sm:px-2" {...field} />}
        </FormField>
        <FormField form={form} name={`hours.${index}.to`} label={t('time|To')} required>
          {(field) => <Input type="time" className="max-sm:px-2" {...field} />}
        </FormField>
        <FormField
          form={form}
          name={`hours.${index}.slotMinutes`}
          label={t('One slot')}
          registerOptions={{ valueAsNumber: true }}
        >
          {(field) => (
            <Select {...field}>
              <Options
                of={slotLengths(range).map((minutes) => [minutes, formatMinutes(minutes)])}
              />
            </Select>
          )}
        </FormField>
        <NumberField
          form={form}
          name={`hours.${index}.capacity`}
          label={t('Orders per slot')}
          isOptional
          limits={CAPACITY_LIMITS}
          placeholder={t('No limit')}
        />
        <Button
          variant="danger-quiet"
          size="icon"
          icon={<X />}
          aria-label={t('Remove {name}', { name })}
          onClick={onRemove}
          className="col-span-2 justify-self-end sm:col-span-1 sm:mt-7"
        />
      </div>
      {says && <p className="text-xs text-ink-soft">{says}</p>}
    </fieldset>
  );
}
