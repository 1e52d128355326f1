import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { Login } from '#contract/auth';
import { peekKeptGoods } from '../cart/kept-goods.ts';
import { signInHref, useReturnPath } from '../lib/return-path.ts';
import { Form, FormField, useZodForm } from '../ui/form.tsx';
import { Button } from '../ui/primitives/Button.tsx';
import { Checkbox } from '../ui/primitives/Checkbox.tsx';
import { ErrorAlert } from '../ui/primitives/ErrorAlert.tsx';
import { EmailInput } from '../ui/primitives/Input.tsx';
import { PasswordInput } from '../ui/primitives/PasswordInput.tsx';
import { AuthFrame } from './AuthFrame.tsx';
import { CodeStep } from './CodeStep.tsx';
import { isCodeRequired, useLogin } from './commands.ts';
import { OtherSignInLink } from './OtherSignInLink.tsx';
import { canUsePasskeys } from './passkey.ts';
import { usePasskeySignIn } from './second-factor-commands.ts';

/** The sign-in page. The route's guard redirects to where the person was, or their role's home page. */
export default function LoginPage() {
  const [kept] = useState(() => peekKeptGoods());
  const next = useReturnPath();
  const login = useLogin();
  const passkey = usePasskeySignIn();
  const [isAble] = useState(canUsePasskeys);
  /** What was right, and needs a code too. */
  const [asked, setAsked] = useState<Login | null>(null);
  const failure = isCodeRequired(login.error) ? null : (login.error ?? passkey.error);
  const form = useZodForm(Login, {
    mode: 'onSubmit',
    defaultValues: { email: '', password: '', remember: false },
  });
  return (
    <AuthFrame
      title="Welcome back"
      text={
        asked
          ? 'One more step: enter the code that your authenticator app shows.'
          : kept.length > 0
            ? `Sign in, and ${keptInWords(kept)} in your cart.`
            : 'Sign in to order, follow your orders and message farmers.'
      }
      foot={
        <>
          New here? <OtherSignInLink page="/register">Register</OtherSignInLink>
        </>
      }
    >
      {asked ? (
        <CodeStep
          onCode={(code) => login.mutateAsync({ ...asked, code })}
          onBack={() => {
            login.reset();
            setAsked(null);
          }}
        />
      ) : (
        <Form
          form={form}
          label="Sign in"
          onSubmit={async (values) => {
            passkey.reset();
            try {
              await login.mutateAsync(values);
            } catch (error) {
              if (!isCodeRequired(error)) throw error;
              setAsked(values);
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
            <Link
              href={signInHref('/forgot-password', next)}
              className="link inline-flex min-h-9 items-center text-sm pointer-coarse:min-h-11"
            >
              Forgot your password?
            </Link>
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
      )}
    </AuthFrame>
  );
}

/** Returns what is going to happen with the kept goods: 'Plums will be'. */
function keptInWords(kept: readonly { goods: { name: string } }[]): string {
  const [first] = kept;
  return kept.length === 1 && first ? `${first.goods.name} will be` : 'what you chose will be';
}
