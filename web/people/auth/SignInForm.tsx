import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Login } from '#contract/people/auth/auth';
import { ConfirmApp } from '#contract/people/second-factor/second-factor';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { Checkbox } from '../../platform/ui/fields/controls.tsx';
import { EmailInput, Input } from '../../platform/ui/fields/Field.tsx';
import { PasswordInput } from '../../platform/ui/fields/PasswordInput.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { canUsePasskeys, isCodeRequired, useLogin, usePasskeySignIn } from './commands.ts';

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
      label={t('Sign in')}
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
      <FormField form={form} name="email" label={t('Email')} required>
        {(field) => <EmailInput {...field} autoComplete="username" />}
      </FormField>
      <FormField form={form} name="password" label={t('Password')} required>
        {(field) => <PasswordInput {...field} autoComplete="current-password" />}
      </FormField>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <Checkbox label={t('Remember me')} {...form.register('remember')} />
        {forgotten}
      </div>
      <Button type="submit" size="lg" pending={login.isPending} pendingLabel={t('Signing in...')}>
        {t('Sign in')}
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
          {t('Use a passkey')}
        </Button>
      )}
    </Form>
  );
}

const kinds = {
  app: {
    label: msg('Code from your app'),
    other: msg('Use a recovery code'),
    inputMode: 'numeric',
  },
  recovery: {
    label: msg('Recovery code'),
    other: msg('Use a code from your app'),
    inputMode: 'text',
  },
} as const;

/** The second step of signing in: a code. The field takes either kind; which is asked for changes the keyboard. */
function CodeStep({
  onCode,
  onBack,
}: {
  /** Signs in with the code; what it throws is shown in the form. */
  onCode: (code: string) => Promise<unknown>;
  onBack: () => void;
}) {
  const [kind, setKind] = useState<keyof typeof kinds>('app');
  const form = useZodForm(ConfirmApp, { mode: 'onSubmit', defaultValues: { code: '' } });
  const { label, other, inputMode } = kinds[kind];
  return (
    <Form
      form={form}
      label={t('Enter a code')}
      onSubmit={({ code }) => onCode(code)}
      className="grid gap-5"
    >
      <FormError form={form} />
      <FormField form={form} name="code" label={writeMessage(label)} required>
        {(field) => (
          <Input
            // Another keyboard on a phone shows only once the field is focused again.
            key={kind}
            {...field}
            autoComplete="one-time-code"
            inputMode={inputMode}
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
          />
        )}
      </FormField>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <button
          type="button"
          onClick={() => {
            setKind(kind === 'app' ? 'recovery' : 'app');
            form.reset({ code: '' });
          }}
          className="link inline-flex min-h-9 items-center text-sm pointer-coarse:min-h-11"
        >
          {writeMessage(other)}
        </button>
        <button
          type="button"
          onClick={onBack}
          className="link inline-flex min-h-9 items-center text-sm pointer-coarse:min-h-11"
        >
          {t('Use another account')}
        </button>
      </div>
      <Button
        type="submit"
        size="lg"
        pending={form.formState.isSubmitting}
        pendingLabel={t('Signing in...')}
      >
        {t('Sign in')}
      </Button>
    </Form>
  );
}
