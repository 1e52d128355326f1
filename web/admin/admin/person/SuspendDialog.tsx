import { useQuery } from '@tanstack/react-query';
import { SUSPENSION_REASON_MAX } from '#contract/admin/moderation/constants';
import { allOpen, ordersInWords } from '../../../ordering/model/counted-orders.ts';
import { TextDialog } from '../../../platform/ui/dialogs/TextDialog.tsx';
import { toastError } from '../../../platform/ui/feedback/toast.ts';
import { personQuery, useSetSuspension } from '../case-queries.ts';

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
  const suspend = useSetSuspension(user._id);
  const { data } = useQuery({ ...personQuery(user._id), refetchOnMount: 'always' });
  const farmOrders = kind === 'person' ? null : data?.openOrders?.farmOrders;
  const orders = farmOrders ? ordersInWords(allOpen(farmOrders), 'open') : '';
  return (
    <TextDialog
      draftKey={`suspend:${user._id}`}
      title={`Suspend ${user.name}?`}
      description={
        orders
          ? `${descriptions[kind]} The customers of ${orders} are told, and may cancel.`
          : descriptions[kind]
      }
      label="Reason"
      hint={
        kind === 'farm'
          ? 'Only admins see it.'
          : 'We mail it to them, and they see it when they try to sign in.'
      }
      maxLength={SUSPENSION_REASON_MAX}
      confirmLabel="Suspend account"
      pendingLabel="Suspending..."
      danger
      pending={suspend.isPending}
      onClose={onClose}
      onConfirm={(reason) =>
        suspend.mutate({ suspended: true, reason }, { onSuccess: onClose, onError: toastError })
      }
    />
  );
}
