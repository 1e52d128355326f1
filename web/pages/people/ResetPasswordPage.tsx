import { Link, useSearchParams } from 'wouter';
import { ResetPassword } from '#contract/people/auth/auth';
import { AuthFrame, IncompleteLink } from '../../people/auth/AuthFrame.tsx';
import { useResetPassword } from '../../people/auth/commands.ts';
import {
  confirmation,
  mismatch,
  NewPasswordFields,
  passwordsMatch,
} from '../../people/model/NewPasswordFields.tsx';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { Alert } from '../../platform/ui/feedback/states.tsx';
import { Form, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';

const ResetForm = ResetPassword.extend(confirmation).refine(passwordsMatch, mismatch);

/** Sets a new password with the token in the URL of an emailed link. */
export default function ResetPasswordPage() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const reset = useResetPassword();
  const form = useZodForm(ResetForm, {
    values: { token, password: '', confirmPassword: '' },
  });
  const another = (
    <Link href="/forgot-password" className="link inline-block py-0.5">
      Ask for another link
    </Link>
  );
  if (reset.isSuccess) {
    return (
      <AuthFrame title="Your new password is set" foot={null}>
        <Alert kind="success">
          You were signed out everywhere. Sign in with the new password. We mailed you what else
          your account has.
        </Alert>
        <LinkButton href="/login" size="lg">
          Sign in
        </LinkButton>
      </AuthFrame>
    );
  }
  if (token === '') return <IncompleteLink another={another} />;
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
        <ErrorAlert error={reset.error} />
        <NewPasswordFields
          form={form}
          password={{ name: 'password', label: 'New password' }}
          repeated={{ name: 'confirmPassword', label: 'Confirm new password' }}
        />
        <Button type="submit" size="lg" pending={reset.isPending} pendingLabel="Saving...">
          Set new password
        </Button>
      </Form>
    </AuthFrame>
  );
}
