import { farmNameOf } from '#contract/farm/farmers/constants';
import { APPROVAL_REASON_MAX } from '#contract/farm/opening/constants';
import type { AdminFarm } from '#contract/farm/opening/opening';
import { TextDialog } from '../../platform/ui/dialogs/TextDialog.tsx';

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
  const title = farmNameOf(farm);
  const isApproved = farm.state === 'approved';
  return (
    <TextDialog
      title={isApproved ? `Take ${title} off the market` : `Send ${title} back`}
      description={
        isApproved
          ? 'Nobody can order from it until you approve it again. Its open orders go on.'
          : 'It can make the change and ask again.'
      }
      label="Reason"
      hint="The farm reads it."
      missing="Tell the farm what is missing."
      maxLength={APPROVAL_REASON_MAX}
      confirmLabel={isApproved ? 'Take off the market' : 'Send back'}
      pendingLabel="Sending..."
      danger={isApproved}
      pending={pending}
      onClose={onClose}
      onConfirm={onConfirm}
    />
  );
}
