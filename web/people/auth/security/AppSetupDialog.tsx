import { useState } from 'react';
import { type AppSetup, ConfirmApp } from '#contract/people/second-factor/second-factor';
import { Dialog } from '../../../platform/ui/dialogs/Dialog.tsx';
import { Input } from '../../../platform/ui/fields/Field.tsx';
import { Form, FormError, FormField, useZodForm } from '../../../platform/ui/form/form.tsx';
import { Qr } from '../../../platform/ui/Qr.tsx';
import { PasswordStep, SubmitOrCancel } from './PasswordDialog.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { useBeginApp, useConfirmApp } from './second-factor-commands.ts';

type Step =
  | { is: 'password' }
  | { is: 'scan'; setup: AppSetup }
  | { is: 'codes'; recoveryCodes: readonly string[] };

const texts: Record<Step['is'], { title: string; description: string }> = {
  password: {
    title: 'Set up an authenticator app',
    description: 'First, your password once more.',
  },
  scan: {
    title: 'Scan this with your app',
    description:
      'Any authenticator app will do. Then enter the code that it shows. Your other devices are signed out.',
  },
  codes: {
    title: 'Keep your recovery codes',
    description:
      'Without your phone, each of these signs you in once. They are not shown again, so keep them in a safe place.',
  },
};

/** Sets up an authenticator app: the password, the code to scan, and the recovery codes. */
export function AppSetupDialog({ onClose }: { onClose: () => void }) {
  const [step, setStep] = useState<Step>({ is: 'password' });
  const begin = useBeginApp();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      role="alertdialog"
      size={step.is === 'password' ? 'sm' : 'md'}
      {...texts[step.is]}
    >
      {step.is === 'password' && (
        <PasswordStep
          confirmLabel="Continue"
          onConfirm={async (confirmation) =>
            setStep({ is: 'scan', setup: await begin.mutateAsync(confirmation) })
          }
          onCancel={onClose}
        />
      )}
      {step.is === 'scan' && (
        <Scan
          setup={step.setup}
          onConfirmed={(recoveryCodes) => setStep({ is: 'codes', recoveryCodes })}
          onCancel={onClose}
        />
      )}
      {step.is === 'codes' && <RecoveryCodes codes={step.recoveryCodes} onDone={onClose} />}
    </Dialog>
  );
}

function Scan({
  setup,
  onConfirmed,
  onCancel,
}: {
  setup: AppSetup;
  onConfirmed: (recoveryCodes: readonly string[]) => void;
  onCancel: () => void;
}) {
  const confirm = useConfirmApp();
  const form = useZodForm(ConfirmApp, { mode: 'onSubmit', defaultValues: { code: '' } });
  const { isSubmitting } = form.formState;
  return (
    <Form
      form={form}
      label="Confirm the app"
      onSubmit={async ({ code }) => onConfirmed(await confirm.mutateAsync(code))}
      className="grid gap-5"
    >
      <FormError form={form} />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <Qr text={setup.uri} className="size-40 shrink-0 rounded" />
        <div className="min-w-48 flex-1 text-sm">
          <p className="text-ink-soft">On this device, or if scanning fails, enter this key:</p>
          <p className="mt-1 font-mono wrap-anywhere select-all">
            {setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}
          </p>
          <p className="mt-2">
            <a
              href={setup.uri}
              className="link inline-flex min-h-9 items-center pointer-coarse:min-h-11"
            >
              Open in an app on this device
            </a>
          </p>
        </div>
      </div>
      <FormField form={form} name="code" label="Code from the app" required>
        {(field) => (
          <Input
            {...field}
            autoComplete="one-time-code"
            inputMode="numeric"
            autoFocus
            className="sm:max-w-48"
          />
        )}
      </FormField>
      <SubmitOrCancel label="Turn on" pending={isSubmitting} onCancel={onCancel} />
    </Form>
  );
}
