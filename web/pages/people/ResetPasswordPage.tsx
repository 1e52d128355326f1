import { Link, useSearchParams } from 'wouter';
import { ResetPassword } from '#contract/people/auth/auth';
import { t } from '#contract/platform/text/constants/texts';
import { AuthFrame, IncompleteLink } from '../../people/auth/AuthFrame.tsx';
import { useResetPassword } from '../../people/auth/commands.ts';
import {
  confirmation,
  mismatch,
  NewPasswordFields,
  passwordsMatch,
} from '../../people/model/NewPasswordFields.tsx';
import { rich } from '../../platform/format/rich.tsx';
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
      {t('Ask for another link')}
    </Link>
  );
  if (reset.isSuccess) {
    return (
      <AuthFrame title={t('Your new password is set')} foot={null}>
        <Alert kind="success">
          {t(
            'You were signed out everywhere. Sign in with the new password. We mailed you what else your account has.',
          )}
        </Alert>
        <LinkButton href="/login" size="lg">
          {t('Sign in')}
        </LinkButton>
      </AuthFrame>
    );
  }
  if (token === '') return <IncompleteLink another={another} />;
  return (
    <AuthFrame
      title={t('Choose a new password')}
      text={t('It replaces the old one on every device.')}
      foot={rich('Did the link expire? {another}', { another })}
    >
      <Form
        form={form}
        label={t('Set a new password')}
        onSubmit={({ confirmPassword: _, ...input }) => reset.mutateAsync(input)}
        className="grid gap-5"
      >
        <ErrorAlert error={reset.error} />
        <NewPasswordFields
          form={form}
          password={{ name: 'password', label: t('New password') }}
          repeated={{ name: 'confirmPassword', label: t('Confirm new password') }}
        />
        <Button type="submit" size="lg" pending={reset.isPending} pendingLabel={t('Saving...')}>
          {t('Set new password')}
        </Button>
      </Form>
    </AuthFrame>
  );
}
