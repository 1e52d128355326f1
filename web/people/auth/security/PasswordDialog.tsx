import { Confirmation } from '#contract/people/auth/confirmation';
import { t } from '#contract/platform/text/constants/texts';
import { ApiError, errorMessage } from '../../../platform/api/api-error.ts';
import { Dialog, FormButtons } from '../../../platform/ui/dialogs/Dialog.tsx';
import { PasswordInput } from '../../../platform/ui/fields/PasswordInput.tsx';
import { Form, FormError, FormField, useZodForm } from '../../../platform/ui/form/form.tsx';
import { SecondFactorField, useSecondFactorStep } from '../SecondFactorField.tsx';

const PasswordForm = Confirmation.omit({ passkey: true });

interface PasswordFormProps {
  confirmLabel: string;
  /** The action takes something away. */
  danger?: boolean;
  /** Does it with the password and the second factor; what it throws is shown in the form. */
  onConfirm: (confirmation: Confirmation) => Promise<unknown>;
  onCancel: () => void;
}

/** Asks for the password, and for the second factor if there is one, before something about signing in changes. */
export function PasswordStep({ confirmLabel, danger, onConfirm, onCancel }: PasswordFormProps) {
  const form = useZodForm(PasswordForm, {
    mode: 'onSubmit',
    defaultValues: { password: '', code: '' },
  });
  const secondFactor = useSecondFactorStep();
  const { isSubmitting } = form.formState;
  return (
    <Form
      form={form}
      label={confirmLabel}
      onSubmit={async ({ password, code }) => {
        try {
          await secondFactor.confirm(code, (proof) => onConfirm({ password, ...proof }));
        } catch (error) {
          if (error instanceof ApiError) throw error;
          // Of the browser's own dialog.
          form.setError('root.server', { type: 'browser', message: errorMessage(error) });
        }
      }}
      className="grid gap-5"
    >
      <FormError form={form} />
      <FormField form={form} name="password" label={t('Your password')} required>
        {(field) => <PasswordInput {...field} autoComplete="current-password" />}
      </FormField>
      <SecondFactorField step={secondFactor} form={form} />
      <FormButtons
        label={confirmLabel}
        danger={danger}
        pending={isSubmitting}
        onCancel={onCancel}
      />
    </Form>
  );
}

/** A dialog with one question: the password. It stays open until the action is done or left. */
export function PasswordDialog({
  title,
  description,
  onClose,
  ...step
}: Omit<PasswordFormProps, 'onCancel'> & {
  title: string;
  description: string;
  onClose: () => void;
}) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={description}
      role="alertdialog"
      size="sm"
    >
      <PasswordStep
        {...step}
        onConfirm={async (confirmation) => {
          await step.onConfirm(confirmation);
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}
