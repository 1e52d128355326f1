import { Plus, X } from 'lucide-react';
import { useFieldArray, useWatch } from 'react-hook-form';
import { type Weekday, weekdays } from '#contract/farm/farmers/constants';
import { CAPACITY_LIMITS } from '#contract/farm/slots/constants';
import type { z } from '#contract/platform/http/zod';
import { capitalized } from '../../platform/format/format.ts';
import { Alert } from '../../platform/ui/feedback/Alert.tsx';
import { Input } from '../../platform/ui/fields/Input.tsx';
import { NumberField } from '../../platform/ui/fields/NumberField.tsx';
import { Select } from '../../platform/ui/fields/Select.tsx';
import { type AppForm, FormField } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import {
  formatMinutes,
  type HoursInput,
  nextHours,
  type PlaceInput,
  slotLengths,
  slotsInWords,
} from './place-form.ts';

/** The form of a place, before and after its check. */
export type PlaceFormApi = AppForm<z.input<typeof PlaceInput>, PlaceInput>;

/** The hours of a place by weekday, with the length of their slots and how many orders each takes. */
export function HoursField({ form }: { form: PlaceFormApi }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'hours' });
  const hours = useWatch({ control: form.control, name: 'hours' });
  const { errors } = form.formState;
  // A conflict of versions is about all hours.
  const error = errors.hours?.message ?? errors.hours?.root?.message;
  return (
    <fieldset className="min-w-0">
      <legend className="font-display text-base font-semibold">Hours</legend>
      <p className="mt-1 text-sm text-ink-soft">
        They're cut into slots, of which customers choose one. Slots with orders stay as they are
        when you change the hours.
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
                <span className="text-sm font-medium">{capitalized(weekday)}</span>
                <Button
                  variant="quiet"
                  size="sm"
                  icon={<Plus />}
                  aria-label={`Add hours on ${capitalized(weekday)}`}
                  onClick={() => append(nextHours(hours, weekday))}
                >
                  Add hours
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
  const name = `${capitalized(weekday)}${position > 1 ? `, range ${position}` : ''}`;
  const says = slotsInWords(range);
  return (
    <fieldset className="grid min-w-0 gap-2 rounded bg-sunken p-3">
      <legend className="sr-only">{name}</legend>
      <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-[1fr_1fr_1fr_1fr_auto]">
        <FormField form={form} name={`hours.${index}.from`} label="From" required>
          {(field) => <Input type="time" className="max-sm:px-2" {...field} />}
        </FormField>
        <FormField form={form} name={`hours.${index}.to`} label="To" required>
          {(field) => <Input type="time" className="max-sm:px-2" {...field} />}
        </FormField>
        <FormField
          form={form}
          name={`hours.${index}.slotMinutes`}
          label="One slot"
          registerOptions={{ valueAsNumber: true }}
        >
          {(field) => (
            <Select {...field}>
              {slotLengths(range).map((minutes) => (
                <option key={minutes} value={minutes}>
                  {formatMinutes(minutes)}
                </option>
              ))}
            </Select>
          )}
        </FormField>
        <NumberField
          form={form}
          name={`hours.${index}.capacity`}
          label="Orders per slot"
          isOptional
          limits={CAPACITY_LIMITS}
          placeholder="No limit"
        />
        <Button
          variant="danger-quiet"
          size="icon"
          icon={<X />}
          aria-label={`Remove ${name}`}
          onClick={onRemove}
          className="col-span-2 justify-self-end sm:col-span-1 sm:mt-7"
        />
      </div>
      {says && <p className="text-xs text-ink-soft">{says}</p>}
    </fieldset>
  );
}
