import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { Register } from '#contract/people/auth/auth';
import type { z } from '#contract/platform/http/zod';
import { msg, t } from '#contract/platform/text/constants/texts';
import { AuthFrame, OtherSignInLink } from '../../people/auth/AuthFrame.tsx';
import { useRegister } from '../../people/auth/commands.ts';
import {
  confirmation,
  mismatch,
  NewPasswordFields,
  passwordsMatch,
} from '../../people/model/NewPasswordFields.tsx';
import { rich } from '../../platform/format/rich.tsx';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { EmailInput } from '../../platform/ui/fields/Field.tsx';
import {
  AddressFields,
  ConsentField,
  optionsOf,
  SelectField,
  TextField,
} from '../../platform/ui/form/fields.tsx';
import { Form, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';

const RegisterForm = Register.safeExtend(confirmation).refine(passwordsMatch, mismatch);

const roles = {
  consumer: msg('Buy produce (consumer)'),
  farmer: msg('Sell produce (farmer)'),
};

const empty: z.input<typeof RegisterForm> = {
  name: '',
  email: '',
  password: '',
  confirmPassword: '',
  role: 'consumer',
  phone: '',
  address: { street: '', city: '', state: '', zipCode: '' },
  acceptsTerms: false,
};

const quiet = (words: ReactNode) => <span className="font-normal text-ink-soft">{words}</span>;

/** The registration page, which also signs in. The route's guard then redirects. */
export default function RegisterPage() {
  const register = useRegister();
  const [search] = useSearchParams();
  // A link that invites a farm says so.
  const role = search.get('role') === 'farmer' ? 'farmer' : 'consumer';
  const form = useZodForm(RegisterForm, { defaultValues: { ...empty, role } });
  const isFarmer = form.watch('role') === 'farmer';
  return (
    <AuthFrame
      title={t('Create your account')}
      text={t('Buy straight from farms, or sell what yours grows.')}
      foot={rich('Already have an account? <a>Sign in</a>', {
        a: (words) => <OtherSignInLink page="/login">{words}</OtherSignInLink>,
      })}
    >
      <Form
        form={form}
        label={t('Register')}
        onSubmit={({ confirmPassword: _, ...account }) => register.mutateAsync(account)}
        className="grid gap-5"
      >
        <ErrorAlert error={register.error} />
        <SelectField
          form={form}
          name="role"
          label={t('I want to')}
          required
          options={optionsOf(roles)}
        />
        <TextField form={form} name="name" label={t('Name')} required autoComplete="name" />
        <FormField form={form} name="email" label={t('Email')} required>
          {(field) => <EmailInput {...field} autoComplete="email" />}
        </FormField>
        <div className="grid gap-5 sm:grid-cols-2">
          <NewPasswordFields
            form={form}
            password={{ name: 'password', label: t('Password') }}
            repeated={{ name: 'confirmPassword', label: t('Confirm password') }}
          />
        </div>
        <TextField
          form={form}
          name="phone"
          label={t('Phone')}
          hint={isFarmer ? t('So customers can reach you on the day') : undefined}
          required={isFarmer}
          type="tel"
          autoComplete="tel"
        />
        <fieldset className="grid gap-5 sm:grid-cols-2">
          <legend className="mb-4 flex w-full items-baseline gap-2 border-t border-hairline pt-5 text-sm font-semibold">
            {isFarmer
              ? rich('Address <span>(optional; customers see the town)</span>', { span: quiet })
              : rich('Address <span>(optional)</span>', { span: quiet })}
          </legend>
          <AddressFields form={form} isOwn />
        </fieldset>
        <ConsentField form={form} />
        <Button
          type="submit"
          size="lg"
          pending={register.isPending}
          pendingLabel={t('Creating your account...')}
        >
          {t('Register')}
        </Button>
      </Form>
    </AuthFrame>
  );
}
