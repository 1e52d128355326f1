import { useState } from 'react';
import type { Passkey } from '#contract/people/second-factor/second-factor';
import { t } from '#contract/platform/text/constants/texts';
import { rich } from '../../../platform/format/rich.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { canUsePasskeys } from '../commands.ts';
import { useAddPasskey, useRemovePasskey } from './commands.ts';
import { PasswordDialog } from './PasswordDialog.tsx';

/** The user's passkeys: add one of this device, remove one. */
export function Passkeys({ passkeys }: { passkeys: readonly Passkey[] }) {
  const [asked, setAsked] = useState<'add' | Passkey | null>(null);
  const [isAble] = useState(canUsePasskeys);
  const add = useAddPasskey();
  const remove = useRemovePasskey();
  const close = () => setAsked(null);
  return (
    <section aria-labelledby="passkeys" className="grid gap-3">
      <h3 id="passkeys" className="font-semibold">
        {t('Passkeys')}
      </h3>
      <p className="text-sm text-ink-soft">
        {t(
          'Your fingerprint, your face or the PIN of your device signs you in, without password and code.',
        )}
      </p>
      {passkeys.length > 0 && (
        <ul
          aria-label={t('Passkeys')}
          className="grid divide-y divide-hairline border-y border-hairline"
        >
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey._id} passkey={passkey} onRemove={() => setAsked(passkey)} />
          ))}
        </ul>
      )}
      {isAble ? (
        <div>
          <Button variant="secondary" onClick={() => setAsked('add')}>
            {t('Add a passkey')}
          </Button>
        </div>
      ) : (
        <p className="text-sm text-ink-soft">
          {t("This browser can't make passkeys at this address.")}
        </p>
      )}
      {asked === 'add' && (
        <PasswordDialog
          title={t('Add a passkey')}
          description={t('First, your password once more. Then your device asks you to unlock it.')}
          confirmLabel={t('Continue')}
          onConfirm={add.mutateAsync}
          onClose={close}
        />
      )}
      {asked !== null && asked !== 'add' && (
        <PasswordDialog
          title={t('Remove this passkey?')}
          description={
            asked.device
              ? t("The passkey of {device} won't sign you in any more.", { device: asked.device })
              : t("The passkey of a device won't sign you in any more.")
          }
          confirmLabel={t('Remove')}
          danger
          onConfirm={(confirmation) => remove.mutateAsync({ ...confirmation, id: asked._id })}
          onClose={close}
        />
      )}
    </section>
  );
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { device, createdAt, lastUsedAt } = passkey;
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{device || t('A device')}</p>
        <p className="text-sm text-ink-soft">
          {lastUsedAt
            ? rich('Added {time}, last used {lastTime}', {
                time: <Time value={createdAt} inSentence />,
                lastTime: <Time value={lastUsedAt} inSentence />,
              })
            : rich('Added {time}, not used yet', {
                time: <Time value={createdAt} inSentence />,
              })}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        aria-label={
          device
            ? t('Remove the passkey of {device}', { device })
            : t('Remove the passkey of a device')
        }
        onClick={onRemove}
      >
        {t('Remove')}
      </Button>
    </li>
  );
}
