import { zodResolver } from '@hookform/resolvers/zod';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
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
import type { z } from '#contract/platform/http/zod';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { ApiError, CONNECTION_RESTORED, isVersionConflict } from '../../api/api-error.ts';
import { useHasReturned } from '../feedback/ErrorAlert.tsx';
import { Alert } from '../feedback/states.tsx';
import { Field, type FieldProps } from '../fields/Field.tsx';
import { DiscardContext, RestoredNote, useFormDraft } from './draft.tsx';

/** A form: `Input` are the values of its fields, `Output` the values parsed by its schema. */
export type AppForm<Input extends FieldValues, Output> = UseFormReturn<Input, unknown, Output>;

/**
 * Creates a form that is validated by a zod schema: a field on blur and then on each change, and the
 * whole form on submit. `Form` shows the first invalid field.
 */
export function useZodForm<Input extends FieldValues, Output extends FieldValues>(
  schema: z.ZodType<Output, Input>,
  options: Omit<UseFormProps<Input, unknown, Output>, 'resolver'> = {},
): AppForm<Input, Output> {
  return useForm<Input, unknown, Output>({
    mode: 'onTouched',
    // `Form` does it, because a field that has the focus already would not be scrolled into view.
    shouldFocusError: false,
    ...options,
    resolver: zodResolver(schema) as Resolver<Input, unknown, Output>,
  });
}

/** The type of a form's own error that had no answer. */
const UNANSWERED = 'unanswered';

/**
 * Shows the field errors of an `ApiError` at their fields. An error that belongs to no field of the
 * form is shown by `FormError`, and a conflict of versions too, since its message says what to do. Rethrows
 * other errors.
 */
function showServerErrors<Input extends FieldValues, Output>(
  form: AppForm<Input, Output>,
  error: unknown,
): void {
  if (!(error instanceof ApiError)) throw error;
  const shown = error.errors.filter(({ path }) => get(form.getValues(), path) !== undefined);
  for (const { path, message } of shown) {
    form.setError(path as FieldPath<Input>, { type: 'server', message });
  }
  if (shown.length === 0 || isVersionConflict(error))
    form.setError('root.server', {
      type: error.isOffline ? UNANSWERED : 'server',
      message: error.message,
    });
}

/** Shows what was saved, but keeps what was typed since `sent` was sent: that is not saved yet. */
function showSaved<Input extends FieldValues, Output>(
  form: AppForm<Input, Output>,
  sent: Input,
  saved: Input,
): void {
  const present = structuredClone(form.getValues());
  form.reset(saved);
  for (const name of Object.keys(present) as FieldPath<Input>[]) {
    if (JSON.stringify(present[name]) === JSON.stringify(sent[name])) continue;
    form.setValue(name, present[name], { shouldDirty: true });
  }
}

/** Returns how many fields have an error, nested ones too. */
function countErrors(errors: unknown): number {
  if (typeof errors !== 'object' || errors === null) return 0;
  if ('type' in errors && typeof errors.type === 'string') return 1;
  return Object.values(errors).reduce((sum: number, nested) => sum + countErrors(nested), 0);
}

/** Scrolls to the first field with an error and focuses it; without one, to the form's own error. */
function showFirstError(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLElement>('[aria-invalid="true"]');
  field?.focus({ preventScroll: true });
  (field ?? form.querySelector('[role="alert"]'))?.scrollIntoView({ block: 'center' });
}

/** Scrolls to the field that the fragment of the page's address names, and focuses it. */
function showNamedField(form: HTMLFormElement): void {
  const field = form.elements.namedItem(window.location.hash.slice(1));
  if (!(field instanceof HTMLElement)) return;
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: 'center' });
}

/**
 * The form element. `onSubmit` gets the valid values, and for a form that stays a function that shows what was saved
 * and keeps what was typed meanwhile; an `ApiError` that it throws is shown in the form. After a failed submit the
 * first error is brought into view, and a line at the end, where the submit button is, says how many there are. A
 * second submit while the first is pending is ignored. A link to the page with `#name` leads to the field of that name.
 */
export function Form<Input extends FieldValues, Output>({
  form,
  onSubmit,
  className,
  children,
  label,
  draftKey,
  draftWithout = [],
}: {
  form: AppForm<Input, Output>;
  /** Resolves to false where nothing was saved and nothing is wrong. */
  onSubmit: (values: Output, show: (saved: Input) => void) => unknown;
  className?: string;
  children: ReactNode;
  /** The accessible name, where no heading labels the form. */
  label?: string;
  /**
   * Names the form and what it is about, such as `product:<id>`: what is typed is kept under it until it is saved or
   * discarded. Never for passwords, codes, and details of a bank.
   */
  draftKey?: string | undefined;
  /** The paths of the fields that are not kept. */
  draftWithout?: readonly string[] | undefined;
}) {
  const element = useRef<HTMLFormElement>(null);
  const hasFailed = useRef(false);
  // Counted, so that each failed submit shows its first error again.
  const [failures, setFailures] = useState(0);
  const draft = useFormDraft(form, element, draftKey, draftWithout);
  const validateAndSend = form.handleSubmit(
    async (values) => {
      const sent = structuredClone(form.getValues());
      let isShown = false;
      try {
        const result = await onSubmit(values, (saved) => {
          isShown = true;
          showSaved(form, sent, saved);
        });
        if (result !== false) draft.finish(isShown);
      } catch (error) {
        hasFailed.current = true;
        showServerErrors(form, error);
      }
    },
    () => {
      hasFailed.current = true;
    },
  );
  const submit = async (event: SubmitEvent) => {
    hasFailed.current = false;
    await validateAndSend(event);
    // Only now, so that the errors are on the page when the effect looks for them.
    if (hasFailed.current) setFailures((count) => count + 1);
  };
  const { submitCount, errors } = form.formState;
  const errorCount = submitCount > 0 ? countErrors({ ...errors, root: undefined }) : 0;
  useEffect(() => {
    if (element.current) showNamedField(element.current);
  }, []);
  useEffect(() => {
    if (failures > 0 && element.current) showFirstError(element.current);
  }, [failures]);
  return (
    <form
      ref={element}
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
      onReset={(event) => {
        // A button of this type cancels; the fields are react-hook-form's.
        event.preventDefault();
        draft.discard();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        // React would hand the submit of a dialog on to the form that opened it.
        event.stopPropagation();
        if (!form.formState.isSubmitting) void submit(event);
      }}
    >
      {draft.isRestored && (
        <RestoredNote
          onDiscard={() => {
            form.reset();
            draft.discard();
            element.current?.querySelector<HTMLElement>('input,textarea,select')?.focus();
          }}
        />
      )}
      <DiscardContext value={draft.discard}>{children}</DiscardContext>
      {errorCount > 0 && (
        <p className="text-sm">
          <button
            type="button"
            onClick={() => element.current && showFirstError(element.current)}
            className="inline-flex min-h-8 items-center gap-1.5 rounded text-start font-medium text-tomato underline underline-offset-2 pointer-coarse:min-h-11"
          >
            <CircleAlert className="size-4 shrink-0" />
            {t(
              '{errorCount, plural, one {# field needs attention} other {# fields need attention}}',
              { errorCount },
            )}
          </button>
        </p>
      )}
    </form>
  );
}

/**
 * Shows the error of a form that belongs to no single field. A missing answer is out of date once the connection is
 * back, which is said in its place, so that no button moves.
 */
export function FormError<Input extends FieldValues, Output>({
  form,
}: {
  form: AppForm<Input, Output>;
}) {
  const error = form.formState.errors.root?.server;
  const isBack = useHasReturned(error?.type === UNANSWERED ? error : null);
  if (!error?.message) return null;
  return (
    <Alert kind={isBack ? 'info' : 'error'}>
      {isBack ? writeMessage(CONNECTION_RESTORED) : error.message}
    </Alert>
  );
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
