import type { QueryClient } from '@tanstack/react-query';
import { isOwnRelease, onServedRelease, servedRelease, takeRelease } from '../api/release.ts';
import { hasHistoryGuard } from '../hooks/history-guard.ts';

/** The service worker, which `web/people/notifications/push.ts` registers too. */
const WORKER_PATH = '/sw.js';
/** The least time between two questions for a new worker. */
const UPDATE_INTERVAL_MS = 30_000;
/** After this the worker is taken for one of before builds were kept. */
const ANSWER_TIMEOUT_MS = 5_000;
/** Where somebody types, chooses, or may undo something. */
const IN_USE = 'input:focus, textarea:focus, select:focus, [contenteditable="true"]:focus';
const OPEN = '[role="dialog"], [role="alertdialog"], [data-sonner-toast]';

/** What the page asks of the service worker. */
export type WorkerHandle = {
  /** Lets the worker keep the translations of this language alone, and on demand every file of the build. */
  keep(language: string, isEverything: boolean): void;
  /** Call after each navigation: another release is taken then if nothing is lost by it. */
  onNavigation(): void;
};

let started: Promise<WorkerHandle> | undefined;

/** Starts the service worker as {@link start} does, once for each page. */
export function startWorker(cache: QueryClient): Promise<WorkerHandle> {
  started ??= start(cache);
  return started;
}

/**
 * Registers the service worker, where there are workers, and watches for another release. The page takes it with a
 * navigation, once the worker has it too, and no form is being filled.
 */
async function start(cache: QueryClient): Promise<WorkerHandle> {
  const registration = await register();
  /** The release that the worker shows; null where the pages come from the server. */
  let kept: string | null = null;

  const readWorker = async () => {
    kept = await buildOf(navigator.serviceWorker.controller);
  };
  if (registration) {
    navigator.serviceWorker.addEventListener('controllerchange', () => void readWorker());
    void readWorker();
    const update = throttle(() => void registration.update().catch(() => undefined));
    onServedRelease(update);
    const served = servedRelease();
    if (served !== undefined && !isOwnRelease(served)) update();
  }

  const isInUse = () =>
    hasHistoryGuard() ||
    cache.isMutating() > 0 ||
    document.querySelector(`${IN_USE}, ${OPEN}`) !== null;

  return {
    keep: (language, isEverything) => {
      if (!registration) return;
      void navigator.serviceWorker.ready.then(({ active }) =>
        active?.postMessage({ language, ...(isEverything && { keep: 'everything' }) }),
      );
    },
    onNavigation: () => {
      const next = servedRelease() ?? kept;
      // What the worker shows is an older one until it has kept the new one.
      if (next === null || isOwnRelease(next) || (kept !== null && kept !== next)) return;
      if (!isInUse() && takeRelease(next)) location.reload();
    },
  };
}

/** @returns undefined where there are no workers */
async function register(): Promise<ServiceWorkerRegistration | undefined> {
  try {
    return await navigator.serviceWorker?.register(WORKER_PATH);
  } catch {
    // Forbidden by the browser, or the network is away: the page works without it.
    return undefined;
  }
}

/** Returns what calls `update` at once, but no sooner than a while after the time before. */
function throttle(update: () => void): () => void {
  let isWaiting = false;
  let nextMs = 0;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    const run = () => {
      isWaiting = false;
      nextMs = Date.now() + UPDATE_INTERVAL_MS;
      update();
    };
    setTimeout(run, nextMs - Date.now());
  };
}

/** Returns the script of the worker's build; null for a worker without one. */
function buildOf(worker: ServiceWorker | null): Promise<string | null> {
  if (!worker) return Promise.resolve(null);
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(() => resolve(null), ANSWER_TIMEOUT_MS);
    port1.onmessage = ({ data }) => {
      clearTimeout(timer);
      port1.close();
      resolve(typeof data === 'string' ? data : null);
    };
    worker.postMessage('which build', [port2]);
  });
}
