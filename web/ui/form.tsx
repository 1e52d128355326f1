import { zodResolver } from '@hookform/resolvers/zod';
import type { ReactNode } from 'react';
import {
  type FieldPath,
  type FieldValues,
  get,
  type Resolver,
  type UseFormProps,
  type UseFormRegisterReturn,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type { z } from '#contract/zod';
import { ApiError } from '../lib/api-error.ts';
import { Alert } from './primitives/Alert.tsx';
import { Field, type FieldProps } from './primitives/Field.tsx';

/** A form: `Input` are the values of its fields, `Output` the values parsed by its schema. */
export type AppForm<Input extends FieldValues, Output> = UseFormReturn<Input, unknown, Output>;

/**
 * Creates a form that is validated by a zod schema: a field on blur and then on each change, and the
 * whole form on submit, which focuses the first invalid field.
 */
export function useZodForm<Input extends FieldValues, Output extends FieldValues>(
  schema: z.ZodType<Output, Input>,
  options: Omit<UseFormProps<Input, unknown, Output>, 'resolver'> = {},
): AppForm<Input, Output> {
  return useForm<Input, unknown, Output>({
    mode: 'onTouched',
    ...options,
    resolver: zodResolver(schema) as Resolver<Input, unknown, Output>,
  });
}

/**
 * Shows the field errors of an `ApiError` at their fields and focuses the first one. An error that
 * belongs to no field of the form is shown by `FormError`. Rethrows other errors.
 */
function showServerErrors<Input extends FieldValues, Output>(
  form: AppForm<Input, Output>,
  error: unknown,
): void {
  if (!(error instanceof ApiError)) throw error;
  let shown = 0;
  for (const { path, message } of error.errors) {
    if (get(form.getValues(), path) === undefined) continue;
    const name = path as FieldPath<Input>;
    form.setError(name, { type: 'server', message }, { shouldFocus: shown === 0 });
    shown += 1;
  }
  if (shown === 0) form.setError('root.server', { type: 'server', message: error.message });
}

/**
 * The form element. `onSubmit` gets the valid values; an `ApiError` that it throws is shown in the
 * form. A second submit while the first is pending is ignored.
 */
export function Form<Input extends FieldValues, Output>({
  form,
  onSubmit,
  className,
  children,
  label,
}: {
  form: AppForm<Input, Output>;
  onSubmit: (values: Output) => unknown;
  className?: string;
  children: ReactNode;
  /** The accessible name, where no heading labels the form. */
  label?: string;
}) {
  const submit = form.handleSubmit(async (values) => {
    try {
      await onSubmit(values);
    } catch (error) {
      showServerErrors(form, error);
    }
  });
  return (
    <form
      noValidate
      aria-label={label}
      className={className}
      onMouseDown={(event) => {
        // Keeps the focus in the field: on blur its error would appear and move the submit button
        // before the pointer is released, and the click would be lost.
        const onSubmitButton = (event.target as Element).closest('[type=submit]');
        const isInForm = event.currentTarget.contains(document.activeElement);
        if (onSubmitButton && isInForm) event.preventDefault();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!form.formState.isSubmitting) void submit(event);
      }}
    >
      {children}
    </form>
  );
}

/** Shows the error of a form that belongs to no single field. */
export function FormError<Input extends FieldValues, Output>({
  form,
}: {
  form: AppForm<Input, Output>;
}) {
  const message = form.formState.errors.root?.server?.message;
  return message ? <Alert kind="error">{message}</Alert> : null;
}

/**
 * A field of a form with label, control and error. `children` renders the control with the registered
 * props: `{(field) => <Input type="email" {...field} />}`.
 */
export function FormField<Input extends FieldValues, Output, Name extends FieldPath<Input>>({
  form,
  name,
  children,
  registerOptions,
  ...field
}: Omit<FieldProps, 'children' | 'error'> & {
  form: AppForm<Input, Output>;
  name: Name;
  registerOptions?: Parameters<typeof form.register<Name>>[1];
  children: (field: UseFormRegisterReturn<Name>) => ReactNode;
}) {
  const error: { message?: string } | undefined = get(form.formState.errors, name);
  return (
    <Field {...field} error={error?.message}>
      {children(form.register(name, registerOptions))}
    </Field>
  );
}
