import type { Role } from '#contract/http';
import { ConfirmDialog } from '../ui/primitives/ConfirmDialog.tsx';

/** Asks before an account is deleted. */
export function DeleteUserDialog({
  user,
  pending,
  onConfirm,
  onClose,
}: {
  user: { name: string; role: Role };
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${user.name}?`}
      description={
        user.role === 'farmer'
          ? 'The farm and its products leave the market. This action cannot be undone.'
          : 'Pending orders are cancelled. This action cannot be undone.'
      }
      confirmLabel="Delete user"
      danger
      pending={pending}
      onConfirm={onConfirm}
    />
  );
}
