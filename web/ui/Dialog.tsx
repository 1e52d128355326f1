import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { Button } from './Button.tsx';
import { cn } from './cn.ts';

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** `alertdialog` for a question that must be answered; it does not close by a press outside. */
  role?: 'dialog' | 'alertdialog';
  size?: 'sm' | 'md' | 'lg';
  /** The buttons, the main one last. */
  footer?: ReactNode;
  children?: ReactNode;
};

const widths = { sm: 'sm:max-w-sm', md: 'sm:max-w-lg', lg: 'sm:max-w-3xl' };

/**
 * Asks or shows something above the page: in the middle of a desktop, as a sheet from below on a
 * phone. Holds the focus while open and gives it back to where it was; Escape closes.
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
  const before = useRef<HTMLElement | null>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        {/* Not Radix's own overlay: it writes a <style> element, which our page's policy forbids. As
            high as the dialogs themselves, so that a second one dims the first. */}
        <div
          data-scroll-lock=""
          aria-hidden="true"
          className="fixed inset-0 z-50 bg-veil animate-fade-in"
        />
        <Radix.Content
          role={role}
          {...(description ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={() => {
            before.current = document.activeElement as HTMLElement | null;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (before.current?.isConnected) before.current.focus();
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
