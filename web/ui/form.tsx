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
import type { z } from 'zod';
import { ApiError } from '../lib/api-error.ts';
import { Alert } from './Alert.tsx';
import { Field, type FieldProps } from './Field.tsx';

/** A form of ours: `Input` is what its fields hold, `Output` what the schema makes of them. */
export type AppForm<Input extends FieldValues, Output> = UseFormReturn<Input, unknown, Output>;

/**
 * A form checked by a zod schema: on leaving a field and then at each key, and whole on submitting,
 * when the first wrong field gets the focus.
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
 * Puts what the server found wrong at the fields it names, and the focus into the first of them.
 * What belongs to no field of the form stands above it (see `FormError`). Throws again what is no
 * `ApiError`.
 */
export function showServerErrors<Input extends FieldValues, Output>(
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
 * The form element. `onSubmit` gets the checked values; an `ApiError` it throws is shown at the
 * fields and above the form, and nothing that was typed is lost. A second submit while the first is
 * under way is ignored.
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
  /** What the form is for, where no heading says it. */
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
        // A field left by pressing the submit button would show its error and push the button away
        // from under the pointer before it is released: the press would be lost.
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

/** The red band above a form for what belongs to no single field. */
export function FormError<Input extends FieldValues, Output>({
  form,
}: {
  form: AppForm<Input, Output>;
}) {
  const message = form.formState.errors.root?.server?.message;
  return message ? <Alert kind="error">{message}</Alert> : null;
}

/**
 * A field of a form: its label, its control and what is wrong with it. The control comes from
 * `children`, which gets what ties it to the form: `{(field) => <Input type="email" {...field} />}`.
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
  const problem: { message?: string } | undefined = get(form.formState.errors, name);
  return (
    <Field {...field} error={problem?.message}>
      {children(form.register(name, registerOptions))}
    </Field>
  );
}
