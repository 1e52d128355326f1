import { type SubmitEvent, useId, useState } from 'react';
import { farmNameOf } from '#contract/constants/farmers';
import { APPROVAL_REASON_MAX } from '#contract/constants/opening';
import type { AdminFarm } from '#contract/opening';
import { Button } from '../ui/primitives/Button.tsx';
import { Dialog } from '../ui/primitives/Dialog.tsx';
import { Field } from '../ui/primitives/Field.tsx';
import { Textarea } from '../ui/primitives/Textarea.tsx';

/** Asks for the reason for which a farm is sent back, or taken off the market. */
export function SendBackDialog({
  farm,
  pending,
  onClose,
  onConfirm,
}: {
  farm: AdminFarm;
  pending: boolean;
  onClose: () => void;
  onConfirm: (reason: string) => void;
}) {
  const formId = useId();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const title = farmNameOf(farm);
  const isApproved = farm.state === 'approved';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (reason.trim() === '') setError('Tell the farm what is missing.');
    else onConfirm(reason.trim());
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !pending && onClose()}
      title={isApproved ? `Take ${title} off the market` : `Send ${title} back`}
      description={
        isApproved
          ? 'Nobody can order from it until you approve it again. Its open orders go on.'
          : 'It can make the change and ask again.'
      }
      footer={
        <>
          <Button variant="secondary" disabled={pending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant={isApproved ? 'danger' : 'primary'}
            pending={pending}
            pendingLabel="Sending..."
          >
            {isApproved ? 'Take off the market' : 'Send back'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <Field label="Reason" hint="The farm reads it." error={error} required>
          <Textarea
            rows={3}
            maxLength={APPROVAL_REASON_MAX}
            value={reason}
            onChange={(event) => {
              setReason(event.target.value);
              setError(undefined);
            }}
          />
        </Field>
      </form>
    </Dialog>
  );
}
