import { useSearchParams } from 'wouter';
import { Register } from '#contract/people/auth/auth';
import type { z } from '#contract/platform/http/zod';
import { AuthFrame, OtherSignInLink } from '../../people/auth/AuthFrame.tsx';
import { useRegister } from '../../people/auth/commands.ts';
import {
  confirmation,
  mismatch,
  NewPasswordFields,
  passwordsMatch,
} from '../../people/model/NewPasswordFields.tsx';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { EmailInput, Input } from '../../platform/ui/fields/Input.tsx';
import { Select } from '../../platform/ui/fields/Select.tsx';
import { ConsentField } from '../../platform/ui/form/ConsentField.tsx';
import { Form, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';

const RegisterForm = Register.safeExtend(confirmation).refine(passwordsMatch, mismatch);

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
      title="Create your account"
      text="Buy straight from farms, or sell what yours grows."
      foot={
        <>
          Already have an account? <OtherSignInLink page="/login">Sign in</OtherSignInLink>
        </>
      }
    >
      <Form
        form={form}
        label="Register"
        onSubmit={({ confirmPassword: _, ...account }) => register.mutateAsync(account)}
        className="grid gap-5"
      >
        <ErrorAlert error={register.error} />
        <FormField form={form} name="role" label="I want to" required>
          {(field) => (
            <Select {...field}>
              <option value="consumer">Buy produce (consumer)</option>
              <option value="farmer">Sell produce (farmer)</option>
            </Select>
          )}
        </FormField>
        <FormField form={form} name="name" label="Name" required>
          {(field) => <Input {...field} autoComplete="name" />}
        </FormField>
        <FormField form={form} name="email" label="Email" required>
          {(field) => <EmailInput {...field} autoComplete="email" />}
        </FormField>
        <div className="grid gap-5 sm:grid-cols-2">
          <NewPasswordFields
            form={form}
            password={{ name: 'password', label: 'Password' }}
            repeated={{ name: 'confirmPassword', label: 'Confirm password' }}
          />
        </div>
        <FormField
          form={form}
          name="phone"
          label="Phone"
          hint={isFarmer ? 'So customers can reach you on the day' : undefined}
          required={isFarmer}
        >
          {(field) => <Input {...field} type="tel" autoComplete="tel" />}
        </FormField>
        <fieldset className="grid gap-5">
          <legend className="mb-4 flex w-full items-baseline gap-2 border-t border-hairline pt-5 text-sm font-semibold">
            Address{' '}
            <span className="font-normal text-ink-soft">
              {isFarmer ? '(optional; customers see the town)' : '(optional)'}
            </span>
          </legend>
          <FormField form={form} name="address.street" label="Street">
            {(field) => <Input {...field} autoComplete="address-line1" />}
          </FormField>
          <div className="grid gap-5 sm:grid-cols-[2fr_1fr_1fr]">
            <FormField form={form} name="address.city" label="City">
              {(field) => <Input {...field} autoComplete="address-level2" />}
            </FormField>
            <FormField form={form} name="address.state" label="State">
              {(field) => <Input {...field} autoComplete="address-level1" />}
            </FormField>
            <FormField form={form} name="address.zipCode" label="ZIP code">
              {(field) => <Input {...field} autoComplete="postal-code" />}
            </FormField>
          </div>
        </fieldset>
        <ConsentField form={form} />
        <Button
          type="submit"
          size="lg"
          pending={register.isPending}
          pendingLabel="Creating your account..."
        >
          Register
        </Button>
      </Form>
    </AuthFrame>
  );
}
