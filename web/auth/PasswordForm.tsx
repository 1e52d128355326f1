import { ChangePassword, PASSWORD_MIN_LENGTH } from '#contract/auth';
import { Form, FormError, FormField, useZodForm } from '../ui/form.tsx';
import { Button } from '../ui/primitives/Button.tsx';
import { Input } from '../ui/primitives/Input.tsx';
import { useChangePassword } from './commands.ts';
import { confirmation, mismatch, passwordsMatch } from './confirmed.ts';

const PasswordChange = ChangePassword.extend(confirmation).refine(
  ({ newPassword: password, confirmPassword }) => passwordsMatch({ password, confirmPassword }),
  mismatch,
);

const EMPTY = { currentPassword: '', newPassword: '', confirmPassword: '' };

/** Sets a new password, which signs out every other device. */
export function PasswordForm({ email }: { email: string }) {
  const change = useChangePassword();
  const form = useZodForm(PasswordChange, { defaultValues: EMPTY });
  // Revalidated with the password only once touched, so that no error shows before it is filled in.
  const recheck = form.formState.touchedFields.confirmPassword ? ['confirmPassword' as const] : [];
  return (
    <Form
      form={form}
      label="Change password"
      onSubmit={async ({ confirmPassword: _, ...input }) => {
        await change.mutateAsync(input);
        form.reset(EMPTY);
      }}
      className="grid gap-5"
    >
      <FormError form={form} />
      {/* Password managers keep the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <FormField form={form} name="currentPassword" label="Current password" required>
        {(field) => <Input {...field} type="password" autoComplete="current-password" />}
      </FormField>
      <div className="grid gap-5 sm:grid-cols-2">
        <FormField
          form={form}
          name="newPassword"
          label="New password"
          hint={`At least ${PASSWORD_MIN_LENGTH} characters`}
          registerOptions={{ deps: recheck }}
          required
        >
          {(field) => <Input {...field} type="password" autoComplete="new-password" />}
        </FormField>
        <FormField form={form} name="confirmPassword" label="Repeat new password" required>
          {(field) => <Input {...field} type="password" autoComplete="new-password" />}
        </FormField>
      </div>
      <div>
        <Button
          type="submit"
          variant="secondary"
          pending={form.formState.isSubmitting}
          pendingLabel="Saving..."
          className="w-full sm:w-auto"
        >
          Change password
        </Button>
      </div>
    </Form>
  );
}
