import type { ComponentProps, ReactNode } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { currencyChoices } from '#contract/admin/setup/constants';
import { CURRENCY_DECIMALS } from '#contract/platform/market/constants';
import { Select } from '../../platform/ui/fields/controls.tsx';
import { Field, type FieldProps, Input } from '../../platform/ui/fields/Field.tsx';
import { FormField } from '../../platform/ui/form/form.tsx';

/** What can be chosen: each value with its label, in this order. */
export type Options<Choice extends string | number = string> = readonly {
  value: Choice;
  label: string;
  disabled?: boolean;
}[];

/** Returns the options of a table of labels. */
export const optionsOf = <Choice extends string>(labels: Record<Choice, string>) =>
  (Object.keys(labels) as Choice[]).map((value) => ({ value, label: labels[value] }));

const optionElements = (options: Options<string | number>) =>
  options.map(({ value, label, disabled }) => (
    <option key={value} value={value} disabled={disabled}>
      {label}
    </option>
  ));

/** A choice with its label, outside of a form. */
export const ChoiceField = <Choice extends string>({
  options,
  value,
  onChange,
  ...field
}: Omit<FieldProps, 'children'> & {
  options: Options<Choice>;
  value: Choice;
  onChange: (choice: Choice) => void;
}) => (
  <Field {...field}>
    <Select value={value} onChange={(event) => onChange(event.target.value as Choice)}>
      {optionElements(options)}
    </Select>
  </Field>
);

type FormFieldProps<Input extends FieldValues, Output, Name extends FieldPath<Input>> = Omit<
  Parameters<typeof FormField<Input, Output, Name>>[0],
  'children'
>;

/** A choice in a form. */
export const SelectField = <Input extends FieldValues, Output, Name extends FieldPath<Input>>({
  options,
  ...field
}: FormFieldProps<Input, Output, Name> & { options: Options<string | number> }): ReactNode => (
  <FormField {...field}>
    {(registered) => <Select {...registered}>{optionElements(options)}</Select>}
  </FormField>
);

/** A line of text in a form. What describes no field goes to its input. */
export const TextField = <Values extends FieldValues, Output, Name extends FieldPath<Values>>({
  form,
  name,
  label,
  hint,
  required,
  className,
  ...input
}: Pick<
  FormFieldProps<Values, Output, Name>,
  'form' | 'name' | 'label' | 'hint' | 'required' | 'className'
> &
  Pick<
    ComponentProps<'input'>,
    'autoComplete' | 'inputMode' | 'maxLength' | 'type'
  >): ReactNode => (
  <FormField
    form={form}
    name={name}
    label={label}
    hint={hint}
    required={required}
    className={className}
  >
    {(registered) => <Input {...registered} {...input} />}
  </FormField>
);

/** The currencies to choose from, the `kept` one among them, by name. */
export const currencyOptions = (kept?: string) =>
  currencyChoices(kept).map(({ code, name }) => ({ value: code, label: `${name} (${code})` }));

export const DECIMALS_OPTIONS = CURRENCY_DECIMALS.map((decimals) => ({
  value: decimals,
  label: String(decimals),
}));
