import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { onFirstActivity } from '../lib/first-activity.ts';
import { whenIdle } from '../lib/when-idle.ts';
import type { WorkerHandle } from './worker.ts';

/** The worker comes after everything that the page itself waits for. */
const IDLE_TIMEOUT_MS = 5_000;

/**
 * Lets a service worker keep the application, so that it opens without waiting for the network. Visitors who only
 * glance at a page get its files alone, everybody else all of them. In development there is no worker.
 */
export function AppWorker({ isSignedIn, path }: { isSignedIn: boolean; path: string }) {
  const cache = useQueryClient();
  const [worker, setWorker] = useState<WorkerHandle>();

  useEffect(() => {
    if (!import.meta.env.PROD) return undefined;
    const start = async () => {
      const { startWorker } = await import('./worker.ts');
      setWorker(await startWorker(cache));
    };
    // Without its file the page works as before.
    return whenIdle(() => start().catch(() => undefined), IDLE_TIMEOUT_MS);
  }, [cache]);

  useEffect(() => {
    if (!worker) return undefined;
    if (!isSignedIn) return onFirstActivity(() => worker.keepEverything());
    worker.keepEverything();
    return undefined;
  }, [worker, isSignedIn]);

  const lastPath = useRef(path);
  useEffect(() => {
    if (lastPath.current === path) return;
    lastPath.current = path;
    worker?.onNavigation();
  }, [worker, path]);

  return null;
}
