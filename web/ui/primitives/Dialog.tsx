import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { cn } from '../cn.ts';
import { Button } from './Button.tsx';

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** An `alertdialog` does not close on a click outside. */
  role?: 'dialog' | 'alertdialog';
  size?: 'sm' | 'md' | 'lg';
  /** The buttons, the primary one last. */
  footer?: ReactNode;
  children?: ReactNode;
};

const widths = { sm: 'sm:max-w-sm', md: 'sm:max-w-lg', lg: 'sm:max-w-3xl' };

/**
 * A modal dialog: centred on desktops, a bottom sheet on phones. Traps the focus while open and
 * restores it on close; Escape closes it.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  role = 'dialog',
  size = 'md',
  footer,
  children,
}: DialogProps) {
  const focusedBefore = useRef<HTMLElement | null>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        {/* Not Radix's overlay, which writes a <style> element that the Content-Security-Policy
            forbids. Same z-index as the dialogs, so that a second dialog dims the first. */}
        <div
          data-scroll-lock=""
          aria-hidden="true"
          className="fixed inset-0 z-50 bg-veil animate-fade-in"
        />
        <Radix.Content
          role={role}
          {...(description ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={() => {
            focusedBefore.current = document.activeElement as HTMLElement | null;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (focusedBefore.current?.isConnected) focusedBefore.current.focus();
          }}
          onInteractOutside={(event) => {
            const onToast = (event.target as Element).closest('[data-sonner-toaster]');
            if (role === 'alertdialog' || onToast) event.preventDefault();
          }}
          className={cn(
            'fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] flex-col rounded-t bg-raised text-ink shadow-float',
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
                aria-label="Close"
                className="-mr-2 -mt-2 text-ink-soft"
              >
                <X aria-hidden="true" className="size-5" />
              </Button>
            </Radix.Close>
          </div>
          {children && <div className="min-h-0 overflow-y-auto px-5 py-4">{children}</div>}
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
