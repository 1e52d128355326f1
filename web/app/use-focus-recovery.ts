import { useEffect } from 'react';
import { type FocusPath, focusPathOf, restoreFocus } from '../ui/focus.ts';

/**
 * Moves the focus to what stands nearest when the focused element leaves the page: a button whose
 * action is done, a line that was removed. Otherwise the keyboard would start at the top of the page
 * again. Dialogs and menus restore the focus themselves.
 */
export function useFocusRecovery(): void {
  useEffect(() => {
    let path: FocusPath | null = null;
    const onFocusIn = ({ target }: Pick<FocusEvent, 'target'>) => {
      const isOwn =
        target instanceof HTMLElement && !target.closest('[role$="dialog"], [role="menu"]');
      path = isOwn && target !== document.body ? focusPathOf(target) : null;
    };
    const onFocusOut = ({ target }: FocusEvent) => {
      // Whoever leaves an element that stays there does so on purpose. Asked later, because removing an
      // element takes the focus away first.
      queueMicrotask(() => {
        if (path?.element === target && path?.element.isConnected) path = null;
      });
    };
    const observer = new MutationObserver(() => {
      if (!path || path.element.isConnected) return;
      const lost = path;
      path = null;
      if (document.activeElement === document.body) restoreFocus(lost);
    });
    // What was focused before this code came.
    onFocusIn({ target: document.activeElement });
    document.addEventListener('focusin', onFocusIn);
    document.addEventListener('focusout', onFocusOut);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', onFocusIn);
      document.removeEventListener('focusout', onFocusOut);
      observer.disconnect();
    };
  }, []);
}
