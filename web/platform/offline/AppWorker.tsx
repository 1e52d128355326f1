import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Role } from '#contract/platform/http/http';
import { onFirstActivity, whenIdle } from '../hooks/when-idle.ts';
import type { WorkerHandle } from './worker.ts';

/** The worker comes after everything that the page itself waits for. */
const IDLE_TIMEOUT_MS = 5_000;

/** What the application is called and begins with when it is installed. All are the same application. */
const MANIFESTS: Readonly<Record<Role, string>> = {
  consumer: '/manifest.webmanifest',
  farmer: '/manifest-farmer.webmanifest',
  admin: '/manifest-admin.webmanifest',
};

/**
 * Lets a service worker keep the application, so that it opens without waiting for the network: all of it for people
 * who are signed in, and for visitors who use the page the files that they need. In development there is no worker.
 * Names the manifest of the reader's role.
 */
export function AppWorker({ role, path }: { role: Role | null; path: string }) {
  const cache = useQueryClient();
  const isSignedIn = role !== null;
  const [worker, setWorker] = useState<WorkerHandle>();

  useEffect(() => {
    if (!import.meta.env.PROD) return undefined;
    const start = async () => {
      const { startWorker } = await import('./worker.ts');
      setWorker(await startWorker(cache));
    };
    // Without its file the page works as before.
    const startWhenIdle = () => whenIdle(() => start().catch(() => undefined), IDLE_TIMEOUT_MS);
    if (isSignedIn) return startWhenIdle();
    let cancel: (() => void) | undefined;
    const stop = onFirstActivity(() => {
      cancel = startWhenIdle();
    });
    return () => {
      stop();
      cancel?.();
    };
  }, [cache, isSignedIn]);

  useEffect(() => {
    if (worker && isSignedIn) worker.keepEverything();
  }, [worker, isSignedIn]);

  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
    if (link) link.href = MANIFESTS[role ?? 'consumer'];
  }, [role]);

  const lastPath = useRef(path);
  useEffect(() => {
    if (lastPath.current === path) return;
    lastPath.current = path;
    worker?.onNavigation();
  }, [worker, path]);

  return null;
}
