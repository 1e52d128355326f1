import type { QueryClient } from '@tanstack/react-query';
import { hasHistoryGuard } from '../hooks/history-guard.ts';
import { toast } from '../ui/feedback/toast.ts';

/** The service worker, which `web/people/notifications/push.ts` registers too. */
const WORKER_PATH = '/sw.js';
/** How often a tab that stays open asks for a new build. */
const UPDATE_INTERVAL_MS = 3_600_000;
/** After this the worker is taken for one of before builds were kept. */
const ANSWER_TIMEOUT_MS = 5_000;
const TOAST_ID = 'new-version';
const FIELD = 'input, textarea, select, [contenteditable="true"]';
const DIALOG = '[role="dialog"], [role="alertdialog"]';

/** What the page asks of the service worker. */
export type WorkerHandle = {
  /** Lets the worker keep every file of the build, not those of the first page alone. */
  keepEverything(): void;
  /** Call after each navigation: a new build takes over then if nothing is lost by it. */
  onNavigation(): void;
};

let started: Promise<WorkerHandle | undefined> | undefined;

/** Starts the service worker as {@link start} does, once for each page. */
export function startWorker(cache: QueryClient): Promise<WorkerHandle | undefined> {
  started ??= start(cache);
  return started;
}

/**
 * Registers the service worker and watches for new builds. A new build waits until no form is being filled; then it
 * is offered, and takes over with the next navigation. Returns undefined where there are no workers.
 */
async function start(cache: QueryClient): Promise<WorkerHandle | undefined> {
  if (!('serviceWorker' in navigator)) return undefined;
  const { serviceWorker } = navigator;
  let registration: ServiceWorkerRegistration;
  try {
    registration = await serviceWorker.register(WORKER_PATH);
  } catch {
    // Forbidden by the browser, or the network is away: the page works without it.
    return undefined;
  }
  let isOutdated = false;

  const isInUse = () =>
    hasHistoryGuard() ||
    cache.isMutating() > 0 ||
    document.querySelector(DIALOG) !== null ||
    document.activeElement?.matches(FIELD) === true;

  const offer = () => {
    if (!isOutdated || isInUse()) return;
    stopWaiting();
    toast.info('A new version is ready', {
      id: TOAST_ID,
      action: { label: 'Reload', onClick: () => location.reload() },
    });
  };
  // The focus leaves a field before it is elsewhere.
  const offerLater = () => setTimeout(offer);
  const stopWaiting = () => {
    document.removeEventListener('focusout', offerLater);
    document.removeEventListener('click', offerLater);
  };

  const check = async () => {
    const entry = await buildOf(serviceWorker.controller);
    if (isOutdated || entry === null || hasScript(entry)) return;
    isOutdated = true;
    document.addEventListener('focusout', offerLater);
    document.addEventListener('click', offerLater);
    offer();
  };
  serviceWorker.addEventListener('controllerchange', () => void check());
  void check();
  // A failure is tried again an hour later.
  setInterval(() => registration.update().catch(() => undefined), UPDATE_INTERVAL_MS);

  return {
    keepEverything: () => {
      void serviceWorker.ready.then(({ active }) => active?.postMessage('keep everything'));
    },
    onNavigation: () => {
      if (isOutdated && !isInUse()) location.reload();
    },
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

/** Whether this page is of the build that begins with the script. */
const hasScript = (path: string): boolean =>
  [...document.scripts].some(({ src }) => src === new URL(path, location.origin).href);
