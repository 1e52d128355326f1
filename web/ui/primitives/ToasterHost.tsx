import { Suspense, useSyncExternalStore } from 'react';
import { lazyWithRetry } from '../lazy-with-retry.ts';
import { toasterRequest } from '../toast.ts';

// Retried until loaded, because toasts are also needed when the page goes offline.
const Toaster = lazyWithRetry(() => import('./Toaster.tsx'));

/** Loads and renders the toaster once a toast is requested. */
export function ToasterHost() {
  const isRequested = useSyncExternalStore(toasterRequest.subscribe, toasterRequest.get);
  return isRequested ? (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  ) : null;
}
