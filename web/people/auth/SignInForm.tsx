import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Login } from '#contract/people/auth/auth';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { Checkbox } from '../../platform/ui/fields/controls.tsx';
import { EmailInput } from '../../platform/ui/fields/Field.tsx';
import { PasswordInput } from '../../platform/ui/fields/PasswordInput.tsx';
import { Form, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { CodeStep } from './CodeStep.tsx';
import { isCodeRequired, useLogin } from './commands.ts';
import { canUsePasskeys } from './passkey.ts';
import { usePasskeySignIn } from './security/second-factor-commands.ts';

/** Every way to sign in: password, a second factor where the account has one, passkey. */
export function SignInForm({
  email = '',
  forgotten,
  onStep,
}: {
  /** Whose sign-in is expected. */
  email?: string;
  /** The link for those who forgot their password. */
  forgotten: ReactNode;
  /** Called with whether a code is asked for now. */
  onStep?: (isCode: boolean) => void;
}) {
  const login = useLogin();
  const passkey = usePasskeySignIn();
  const [isAble] = useState(canUsePasskeys);
  /** What was right, and needs a code too. */
  const [asked, setAsked] = useState<Login | null>(null);
  const failure = isCodeRequired(login.error) ? null : (login.error ?? passkey.error);
  const form = useZodForm(Login, {
    mode: 'onSubmit',
    defaultValues: { email, password: '', remember: false },
  });
  const ask = (values: Login | null) => {
    setAsked(values);
    onStep?.(values !== null);
  };
  if (asked) {
    return (
      <CodeStep
        onCode={(code) => login.mutateAsync({ ...asked, code })}
        onBack={() => {
          login.reset();
          ask(null);
        }}
      />
    );
  }
  return (
    <Form
      form={form}
      label="Sign in"
      onSubmit={async (values) => {
        passkey.reset();
        try {
          await login.mutateAsync(values);
        } catch (error) {
          if (!isCodeRequired(error)) throw error;
          ask(values);
        }
      }}
      className="grid gap-5"
    >
      <ErrorAlert error={failure} />
      <FormField form={form} name="email" label="Email" required>
        {(field) => <EmailInput {...field} autoComplete="username" />}
      </FormField>
      <FormField form={form} name="password" label="Password" required>
        {(field) => <PasswordInput {...field} autoComplete="current-password" />}
      </FormField>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <Checkbox label="Remember me" {...form.register('remember')} />
        {forgotten}
      </div>
      <Button type="submit" size="lg" pending={login.isPending} pendingLabel="Signing in...">
        Sign in
      </Button>
      {isAble && (
        <Button
          variant="secondary"
          size="lg"
          icon={<KeyRound />}
          pending={passkey.isPending}
          onClick={() => {
            login.reset();
            form.clearErrors();
            passkey.mutate(form.getValues('remember') ?? false);
          }}
        >
          Use a passkey
        </Button>
      )}
    </Form>
  );
}
