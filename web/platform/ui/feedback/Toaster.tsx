import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { type FocusEvent, useEffect, useSyncExternalStore } from 'react';
import { Toaster as Sonner, toast, useSonner } from 'sonner';
import { useLocation } from 'wouter';
import { t } from '#contract/platform/text/constants/texts';
import { listen, stopAll } from '../../hooks/listen.ts';
import { PHONE, useMedia, useTheme } from '../../hooks/use-media.ts';
import { useDirection } from '../direction.ts';
import { registerToaster } from './toast.ts';

/**
 * Keeps Sonner from noticing the focus. It would give it back whenever it leaves a toast, by Tab too, and nobody would
 * get past a toast by keys, since one that has the focus stays. `useFocusRecovery` gives it back when the toast goes.
 */
const keepFromSonner = (event: FocusEvent) => event.stopPropagation();

const abovePinned = 'calc(var(--bottom-bar-height) + var(--pinned-height, 0px) + 0.75rem)';

/** Returns whether a dialog is open: on phones it lies at the bottom. */
const useHasDialog = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      const observer = new MutationObserver(listener);
      observer.observe(document.body, { childList: true });
      return () => observer.disconnect();
    },
    () => document.querySelector('[data-scroll-lock]') !== null,
  );

/**
 * Makes room for a toast at the end of the page, so that what it lies on can be scrolled free. The room stays until the
 * next page: anyone who taps there does not have the page move away when the toast goes.
 */
function useToastRoom(): void {
  const { toasts } = useSonner();
  const [path] = useLocation();
  const hasToast = toasts.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page begins without
  useEffect(() => () => void document.documentElement.style.removeProperty('--toast-room'), [path]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a toast may outlast its page
  useEffect(() => {
    if (hasToast) document.documentElement.style.setProperty('--toast-room', '5rem');
  }, [hasToast, path]);
}

/**
 * Renders toasts: on phones on what is pinned to the bottom, where they leave the page's own controls free. A
 * conversation has its head above them, and what one types into at the bottom.
 */
export default function Toaster({ isConversation = false }: { isConversation?: boolean }) {
  const [theme] = useTheme();
  const isPhone = useMedia(PHONE);
  const isFromRight = useDirection() === 'rtl';
  const isAtBottom = !useHasDialog() && isPhone && !isConversation;
  const [path] = useLocation();
  const [start, end] = isFromRight ? (['right', 'left'] as const) : (['left', 'right'] as const);
  // A farm's orders have their filters at the top, and the one of new orders stays there until it is dismissed: it lies
  // over the list, which scrolls.
  const corner = path === '/farmer/orders' ? (`bottom-${start}` as const) : (`top-${end}` as const);
  const top = `calc(var(--top-bar-height) + ${isConversation ? '5rem' : '0.75rem'})`;
  useEffect(() => registerToaster(toast), []);
  useHeldToasts();
  useToastRoom();
  return (
    <div role="presentation" className="contents" onFocusCapture={keepFromSonner}>
      <Sonner
        position={isAtBottom ? 'bottom-center' : corner}
        dir={isFromRight ? 'rtl' : 'ltr'}
        duration={3000}
        theme={theme}
        gap={8}
        offset={{ top, left: 16, right: 16, bottom: abovePinned }}
        mobileOffset={{
          top: isConversation ? top : 8,
          bottom: abovePinned,
          left: 12,
          right: 12,
        }}
        containerAriaLabel={t('News')}
        icons={{
          success: <CircleCheck className="size-5 text-leaf" />,
          error: <CircleAlert className="size-5 text-tomato" />,
          info: <Info className="size-5 text-sky" />,
          warning: <TriangleAlert className="size-5 text-orange" />,
        }}
        toastOptions={{
          unstyled: true,
          classNames: {
            toast:
              'flex w-full items-center gap-3 rounded border border-hairline bg-raised px-4 py-3 text-sm text-ink shadow-float sm:w-[22rem]',
            content: 'min-w-0 grow',
            title: 'font-medium',
            description: 'text-ink-soft',
            actionButton:
              'shrink-0 rounded bg-leaf px-3 py-1.5 text-sm font-medium text-on-leaf hover:bg-leaf-strong',
            cancelButton: 'shrink-0 rounded px-3 py-1.5 text-sm font-medium hover:bg-sunken',
          },
        }}
      />
    </div>
  );
}

const TOASTER = '[data-sonner-toaster]';
/** What may begin or end somebody's use of a toast. */
const EVENTS = ['focusin', 'focusout', 'mouseout'] as const;

/**
 * Keeps toasts for as long as they are used: with the keyboard's focus within one, or the pointer at rest on one
 * while it changes. Sonner itself keeps them only while a pointer moves on them, and somebody who has tabbed to a
 * toast's button would see it go before they press it.
 */
function useHeldToasts(): void {
  const { toasts } = useSonner();

  // biome-ignore lint/correctness/useExhaustiveDependencies: Sonner releases all toasts when they change.
  useEffect(() => {
    let isHeld = false;
    let frame = 0;
    const decide = () => {
      const toaster = document.querySelector(TOASTER);
      if (!toaster) return;
      const isUsed = toaster.matches(':hover') || toaster.querySelector(':focus-visible') !== null;
      if (!isUsed && !isHeld) return;
      isHeld = isUsed;
      // The moves of a pointer are all that Sonner listens to.
      toaster.dispatchEvent(
        isUsed
          ? new MouseEvent('mousemove', { bubbles: true })
          : new MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body }),
      );
    };
    // After Sonner has dealt with the event, and with the toasts that changed.
    const decideSoon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(decide);
    };
    decideSoon();
    // While they go down: what Sonner is kept from does not come up again.
    return stopAll(listen(document, EVENTS, decideSoon, true), () => cancelAnimationFrame(frame));
  }, [toasts]);
}
