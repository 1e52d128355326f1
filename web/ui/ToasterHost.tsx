import { Suspense, useSyncExternalStore } from 'react';
import { lazyPatiently } from './lazy-patiently.ts';
import { toasterWanted } from './toast.ts';

// Offline of all times there is something to say: it waits until what says it can be fetched.
const Toaster = lazyPatiently(() => import('./Toaster.tsx'));

/** Keeps the place of the toaster, and loads it when there is something to say. */
export function ToasterHost() {
  const wanted = useSyncExternalStore(toasterWanted.subscribe, toasterWanted.get);
  return wanted ? (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  ) : null;
}
