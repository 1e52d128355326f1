import { ChangeEmail } from '#contract/people/auth/auth';
import { t } from '#contract/platform/text/constants/texts';
import { useAuth } from '../../../platform/session/session.ts';
import { Dialog, FormButtons } from '../../../platform/ui/dialogs/Dialog.tsx';
import { EmailInput } from '../../../platform/ui/fields/Field.tsx';
import { PasswordInput } from '../../../platform/ui/fields/PasswordInput.tsx';
import { Form, FormError, FormField, useZodForm } from '../../../platform/ui/form/form.tsx';
import { SecondFactorField, useSecondFactorStep } from '../SecondFactorField.tsx';
import { useChangeEmail } from './commands.ts';

const EmailForm = ChangeEmail.omit({ passkey: true });

/** Asks for another email, and for the password and second factor of the account. */
export default function ChangeEmailDialog({ onClose }: { onClose: () => void }) {
  const { user } = useAuth();
  const change = useChangeEmail();
  const secondFactor = useSecondFactorStep();
  const form = useZodForm(EmailForm, {
    mode: 'onSubmit',
    defaultValues: { email: '', password: '', code: '' },
  });
  const { isSubmitting } = form.formState;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !isSubmitting && onClose()}
      title={t('Change email')}
      description={
        user?.isEmailVerified === false
          ? t('We mail a link to the new one.')
          : t('We mail a link to the new one. Until you open it, your present one stays.')
      }
      size="sm"
    >
      <Form
        form={form}
        label={t('Change email')}
        onSubmit={async ({ code, ...input }) => {
          await secondFactor.confirm(code, (proof) => change.mutateAsync({ ...input, ...proof }));
          onClose();
        }}
        className="grid gap-5"
      >
        <FormError form={form} />
        <FormField form={form} name="email" label={t('New email')} required>
          {(field) => <EmailInput {...field} autoComplete="email" />}
        </FormField>
        <FormField form={form} name="password" label={t('Your password')} required>
          {(field) => <PasswordInput {...field} autoComplete="current-password" />}
        </FormField>
        <SecondFactorField step={secondFactor} form={form} />
        <FormButtons label={t('Change email')} pending={isSubmitting} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
