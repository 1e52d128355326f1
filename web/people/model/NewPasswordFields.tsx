import { type FieldPath, type FieldValues, get } from 'react-hook-form';
import { PASSWORD_MIN_LENGTH } from '#contract/people/auth/constants';
import { PasswordInput } from '../../platform/ui/fields/PasswordInput.tsx';
import { type AppForm, FormField } from '../../platform/ui/form/form.tsx';

/** Two fields for a new password, which the form's schema compares (`repeated-password.ts`). */
export function NewPasswordFields<Values extends FieldValues, Output>({
  form,
  password,
  repeated,
}: {
  form: AppForm<Values, Output>;
  /** The name of each field and its label. */
  password: { name: FieldPath<Values>; label: string };
  repeated: { name: FieldPath<Values>; label: string };
}) {
  // Revalidated with the password only once touched, so that no error shows before it is filled in.
  const isTouched = Boolean(get(form.formState.touchedFields, repeated.name));
  return (
    <>
      <FormField
        form={form}
        {...password}
        hint={`At least ${PASSWORD_MIN_LENGTH} characters`}
        registerOptions={{ deps: isTouched ? [repeated.name] : [] }}
        required
      >
        {(field) => <PasswordInput {...field} autoComplete="new-password" />}
      </FormField>
      <FormField form={form} {...repeated} required>
        {(field) => <PasswordInput {...field} autoComplete="new-password" />}
      </FormField>
    </>
  );
}
