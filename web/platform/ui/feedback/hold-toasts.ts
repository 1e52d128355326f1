import { useEffect } from 'react';
import { useSonner } from 'sonner';

const TOASTER = '[data-sonner-toaster]';
/** What may begin or end somebody's use of a toast. */
const EVENTS = ['focusin', 'focusout', 'mouseout'] as const;

/**
 * Keeps toasts for as long as they are used: with the keyboard's focus within one, or the pointer at rest on one
 * while it changes. Sonner itself keeps them only while a pointer moves on them, and somebody who has tabbed to a
 * toast's button would see it go before they press it.
 */
export function useHeldToasts(): void {
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
    for (const name of EVENTS) document.addEventListener(name, decideSoon, true);
    return () => {
      cancelAnimationFrame(frame);
      for (const name of EVENTS) document.removeEventListener(name, decideSoon, true);
    };
  }, [toasts]);
}
