import { type SubmitEvent, useId, useState } from 'react';
import { SUSPENSION_REASON_MAX } from '#contract/constants/moderation';
import { Button } from '../ui/primitives/Button.tsx';
import { Dialog } from '../ui/primitives/Dialog.tsx';
import { Field } from '../ui/primitives/Field.tsx';
import { Textarea } from '../ui/primitives/Textarea.tsx';
import { toastError } from '../ui/toast.ts';
import { useSetSuspension } from './case-queries.ts';

/** Asks for the reason before an account is suspended. */
export function SuspendDialog({
  user,
  hasFarm,
  onClose,
}: {
  user: { _id: string; name: string };
  /** Whether a farm leaves the market with it. */
  hasFarm: boolean;
  onClose: () => void;
}) {
  const formId = useId();
  const [reason, setReason] = useState('');
  const suspend = useSetSuspension(user._id);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (suspend.isPending) return;
    suspend.mutate(
      { suspended: true, reason: reason.trim() },
      { onSuccess: onClose, onError: toastError },
    );
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !suspend.isPending && onClose()}
      title={`Suspend ${user.name}?`}
      description={
        hasFarm
          ? "They're signed out and can't come back until you restore the account. The farm and its products leave the market; its other people can still finish the orders it has."
          : "They're signed out and can't come back until you restore the account. Their orders stay."
      }
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="danger"
            pending={suspend.isPending}
            pendingLabel="Suspending..."
          >
            Suspend account
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit}>
        <Field label="Reason" hint="We mail it to them, and they see it when they try to sign in.">
          <Textarea
            rows={3}
            maxLength={SUSPENSION_REASON_MAX}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
