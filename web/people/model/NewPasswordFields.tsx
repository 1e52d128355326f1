import { type FieldPath, type FieldValues, get } from 'react-hook-form';
import { normalPassword, PASSWORD_MIN_LENGTH } from '#contract/people/auth/constants';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';
import { PasswordInput } from '../../platform/ui/fields/PasswordInput.tsx';
import { type AppForm, FormField } from '../../platform/ui/form/form.tsx';

/** Two fields for a new password, which the form's schema compares. */
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
        hint={t('At least {count, plural, one {# character} other {# characters}}', {
          count: PASSWORD_MIN_LENGTH,
        })}
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

/** The repeated password of a form: extend the form's schema with it. */
export const confirmation = {
  confirmPassword: z.string().min(1, { error: () => t('Please repeat the password') }),
};

/** Returns whether both passwords match. An empty repetition has its own error. */
export function passwordsMatch(input: { password: string; confirmPassword: string }): boolean {
  const { password, confirmPassword } = input;
  return confirmPassword === '' || normalPassword(confirmPassword) === normalPassword(password);
}

/** The error for passwords that differ, also checked while other fields are invalid. */
export const mismatch = {
  path: ['confirmPassword'],
  error: () => t('Passwords do not match'),
  when: () => true,
};
