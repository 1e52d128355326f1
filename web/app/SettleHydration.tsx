import { useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { useEffect, useLayoutEffect } from 'react';
import { isHydratedAtom, useHydrated } from '../platform/hooks/hydration.ts';
import { readToken } from '../platform/session/session.ts';
import { releaseRefusals, SETTLED_EVENT } from './dehydrated.ts';
import { endFirstPaint } from './first-paint.ts';

/**
 * Stands behind the page: once React has taken over what the server rendered, the page may show what only this
 * browser knows. What `first-paint.js` has hidden meanwhile is shown with it.
 */
export function SettleHydration() {
  const store = useStore();
  const client = useQueryClient();
  const isHydrated = useHydrated();

  useLayoutEffect(() => {
    if (isHydrated) {
      endFirstPaint();
      return;
    }
    releaseRefusals(client, readToken() !== null);
    store.set(isHydratedAtom, true);
  }, [isHydrated, store, client]);

  // After the effects of the page, which then knows who is signed in.
  useEffect(() => {
    if (isHydrated) document.dispatchEvent(new Event(SETTLED_EVENT));
  }, [isHydrated]);

  return null;
}
