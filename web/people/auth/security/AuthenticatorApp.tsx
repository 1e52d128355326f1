import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import {
  type AppSetup,
  ConfirmApp,
  type SecondFactor,
} from '#contract/people/second-factor/second-factor';
import { marketFileName } from '#contract/platform/text/constants/formats';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { downloadText } from '../../../platform/api/download.ts';
import { rich } from '../../../platform/format/rich.tsx';
import { ButtonRow, Dialog, FormButtons } from '../../../platform/ui/dialogs/Dialog.tsx';
import { Alert } from '../../../platform/ui/feedback/states.tsx';
import { toast, toastError } from '../../../platform/ui/feedback/toast.ts';
import { Input } from '../../../platform/ui/fields/Field.tsx';
import { Form, FormError, FormField, useZodForm } from '../../../platform/ui/form/form.tsx';
import { Badge, Button } from '../../../platform/ui/primitives/Button.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { Qr } from '../../../platform/ui/Qr.tsx';
import { useBeginApp, useConfirmApp, useMakeRecoveryCodes, useTurnOffApp } from './commands.ts';
import { PasswordDialog, PasswordStep } from './PasswordDialog.tsx';

/** From so few recovery codes on, new ones are suggested. */
const FEW_CODES = 3;

/** The authenticator app: set it up, make new recovery codes, turn it off. */
export function AuthenticatorApp({ app }: { app: SecondFactor['app'] }) {
  const [asked, setAsked] = useState<'set up' | 'codes' | 'off' | null>(null);
  const turnOff = useTurnOffApp();
  const close = () => setAsked(null);
  return (
    // A section, so that the focus stays in it when the button that opened a dialog is gone.
    <section aria-labelledby="authenticator-app" className="grid gap-3">
      <h3 id="authenticator-app" className="flex flex-wrap items-center gap-2 font-semibold">
        {t('Authenticator app')}
        {app && <Badge tone="leaf">{t('On')}</Badge>}
      </h3>
      {app ? (
        <>
          <p className="text-sm text-ink-soft">
            {rich('Your password and a code from your app sign you in, since {time}.', {
              time: <Time value={app.since} inSentence />,
            })}{' '}
            {t(
              '{count, plural, one {# recovery code is left.} other {# recovery codes are left.}}',
              { count: app.recoveryCodesLeft },
            )}
          </p>
          {app.recoveryCodesLeft <= FEW_CODES && (
            <Alert kind="warning">
              {t('Make new recovery codes before the last one is used.')}
            </Alert>
          )}
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" onClick={() => setAsked('codes')}>
              {t('New recovery codes')}
            </Button>
            <Button variant="quiet" onClick={() => setAsked('off')}>
              {t('Turn off')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className="text-sm text-ink-soft">
            {t(
              'An app on your phone shows a code that you enter after your password. So nobody gets in with your password alone.',
            )}
          </p>
          <div>
            <Button variant="secondary" onClick={() => setAsked('set up')}>
              {t('Set up an app')}
            </Button>
          </div>
        </>
      )}
      {asked === 'set up' && <AppSetupDialog onClose={close} />}
      {asked === 'codes' && <NewCodesDialog onClose={close} />}
      {asked === 'off' && (
        <PasswordDialog
          title={t('Turn off the authenticator app?')}
          description={t('Your password alone will sign you in, and your recovery codes end.')}
          confirmLabel={t('Turn off')}
          danger
          onConfirm={turnOff.mutateAsync}
          onClose={close}
        />
      )}
    </section>
  );
}

function NewCodesDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const make = useMakeRecoveryCodes();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      role="alertdialog"
      size={codes ? 'md' : 'sm'}
      title={codes ? t('Keep your new recovery codes') : t('Make new recovery codes?')}
      description={
        codes
          ? t('They are not shown again, so keep them in a safe place.')
          : t("The earlier ones won't work any more.")
      }
    >
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <PasswordStep
          confirmLabel={t('Make new codes')}
          onConfirm={async (confirmation) => setCodes(await make.mutateAsync(confirmation))}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}

type Step =
  | { is: 'password' }
  | { is: 'scan'; setup: AppSetup }
  | { is: 'codes'; recoveryCodes: readonly string[] };

const texts: Record<Step['is'], { title: Message; description: Message }> = {
  password: {
    title: msg('Set up an authenticator app'),
    description: msg('First, your password once more.'),
  },
  scan: {
    title: msg('Scan this with your app'),
    description: msg(
      'Any authenticator app will do. Then enter the code that it shows. Your other devices are signed out.',
    ),
  },
  codes: {
    title: msg('Keep your recovery codes'),
    description: msg(
      'Without your phone, each of these signs you in once. They are not shown again, so keep them in a safe place.',
    ),
  },
};

/** Sets up an authenticator app: the password, the code to scan, and the recovery codes. */
function AppSetupDialog({ onClose }: { onClose: () => void }) {
  const [step, setStep] = useState<Step>({ is: 'password' });
  const begin = useBeginApp();
  const { title, description } = texts[step.is];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      role="alertdialog"
      size={step.is === 'password' ? 'sm' : 'md'}
      title={writeMessage(title)}
      description={writeMessage(description)}
    >
      {step.is === 'password' && (
        <PasswordStep
          confirmLabel={t('Continue')}
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
      label={t('Confirm the app')}
      onSubmit={async ({ code }) => onConfirmed(await confirm.mutateAsync(code))}
      className="grid gap-5"
    >
      <FormError form={form} />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <Qr text={setup.uri} className="size-40 shrink-0 rounded" />
        <div className="min-w-48 flex-1 text-sm">
          <p className="text-ink-soft">
            {t('On this device, or if scanning fails, enter this key:')}
          </p>
          <p dir="ltr" className="mt-1 font-mono wrap-anywhere select-all">
            {setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}
          </p>
          <p className="mt-2">
            <a
              href={setup.uri}
              className="link inline-flex min-h-9 items-center pointer-coarse:min-h-11"
            >
              {t('Open in an app on this device')}
            </a>
          </p>
        </div>
      </div>
      <FormField form={form} name="code" label={t('Code from the app')} required>
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
      <FormButtons label={t('Turn on')} pending={isSubmitting} onCancel={onCancel} />
    </Form>
  );
}

/** The recovery codes, shown this once, to be kept somewhere else. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      toast.success(t('The codes are copied.'));
    } catch {
      toastError(
        new Error(t("Your browser didn't allow copying. Select the codes and copy them.")),
      );
    }
  };
  return (
    <div className="grid gap-5">
      <ul
        aria-label={t('Recovery codes')}
        className="grid gap-x-6 gap-y-1.5 rounded bg-sunken px-4 py-3 font-mono text-sm tabular-nums select-text min-[26rem]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} dir="ltr" className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" icon={<Copy />} onClick={copy} autoFocus>
          {t('Copy')}
        </Button>
        <Button
          variant="secondary"
          icon={<Download />}
          onClick={() =>
            downloadText(
              marketFileName('recovery-codes.txt'),
              'text/plain',
              `${codes.join('\n')}\n`,
            )
          }
        >
          {t('Download')}
        </Button>
      </div>
      <ButtonRow>
        <Button onClick={onDone}>{t('I have kept them')}</Button>
      </ButtonRow>
    </div>
  );
}
