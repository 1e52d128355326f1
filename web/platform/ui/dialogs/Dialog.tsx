import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { cn } from '../cn.ts';
import { type FocusPath, focusPathOf, restoreFocus } from '../focus.ts';
import { Button, type ButtonProps } from '../primitives/Button.tsx';

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** An `alertdialog` does not close on a click outside. */
  role?: 'dialog' | 'alertdialog';
  size?: 'sm' | 'md' | 'lg';
  /** Called when the dialog is gone and the focus is back, so that it can be moved on. */
  onClosed?: (() => void) | undefined;
  /** The buttons, the primary one last. */
  footer?: ReactNode;
  children?: ReactNode;
};

const widths = { sm: 'sm:max-w-sm', md: 'sm:max-w-lg', lg: 'sm:max-w-3xl' };

/** How many dialogs are open. */
let openCount = 0;

/**
 * Counts an open dialog in or out. While there is one, the frame behind it is inert, and the overlay covers
 * the place of the scrollbar too, which the page gives up for a padding of the same width.
 */
function countOpen(by: 1 | -1): void {
  const wasOpen = openCount > 0;
  openCount += by;
  const isOpen = openCount > 0;
  if (isOpen === wasOpen) return;
  document.getElementById('frame')?.toggleAttribute('inert', isOpen);
  const root = document.documentElement;
  const gutterPx = isOpen ? window.innerWidth - root.clientWidth : 0;
  root.style.scrollbarGutter = gutterPx > 0 ? 'auto' : '';
  root.style.paddingInlineEnd = gutterPx > 0 ? `${gutterPx}px` : '';
}

/** The overlay over the page, which is inert and does not scroll while the dialog is open. */
function Overlay() {
  useLayoutEffect(() => {
    countOpen(1);
    return () => countOpen(-1);
  }, []);
  // Not Radix's overlay, which writes a <style> element that the Content-Security-Policy forbids. Same
  // z-index as the dialogs, so that a second dialog dims the first.
  return (
    <div
      data-scroll-lock=""
      aria-hidden="true"
      className="fixed inset-0 z-50 bg-overlay animate-fade-in"
    />
  );
}

/** By the element of an open dialog: where the focus was when it opened. */
const openers = new WeakMap<Element, FocusPath>();

/** Returns where the focus was when the dialog opened, even if a field of the dialog takes it at once. */
function useOpener(open: boolean): FocusPath | null {
  const [opener, setOpener] = useState<FocusPath | null>(null);
  const [wasOpen, setWasOpen] = useState(false);
  if (open !== wasOpen) {
    setWasOpen(open);
    const focused = document.activeElement;
    const within = focused?.closest('[role="dialog"], [role="alertdialog"]');
    const outer = within ? openers.get(within) : undefined;
    if (open) setOpener(focused instanceof HTMLElement ? focusPathOf(focused, outer) : null);
  }
  return opener;
}

/** Focuses the first field of a form dialog. Returns false where there is none. */
function focusFirstField(content: Element): boolean {
  const field =
    content.querySelector<HTMLElement>('[data-dialog-body] input[type="radio"]:checked') ??
    content.querySelector<HTMLElement>(
      '[data-dialog-body] :is(input:not([type="hidden"]),select,textarea):not(:disabled)',
    );
  field?.focus();
  return field !== null;
}

/**
 * A modal dialog: centred on desktops, a bottom sheet on phones. It opens on its first field, traps
 * the focus while open and restores it on close; Escape closes it.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  role = 'dialog',
  size = 'md',
  onClosed,
  footer,
  children,
}: DialogProps) {
  const opener = useOpener(open);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Overlay />
        <Radix.Content
          ref={(content) => {
            if (content && opener) openers.set(content, opener);
          }}
          role={role}
          {...(description ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={(event) => {
            if (focusFirstField(event.currentTarget as Element)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener) restoreFocus(opener);
            onClosed?.();
          }}
          onInteractOutside={(event) => {
            const onToast = (event.target as Element).closest('[data-sonner-toaster]');
            if (role === 'alertdialog' || onToast) event.preventDefault();
          }}
          className={cn(
            'fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] flex-col rounded-t border border-transparent bg-raised text-ink shadow-float',
            'animate-sheet-in pb-[env(safe-area-inset-bottom)] outline-none',
            'sm:inset-0 sm:m-auto sm:h-fit sm:max-h-[86dvh] sm:rounded sm:animate-pop-in',
            widths[size],
          )}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-5">
            <div className="grid gap-1.5">
              <Radix.Title className="font-display text-lg font-semibold">{title}</Radix.Title>
              {description && (
                <Radix.Description className="text-sm text-ink-soft">
                  {description}
                </Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <Button
                variant="quiet"
                size="icon"
                aria-label={t('Close')}
                className="-me-2 -mt-2 text-ink-soft"
              >
                <X className="size-5" />
              </Button>
            </Radix.Close>
          </div>
          {children && (
            <div data-dialog-body="" className="min-h-0 overflow-y-auto px-5 py-4">
              {children}
            </div>
          )}
          {footer && (
            <div className="flex flex-col-reverse gap-2 px-5 pb-5 pt-3 sm:flex-row sm:justify-end">
              {footer}
            </div>
          )}
          {!footer && <div className="pb-2" />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * A dialog that asks for confirmation. It stays open while `pending` and after a failure; the caller
 * closes it. The cancel button has the initial focus.
 */
export function ConfirmDialog({
  onOpenChange,
  confirmLabel,
  cancelLabel = t('Cancel'),
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
        <DialogButtons
          label={confirmLabel}
          {...{ cancelLabel, danger, pending }}
          focusesCancel
          onClick={onConfirm}
          onCancel={() => onOpenChange(false)}
        />
      }
    />
  );
}

type DialogButtonsProps = Omit<ButtonProps, 'variant'> & {
  /** Of the button of what the dialog is for; what else is given is that button's too. */
  label: ReactNode;
  cancelLabel?: ReactNode;
  focusesCancel?: boolean;
  /** The action takes something away. */
  danger?: boolean | undefined;
  onCancel: () => void;
};

/** The buttons of a dialog: to leave it, unless the action is `pending`, and for the action. */
export function DialogButtons({
  label,
  cancelLabel = t('Cancel'),
  focusesCancel = false,
  danger = false,
  pending = false,
  onCancel,
  ...action
}: DialogButtonsProps) {
  return (
    <>
      <Button
        variant="secondary"
        aria-disabled={pending || undefined}
        onClick={() => !pending && onCancel()}
        autoFocus={focusesCancel}
      >
        {cancelLabel}
      </Button>
      <Button {...action} variant={danger ? 'danger' : 'primary'} pending={pending}>
        {label}
      </Button>
    </>
  );
}

/** The same at the end of a form within a dialog, which the action submits. */
export const FormButtons = (buttons: DialogButtonsProps) => (
  <ButtonRow>
    <DialogButtons type="submit" {...buttons} />
  </ButtonRow>
);

/** Buttons at the end of what a dialog shows, the primary one last. */
export const ButtonRow = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>
);
