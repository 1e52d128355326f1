import { useAtomValue } from 'jotai';
import { Suspense, useEffect, useSyncExternalStore } from 'react';
import { onReturn } from '../../api/connection.ts';
import { listen } from '../../hooks/listen.ts';
import { whenIdle } from '../../hooks/when-idle.ts';
import { tokenAtom } from '../../session/session.ts';
import { lazyWithRetry } from '../lazy-with-retry.tsx';
import { dismissNetworkToast, requestToaster, toasterRequest } from './toast.ts';

/** The toaster is fetched after this time even if the page is not idle. */
const IDLE_TIMEOUT_MS = 4_000;
/** What a visitor does first. */
const FIRST_INTERACTIONS = ['pointerdown', 'keydown'] as const;

// Retried until loaded: the connection may be lost right after the page came.
const Toaster = lazyWithRetry(() => import('./Toaster.tsx'));

/**
 * Renders the toaster. It is fetched before it is needed, because offline it could not be: when the page
 * of a signed-in user is quiet, and with the first click or key of a visitor, who may only read.
 */
export function ToasterHost({ isConversation = false }: { isConversation?: boolean }) {
  const isRequested = useSyncExternalStore(
    toasterRequest.subscribe,
    toasterRequest.get,
    () => false,
  );
  const isSignedIn = useAtomValue(tokenAtom) !== null;
  useEffect(() => {
    if (isSignedIn) return whenIdle(requestToaster, IDLE_TIMEOUT_MS);
    const options = { once: true, passive: true };
    return listen(document, FIRST_INTERACTIONS, requestToaster, options);
  }, [isSignedIn]);
  useEffect(() => onReturn(dismissNetworkToast), []);
  return isRequested ? (
    <Suspense fallback={null}>
      <Toaster isConversation={isConversation} />
    </Suspense>
  ) : null;
}
