import { Link } from 'wouter';
import { Login } from '#contract/auth';
import { errorMessage } from '../lib/api-error.ts';
import { Form, FormField, useZodForm } from '../ui/form.tsx';
import { Alert } from '../ui/primitives/Alert.tsx';
import { Button } from '../ui/primitives/Button.tsx';
import { Checkbox } from '../ui/primitives/Checkbox.tsx';
import { Input } from '../ui/primitives/Input.tsx';
import { AuthFrame } from './AuthFrame.tsx';
import { useLogin } from './queries.ts';

/** The sign-in page. The route's guard redirects to the home page of the role. */
export default function LoginPage() {
  const login = useLogin();
  const form = useZodForm(Login, {
    mode: 'onSubmit',
    defaultValues: { email: '', password: '', remember: false },
  });
  return (
    <AuthFrame
      title="Welcome back"
      text="Sign in to order, to follow your orders and to talk with farmers."
      foot={
        <>
          New here?{' '}
          <Link href="/register" className="link">
            Register
          </Link>
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
            href="/forgot-password"
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
