import { ForgotPassword } from '#contract/people/auth/auth';
import { readableEmail } from '#contract/platform/http/email';
import { t } from '#contract/platform/text/constants/texts';
import { AuthFrame, OtherSignInLink } from '../../people/auth/AuthFrame.tsx';
import { useForgotPassword } from '../../people/auth/commands.ts';
import { rich } from '../../platform/format/rich.tsx';
import { Alert } from '../../platform/ui/feedback/states.tsx';
import { EmailInput } from '../../platform/ui/fields/Field.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';

/** Requests a password reset link. Shows the same message whether or not the account exists. */
export default function ForgotPasswordPage() {
  const forgot = useForgotPassword();
  const form = useZodForm(ForgotPassword, { mode: 'onSubmit', defaultValues: { email: '' } });
  return (
    <AuthFrame
      title={t('Forgot your password?')}
      text={t("Enter your email and we'll send you a link to set a new one.")}
      foot={rich('Remembered it? <a>Sign in</a>', {
        a: (words) => <OtherSignInLink page="/login">{words}</OtherSignInLink>,
      })}
    >
      <Form
        form={form}
        label={t('Ask for a link')}
        onSubmit={(values) => forgot.mutateAsync(values)}
        className="grid gap-5"
      >
        <FormError form={form} />
        {forgot.isSuccess && (
          <Alert kind="success">
            {t(
              'If there is an account for {email}, a link is on its way. It works once, within the hour.',
              { email: readableEmail(forgot.variables.email) },
            )}
          </Alert>
        )}
        <FormField form={form} name="email" label={t('Email')} required>
          {(field) => <EmailInput {...field} autoComplete="username" />}
        </FormField>
        <Button type="submit" size="lg" pending={forgot.isPending} pendingLabel={t('Sending...')}>
          {forgot.isSuccess ? t('Send it again') : t('Send me a link')}
        </Button>
      </Form>
    </AuthFrame>
  );
}
