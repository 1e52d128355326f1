import { useState } from 'react';
import { DIRECTIONS_MAX } from '#contract/farm/places/constants';
import type { Place } from '#contract/farm/places/places';
import type { User } from '#contract/people/users/users';
import { VersionedEdit } from '../../platform/queries/versioned-edit.ts';
import { LeaveGuard } from '../../platform/ui/dialogs/LeaveGuard.tsx';
import { Checkbox, Textarea } from '../../platform/ui/fields/controls.tsx';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { useCreatePlace, useUpdatePlace, newPlace, PlaceInput, toPlaceInput } from './place-form.ts';

/** The form to change a pickup place. What others changed meanwhile in other fields is kept. */
export function EditPlaceForm({ place, onDone }: { place: Place; onDone: () => void }) {
  const update = useUpdatePlace();
  const [edit] = useState(() => new VersionedEdit(place, toPlaceInput, ({ version }) => version));
  return (
    <PlaceForm
      label={`Edit ${place.name}`}
      draftKey={`place:${place._id}`}
      values={toPlaceInput(place)}
      onSave={async (input) => {
        await edit.save(
          input,
          async (values, _, expectedVersion) =>
            (await update.mutateAsync({ place, change: { ...values, expectedVersion } })).data,
        );
        onDone();
      }}
      onCancel={onDone}
    />
  );
}

/** The form to add a pickup place; `address` is what it begins with. */
export function NewPlaceForm({
  address,
  onDone,
}: {
  address: User['address'] | null;
  onDone: () => void;
}) {
  const create = useCreatePlace();
  return (
    <PlaceForm
      label="New place"
      draftKey="place:new"
      values={newPlace(address)}
      onSave={async (input) => {
        await create.mutateAsync(input);
        onDone();
      }}
      onCancel={onDone}
    />
  );
}

function PlaceForm({
  label,
  draftKey,
  values,
  onSave,
  onCancel,
}: {
  label: string;
  draftKey: string;
  values: PlaceInput;
  onSave: (input: PlaceInput) => Promise<void>;
  onCancel: () => void;
}) {
  const form = useZodForm(PlaceInput, { defaultValues: values });
  const { isDirty, isSubmitting } = form.formState;
  return (
    <Form form={form} label={label} draftKey={draftKey} onSubmit={onSave} className="grid gap-6">
      <div className="grid gap-5 sm:grid-cols-2">
        <FormField form={form} name="name" label="Name" required className="sm:col-span-2">
          {(field) => <Input {...field} placeholder="Market square, farm gate, …" />}
        </FormField>
        <FormField form={form} name="address.street" label="Street" required>
          {(field) => <Input {...field} autoComplete="off" />}
        </FormField>
        <FormField form={form} name="address.city" label="City" required>
          {(field) => <Input {...field} autoComplete="off" />}
        </FormField>
        <FormField form={form} name="address.state" label="State">
          {(field) => <Input {...field} autoComplete="off" />}
        </FormField>
        <FormField form={form} name="address.zipCode" label="ZIP code">
          {(field) => <Input {...field} autoComplete="off" />}
        </FormField>
        <FormField
          form={form}
          name="directions"
          label="Directions"
          hint="How to find it, and what to do there. Customers see this."
          className="sm:col-span-2"
        >
          {(field) => <Textarea {...field} rows={3} maxLength={DIRECTIONS_MAX} />}
        </FormField>
        <FormField form={form} name="phone" label="Phone">
          {(field) => <Input {...field} type="tel" autoComplete="off" />}
        </FormField>
        <div className="content-end sm:grid">
          <Checkbox
            label="Offered to customers"
            hint="Without it no new orders come for this place."
            {...form.register('isActive')}
          />
        </div>
      </div>
      <HoursField form={form} />
      <FormError form={form} />
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button type="reset" variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" pending={isSubmitting}>
          Save place
        </Button>
      </div>
      <LeaveGuard when={isDirty && !isSubmitting} />
    </Form>
  );
}
