import { useEffect } from 'react';
import { type FocusPath, focusPathOf, restoreFocus } from '../../platform/ui/focus.ts';

/**
 * Moves the focus to what stands nearest when the focused element leaves the page: a button whose
 * action is done, a line that was removed. Otherwise the keyboard would start at the top of the page
 * again. When a toast goes, the focus returns to where it was before. Dialogs and menus restore it themselves.
 */
export function useFocusRecovery(): void {
  useEffect(() => {
    /** What has the focus. */
    let focused: HTMLElement | null = null;
    /** Where the focus is to go when that is gone: to what stood beside it or, from a toast, back to the page. */
    let path: FocusPath | null = null;
    const onFocusIn = ({ target }: Pick<FocusEvent, 'target'>) => {
      const isOwn =
        target instanceof HTMLElement &&
        target !== document.body &&
        !target.closest('[role$="dialog"], [role="menu"]');
      focused = isOwn ? target : null;
      if (isOwn && target.closest('[data-sonner-toaster]')) return;
      path = isOwn ? focusPathOf(target) : null;
    };
    const onFocusOut = ({ target }: FocusEvent) => {
      // Whoever leaves an element that stays there does so on purpose. Asked later, because removing an
      // element takes the focus away first.
      queueMicrotask(() => {
        if (focused === target && focused?.isConnected) focused = null;
      });
    };
    const observer = new MutationObserver(() => {
      if (!focused || focused.isConnected) return;
      focused = null;
      if (path && document.activeElement === document.body) restoreFocus(path);
    });
    // What was focused before this code came.
    onFocusIn({ target: document.activeElement });
    // While they go down: see the toaster.
    document.addEventListener('focusin', onFocusIn, true);
    document.addEventListener('focusout', onFocusOut, true);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', onFocusIn, true);
      document.removeEventListener('focusout', onFocusOut, true);
      observer.disconnect();
    };
  }, []);
}
