import { type ReactNode, useState } from 'react';
import { type FieldPath, type FieldValues, useController } from 'react-hook-form';
import {
  type NumberLimits,
  readTyped,
  writeTyped,
} from '#contract/platform/text/constants/typed-numbers';
import type { AppForm } from '../form/form.tsx';
import { Field } from './Field.tsx';
import { NumberInput } from './NumberInput.tsx';

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
