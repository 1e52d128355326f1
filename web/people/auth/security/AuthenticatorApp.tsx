import { useState } from 'react';
import type { SecondFactor } from '#contract/people/second-factor/second-factor';
import { plural } from '../../../platform/format/format.ts';
import { Dialog } from '../../../platform/ui/dialogs/Dialog.tsx';
import { Alert } from '../../../platform/ui/feedback/Alert.tsx';
import { Badge } from '../../../platform/ui/primitives/Badge.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { AppSetupDialog } from './AppSetupDialog.tsx';
import { PasswordDialog, PasswordStep } from './PasswordDialog.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { useMakeRecoveryCodes, useTurnOffApp } from './second-factor-commands.ts';

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
        Authenticator app
        {app && <Badge tone="leaf">On</Badge>}
      </h3>
      {app ? (
        <>
          <p className="text-sm text-ink-soft">
            Your password and a code from your app sign you in, since{' '}
            <Time value={app.since} inSentence />.{' '}
            {plural(app.recoveryCodesLeft, 'recovery code is', 'recovery codes are')} left.
          </p>
          {app.recoveryCodesLeft <= FEW_CODES && (
            <Alert kind="warning">Make new recovery codes before the last one is used.</Alert>
          )}
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" onClick={() => setAsked('codes')}>
              New recovery codes
            </Button>
            <Button variant="quiet" onClick={() => setAsked('off')}>
              Turn off
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className="text-sm text-ink-soft">
            An app on your phone shows a code that you enter after your password. So nobody gets in
            with your password alone.
          </p>
          <div>
            <Button variant="secondary" onClick={() => setAsked('set up')}>
              Set up an app
            </Button>
          </div>
        </>
      )}
      {asked === 'set up' && <AppSetupDialog onClose={close} />}
      {asked === 'codes' && <NewCodesDialog onClose={close} />}
      {asked === 'off' && (
        <PasswordDialog
          title="Turn off the authenticator app?"
          description="Your password alone will sign you in, and your recovery codes end."
          confirmLabel="Turn off"
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
      title={codes ? 'Keep your new recovery codes' : 'Make new recovery codes?'}
      description={
        codes
          ? 'They are not shown again, so keep them in a safe place.'
          : "The earlier ones won't work any more."
      }
    >
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <PasswordStep
          confirmLabel="Make new codes"
          onConfirm={async (confirmation) => setCodes(await make.mutateAsync(confirmation))}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}
