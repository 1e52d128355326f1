import { useState } from 'react';
import { Link } from 'wouter';
import { Login } from '#contract/auth';
import { peekKeptGoods } from '../cart/kept-goods.ts';
import { errorMessage } from '../lib/api-error.ts';
import { signInHref, useReturnPath } from '../lib/return-path.ts';
import { Form, FormField, useZodForm } from '../ui/form.tsx';
import { Alert } from '../ui/primitives/Alert.tsx';
import { Button } from '../ui/primitives/Button.tsx';
import { Checkbox } from '../ui/primitives/Checkbox.tsx';
import { Input } from '../ui/primitives/Input.tsx';
import { AuthFrame } from './AuthFrame.tsx';
import { useLogin } from './commands.ts';
import { OtherSignInLink } from './OtherSignInLink.tsx';

/** The sign-in page. The route's guard redirects to where the person was, or their role's home page. */
export default function LoginPage() {
  const [kept] = useState(() => peekKeptGoods());
  const next = useReturnPath();
  const login = useLogin();
  const form = useZodForm(Login, {
    mode: 'onSubmit',
    defaultValues: { email: '', password: '', remember: false },
  });
  return (
    <AuthFrame
      title="Welcome back"
      text={
        kept.length > 0
          ? `Sign in, and ${keptInWords(kept)} in your cart.`
          : 'Sign in to order, follow your orders and message farmers.'
      }
      foot={
        <>
          New here? <OtherSignInLink page="/register">Register</OtherSignInLink>
        </>
      }
    >
      <Form
        form={form}
        label="Sign in"
        onSubmit={(values) => login.mutateAsync(values)}
        className="grid gap-5"
      >
        {login.isError && <Alert kind="error">{errorMessage(login.error)}</Alert>}
        <FormField form={form} name="email" label="Email" required>
          {(field) => (
            <Input
              {...field}
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </FormField>
        <FormField form={form} name="password" label="Password" required>
          {(field) => <Input {...field} type="password" autoComplete="current-password" />}
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
      </Form>
    </AuthFrame>
  );
}

/** Returns what is going to happen with the kept goods: 'Plums will be'. */
function keptInWords(kept: readonly { goods: { name: string } }[]): string {
  const [first] = kept;
  return kept.length === 1 && first ? `${first.goods.name} will be` : 'what you chose will be';
}
