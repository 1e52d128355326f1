let interceptor: (() => boolean) | undefined;

// Imported before the router, because listeners run in registration order: this one can stop the
// event before the router sees it.
if (typeof window !== 'undefined') {
  window.addEventListener('popstate', (event) => {
    if (interceptor?.()) event.stopImmediatePropagation();
  });
}

/**
 * Calls `intercept` on each back or forward navigation of the browser. If it returns true, the router
 * does not see the navigation; `intercept` must have restored the URL. Returns a function that
 * removes it.
 */
export function interceptHistoryNavigation(intercept: () => boolean): () => void {
  interceptor = intercept;
  return () => {
    if (interceptor === intercept) interceptor = undefined;
  };
}

/** Returns whether leaving the page by the browser's history would lose something. */
export const hasHistoryGuard = (): boolean => interceptor !== undefined;
