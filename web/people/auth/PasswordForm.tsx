import { ChangePassword } from '#contract/people/auth/auth';
import { Checkbox } from '../../platform/ui/fields/controls.tsx';
import { PasswordInput } from '../../platform/ui/fields/PasswordInput.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { NewPasswordFields } from '../model/NewPasswordFields.tsx';
import { confirmation, mismatch, passwordsMatch } from '../model/repeated-password.ts';
import { useChangePassword } from './commands.ts';
import { SecondFactorField } from './SecondFactorField.tsx';
import { useSecondFactorStep } from './second-factor-step.ts';

const PasswordChange = ChangePassword.omit({ passkey: true })
  .extend(confirmation)
  .refine(
    ({ newPassword: password, confirmPassword }) => passwordsMatch({ password, confirmPassword }),
    mismatch,
  );

const EMPTY = {
  currentPassword: '',
  code: '',
  newPassword: '',
  confirmPassword: '',
  renewsCalendar: true,
};

/** The user's private calendar of the farm's days. */
export interface OwnCalendar {
  /** Call when its address was renewed. */
  onRenewed: () => void;
}

/** Sets a new password, which signs out every other device. */
export function PasswordForm({
  email,
  calendar,
}: {
  email: string;
  calendar: OwnCalendar | undefined;
}) {
  const change = useChangePassword();
  const secondFactor = useSecondFactorStep();
  const form = useZodForm(PasswordChange, { defaultValues: EMPTY });
  return (
    <Form
      form={form}
      label="Change password"
      onSubmit={async ({ confirmPassword: _, code, ...input }) => {
        await secondFactor.confirm(code, (proof) => change.mutateAsync({ ...input, ...proof }));
        form.reset(EMPTY);
        if (input.renewsCalendar) calendar?.onRenewed();
      }}
      className="grid gap-5"
    >
      <FormError form={form} />
      {/* Password managers keep the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <FormField form={form} name="currentPassword" label="Current password" required>
        {(field) => <PasswordInput {...field} autoComplete="current-password" />}
      </FormField>
      <div className="grid gap-5 sm:grid-cols-2">
        <NewPasswordFields
          form={form}
          password={{ name: 'newPassword', label: 'New password' }}
          repeated={{ name: 'confirmPassword', label: 'Repeat new password' }}
        />
      </div>
      {calendar && (
        <Checkbox
          {...form.register('renewsCalendar')}
          label="Give my calendar a new address"
          hint="Calendars with the address you have now stop getting news."
        />
      )}
      <SecondFactorField
        step={secondFactor}
        field={form.register('code')}
        error={form.formState.errors.code?.message}
      />
      <div>
        <Button
          type="submit"
          variant="secondary"
          pending={form.formState.isSubmitting}
          pendingLabel="Saving..."
          className="w-full sm:w-auto"
        >
          Change password
        </Button>
      </div>
    </Form>
  );
}
