import type { ReactNode } from 'react';
import { Button } from '../primitives/Button.tsx';
import { Dialog } from './Dialog.tsx';

/**
 * A dialog that asks for confirmation. It stays open while `pending` and after a failure; the caller
 * closes it. The cancel button has the initial focus.
 */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  cancelLabel = 'Cancel',
  danger = false,
  pending = false,
  onConfirm,
  onClosed,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  confirmLabel: ReactNode;
  cancelLabel?: ReactNode;
  /** The action cannot be undone. */
  danger?: boolean;
  pending?: boolean;
  onConfirm: () => void;
  /** Called when the dialog is gone and the focus is back. */
  onClosed?: () => void;
  children?: ReactNode;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !pending && onOpenChange(next)}
      title={title}
      description={description}
      role="alertdialog"
      size="sm"
      onClosed={onClosed}
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
    >
      {children}
    </Dialog>
  );
}
