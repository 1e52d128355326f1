import { lazy, Suspense, useSyncExternalStore } from 'react';
import { toasterWanted } from './toast.ts';

/** Milliseconds before a toaster that could not be fetched is asked for again. */
const AGAIN = 3_000;

type ToasterModule = typeof import('./Toaster.tsx');

/** Offline of all times there is something to say: it waits until what says it can be fetched. */
const load = (): Promise<ToasterModule> =>
  import('./Toaster.tsx').catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
    return load();
  });
const Toaster = lazy(load);

/** Keeps the place of the toaster, and loads it when there is something to say. */
export function ToasterHost() {
  const wanted = useSyncExternalStore(toasterWanted.subscribe, toasterWanted.get);
  return wanted ? (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  ) : null;
}
