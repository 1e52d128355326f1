import { Link, useSearchParams } from 'wouter';
import { PASSWORD_MIN_LENGTH, ResetPassword } from '#contract/auth';
import { errorMessage } from '../lib/api-error.ts';
import { Form, FormField, useZodForm } from '../ui/form.tsx';
import { Alert } from '../ui/primitives/Alert.tsx';
import { Button, LinkButton } from '../ui/primitives/Button.tsx';
import { Input } from '../ui/primitives/Input.tsx';
import { AuthFrame } from './AuthFrame.tsx';
import { useResetPassword } from './commands.ts';
import { confirmation, mismatch, passwordsMatch } from './confirmed.ts';

const ResetForm = ResetPassword.extend(confirmation).refine(passwordsMatch, mismatch);

/** Sets a new password with the token in the URL of an emailed link. */
export default function ResetPasswordPage() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const reset = useResetPassword();
  const form = useZodForm(ResetForm, {
    values: { token, password: '', confirmPassword: '' },
  });
  // Revalidated with the password only once touched, so that no error shows before it is filled in.
  const recheck = form.formState.touchedFields.confirmPassword ? ['confirmPassword' as const] : [];
  const another = (
    <Link href="/forgot-password" className="link">
      Ask for another link
    </Link>
  );
  if (reset.isSuccess) {
    return (
      <AuthFrame title="Your new password is set" foot={null}>
        <Alert kind="success">You were signed out everywhere. Sign in with the new password.</Alert>
        <LinkButton href="/login" size="lg">
          Sign in
        </LinkButton>
      </AuthFrame>
    );
  }
  if (token === '') {
    return (
      <AuthFrame title="This link is incomplete" foot={another}>
        <Alert kind="error">Open the whole link in the email again.</Alert>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="Choose a new password"
      text="It replaces the old one on every device."
      foot={<>Did the link expire? {another}</>}
    >
      <Form
        form={form}
        label="Set a new password"
        onSubmit={({ confirmPassword: _, ...input }) => reset.mutateAsync(input)}
        className="grid gap-5"
      >
        {reset.isError && <Alert kind="error">{errorMessage(reset.error)}</Alert>}
        <FormField
          form={form}
          name="password"
          label="New password"
          hint={`At least ${PASSWORD_MIN_LENGTH} characters`}
          registerOptions={{ deps: recheck }}
          required
        >
          {(field) => <Input {...field} type="password" autoComplete="new-password" />}
        </FormField>
        <FormField form={form} name="confirmPassword" label="Confirm new password" required>
          {(field) => <Input {...field} type="password" autoComplete="new-password" />}
        </FormField>
        <Button type="submit" size="lg" pending={reset.isPending} pendingLabel="Saving...">
          Set new password
        </Button>
      </Form>
    </AuthFrame>
  );
}
