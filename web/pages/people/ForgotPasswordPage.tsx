import { ForgotPassword } from '#contract/people/auth/auth';
import { AuthFrame, OtherSignInLink } from '../../people/auth/AuthFrame.tsx';
import { useForgotPassword } from '../../people/auth/commands.ts';
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
      title="Forgot your password?"
      text="Enter your email and we'll send you a link to set a new one."
      foot={
        <>
          Remembered it? <OtherSignInLink page="/login">Sign in</OtherSignInLink>
        </>
      }
    >
      <Form
        form={form}
        label="Ask for a link"
        onSubmit={(values) => forgot.mutateAsync(values)}
        className="grid gap-5"
      >
        <FormError form={form} />
        {forgot.isSuccess && (
          <Alert kind="success">
            If there is an account for {forgot.variables.email}, a link is on its way. It works
            once, within the hour.
          </Alert>
        )}
        <FormField form={form} name="email" label="Email" required>
          {(field) => <EmailInput {...field} autoComplete="username" />}
        </FormField>
        <Button type="submit" size="lg" pending={forgot.isPending} pendingLabel="Sending...">
          {forgot.isSuccess ? 'Send it again' : 'Send me a link'}
        </Button>
      </Form>
    </AuthFrame>
  );
}
