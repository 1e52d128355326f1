import type { ReactNode } from 'react';
import { Button } from '../primitives/Button.tsx';
import { Dialog, type DialogProps } from './Dialog.tsx';

/**
 * A dialog that asks for confirmation. It stays open while `pending` and after a failure; the caller
 * closes it. The cancel button has the initial focus.
 */
export function ConfirmDialog({
  onOpenChange,
  confirmLabel,
  cancelLabel = 'Cancel',
  danger = false,
  pending = false,
  onConfirm,
  ...dialog
}: Omit<DialogProps, 'role' | 'size' | 'footer'> & {
  confirmLabel: ReactNode;
  cancelLabel?: ReactNode;
  /** The action cannot be undone. */
  danger?: boolean;
  pending?: boolean;
  onConfirm: () => void;
}) {
  return (
    <Dialog
      {...dialog}
      onOpenChange={(next) => !pending && onOpenChange(next)}
      role="alertdialog"
      size="sm"
      footer={
        <>
          <Button
            variant="secondary"
            aria-disabled={pending || undefined}
            onClick={() => !pending && onOpenChange(false)}
            autoFocus
          >
            {cancelLabel}
          </Button>
          <Button variant={danger ? 'danger' : 'primary'} pending={pending} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    />
  );
}
