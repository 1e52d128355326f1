import type { FieldPath, FieldValues } from 'react-hook-form';
import { UNITS } from '#contract/platform/quantities/constants/units';
import { Checkbox } from '../fields/controls.tsx';
import type { AppForm } from './form.tsx';

/** The choice of the units in which products are offered. */
export function UnitsField<Input extends FieldValues, Output>({
  form,
  name,
  hint,
}: {
  form: AppForm<Input, Output>;
  name: FieldPath<Input>;
  hint: string;
}) {
  const message = form.getFieldState(name, form.formState).error?.message;
  return (
    <fieldset className="grid gap-2 sm:col-span-2">
      <legend className="mb-1 text-sm font-medium">Units of new products</legend>
      <div className="flex flex-wrap gap-x-6">
        {UNITS.map((unit) => (
          <Checkbox
            key={unit}
            label={unit}
            value={unit}
            aria-invalid={message ? true : undefined}
            {...form.register(name)}
          />
        ))}
      </div>
      {message && (
        <p role="alert" className="text-sm text-tomato">
          {message}
        </p>
      )}
      <p className="text-sm text-ink-soft">{hint}</p>
    </fieldset>
  );
}
