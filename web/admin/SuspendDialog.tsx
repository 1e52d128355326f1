import { type SubmitEvent, useId, useState } from 'react';
import { SUSPENSION_REASON_MAX } from '#contract/constants/moderation';
import { Button } from '../ui/primitives/Button.tsx';
import { Dialog } from '../ui/primitives/Dialog.tsx';
import { Field } from '../ui/primitives/Field.tsx';
import { Textarea } from '../ui/primitives/Textarea.tsx';
import { toastError } from '../ui/toast.ts';
import { useSetSuspension } from './case-queries.ts';

const descriptions = {
  person:
    "They're signed out and can't come back until you restore the account. Their orders stay.",
  founder:
    "They're signed out and can't come back until you restore the account. The farm and its products leave the market; its other people can still finish the orders it has.",
  farm: 'The farm and its products leave the market until you restore it. Its people can still finish the orders it has.',
};

/** Asks for the reason before an account is suspended. */
export function SuspendDialog({
  user,
  kind,
  onClose,
}: {
  user: { _id: string; name: string };
  /** A person, one who registered a farm, or a farm that its founder has left. */
  kind: keyof typeof descriptions;
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
      description={descriptions[kind]}
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
        <Field
          label="Reason"
          hint={
            kind === 'farm'
              ? 'Only admins see it.'
              : 'We mail it to them, and they see it when they try to sign in.'
          }
        >
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
