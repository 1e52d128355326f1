import type { ComponentProps } from 'react';
import { type ReactNode, useState } from 'react';
import { type FieldPath, type FieldValues, get, useController, useWatch } from 'react-hook-form';
import type { AddressPart } from '#contract/platform/market/constants';
import { unitWord } from '#contract/platform/quantities/constants/quantities';
import { UNITS } from '#contract/platform/quantities/constants/units';
import {
  missingPart,
  orderedParts,
  partLabel,
} from '#contract/platform/text/constants/address-words';
import { type Message, t, writeMessage } from '#contract/platform/text/constants/texts';
import {
  type NumberLimits,
  readTyped,
  writeTyped,
} from '#contract/platform/text/constants/typed-numbers';
import { toAddress } from '../../format/address.ts';
import { useMarket } from '../../format/market.ts';
import { rich } from '../../format/rich.tsx';
import { Checkbox, Select } from '../fields/controls.tsx';
import { Field, type FieldProps, Input, labelIdOf, useFieldAttributes } from '../fields/Field.tsx';
import { NumberInput } from '../fields/NumberInput.tsx';
import type { AppForm } from './form.tsx';
import { FormField } from './form.tsx';

/** What can be chosen: each value with its label, in this order. */
export type Options<Choice extends string | number = string> = readonly {
  value: Choice;
  label: string;
  disabled?: boolean;
}[];

/** Returns the options of a table of labels, written for the present reader. */
export const optionsOf = <Choice extends string>(labels: Record<Choice, Message | string>) =>
  (Object.keys(labels) as Choice[]).map((value) => ({ value, label: writeMessage(labels[value]) }));

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

/** What browsers call the parts of an address when they fill them in. */
const COMPLETED: Readonly<Record<AddressPart, string>> = {
  street: 'street-address',
  city: 'address-level2',
  state: 'address-level1',
  zipCode: 'postal-code',
};

/**
 * The fields of a postal address, for a grid of one column or two, as the market's country writes one. A part that it
 * has not is shown where an address has it all the same. `isOwn` lets the browser fill in the reader's.
 */
export function AddressFields<Values extends FieldValues, Output>({
  form,
  name = 'address',
  isOwn = false,
  required = [],
}: {
  form: AppForm<Values, Output>;
  /** The path of the address in the form. */
  name?: string;
  isOwn?: boolean;
  /** The parts without which it is refused, where the country has them. */
  required?: readonly AddressPart[];
}) {
  const { addressFormat } = useMarket();
  const begun: Partial<Record<AddressPart, string>> = get(form.formState.defaultValues, name) ?? {};
  const now: Partial<Record<AddressPart, string>> = useWatch({
    control: form.control,
    name: name as FieldPath<Values>,
  });
  const isShown = (part: AddressPart) =>
    part === 'street' || addressFormat[part] !== null || Boolean(begun[part] || now?.[part]);
  const render = (part: AddressPart) => (
    <TextField
      key={part}
      form={form}
      name={`${name}.${part}` as FieldPath<Values>}
      autoComplete={isOwn ? COMPLETED[part] : 'off'}
      label={partLabel(part)}
      required={required.includes(part) && missingPart(part) !== undefined}
      {...(part === 'street' && { className: 'col-span-full' })}
    />
  );
  const parts = orderedParts(addressFormat).filter(isShown);
  const street = parts.indexOf('street');
  const renderRow = (row: readonly AddressPart[]) =>
    row.length > 0 && (
      <div className="col-span-full flex flex-wrap gap-5 *:min-w-0 *:grow *:basis-32">
        {row.map(render)}
      </div>
    );
  return (
    <>
      {renderRow(parts.slice(0, street))}
      {render('street')}
      {renderRow(parts.slice(street + 1))}
    </>
  );
}

/**
 * A field of a form whose value is a number: NaN while it cannot be read, and null where it is `isOptional` and empty.
 */
export function NumberField<Input extends FieldValues, Output, Name extends FieldPath<Input>>({
  form,
  name,
  limits,
  step,
  isOptional = false,
  placeholder,
  ...field
}: {
  form: AppForm<Input, Output>;
  name: Name;
  limits: NumberLimits;
  /** What the arrow keys add or take away. */
  step?: number | undefined;
  isOptional?: boolean | undefined;
  placeholder?: string | undefined;
  label: ReactNode;
  hint?: ReactNode;
  required?: boolean;
  className?: string;
}) {
  const { field: control, fieldState } = useController({ control: form.control, name });
  const [typed, setTyped] = useState<{ text: string; value: number | null }>();
  // What was typed stands until the form has another value.
  const text =
    typed && Object.is(typed.value, control.value) ? typed.text : writeTyped(control.value);
  const { question } = readTyped(text, limits);
  const onText = (next: string) => {
    const value = isOptional && next.trim() === '' ? null : readTyped(next, limits).value;
    setTyped({ text: next, value });
    control.onChange(value);
  };
  return (
    <Field {...field} error={question ? undefined : fieldState.error?.message}>
      <NumberInput
        name={control.name}
        ref={control.ref}
        onBlur={control.onBlur}
        text={text}
        onText={onText}
        limits={limits}
        placeholder={placeholder}
        {...(step !== undefined && { step })}
      />
    </Field>
  );
}

/**
 * The time at which hours end, with the choice of midnight: a time picker has no 24:00. What is typed as 00:00 is
 * midnight too, since hours end after they begin.
 */
export function EndTimeField<Input extends FieldValues, Output, Name extends FieldPath<Input>>({
  form,
  name,
  midnight = '24:00',
  inputClass,
  ...field
}: Omit<FormFieldProps<Input, Output, Name>, 'registerOptions'> & {
  /** How the form's value says midnight: a farm's own hours say '00:00'. */
  midnight?: '24:00' | '00:00';
  inputClass?: string;
}) {
  const { field: control, fieldState } = useController({ control: form.control, name });
  return (
    <Field {...field} error={fieldState.error?.message}>
      <EndTime {...control} midnight={midnight} className={inputClass} />
    </Field>
  );
}

function EndTime({
  value,
  onChange,
  midnight,
  className,
  ...control
}: Pick<ComponentProps<'input'>, 'name' | 'ref' | 'onBlur' | 'disabled' | 'className'> & {
  value: string | undefined;
  onChange: (time: string) => void;
  midnight: string;
}) {
  const { id = '' } = useFieldAttributes();
  const isMidnight = value === midnight;
  /** What ends before midnight comes back when midnight is no longer chosen. */
  const [before, setBefore] = useState('');
  if (!isMidnight && value !== undefined && value !== before) setBefore(value);
  return (
    <>
      <Input
        {...control}
        type="time"
        value={isMidnight ? '00:00' : (value ?? '')}
        onChange={({ target }) => onChange(target.value === '00:00' ? midnight : target.value)}
        className={className}
      />
      <Checkbox
        label={t('Until midnight')}
        aria-describedby={labelIdOf(id)}
        disabled={control.disabled}
        checked={isMidnight}
        onChange={({ target }) => onChange(target.checked ? midnight : before)}
        onBlur={control.onBlur}
      />
    </>
  );
}

/**
 * Asks anyone who opens an account to agree to the terms, where the market has terms. The form's field is
 * `acceptsTerms`, false at first.
 */
export function ConsentField<Input extends FieldValues, Output>({
  form,
}: {
  form: AppForm<Input, Output>;
}) {
  const { pages } = useMarket();
  if (!pages.includes('terms')) return null;
  const error: { message?: string } | undefined = get(form.formState.errors, 'acceptsTerms');
  const links = {
    terms: (words: ReactNode) => <NewTabLink href="/terms">{words}</NewTabLink>,
    data: (words: ReactNode) => <NewTabLink href="/privacy">{words}</NewTabLink>,
  };
  return (
    <div>
      <Checkbox
        {...form.register('acceptsTerms' as FieldPath<Input>)}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'consent-error' : undefined}
        label={
          pages.includes('privacy')
            ? rich(
                'I agree to the <terms>terms</terms> and have read how the market handles <data>my data</data>',
                links,
              )
            : rich('I agree to the <terms>terms</terms>', links)
        }
      />
      {error && (
        <p id="consent-error" className="text-sm text-tomato">
          {error.message}
        </p>
      )}
    </div>
  );
}

/** In a tab of its own, so that what was typed stays. */
function NewTabLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={toAddress(href)} target="_blank" rel="noreferrer" className="link">
      {children}
      <span className="sr-only"> {t('(opens in a new tab)')}</span>
    </a>
  );
}

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
      <legend className="mb-1 text-sm font-medium">{t('Units of new products')}</legend>
      <div className="flex flex-wrap gap-x-6">
        {UNITS.map((unit) => (
          <Checkbox
            key={unit}
            label={unitWord(unit)}
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
