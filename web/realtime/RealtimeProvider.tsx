import { useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { userAtom } from '../auth/atoms.ts';
import { tokenAtom } from '../lib/session.ts';

/** Milliseconds the page may take for itself before the live connection is begun regardless. */
const AT_THE_LATEST = 1_500;
/** Milliseconds before a connection whose code could not be fetched is tried again. */
const AGAIN = 3_000;

/**
 * Keeps the live connection of whoever is here: a visitor, or the one who signed in. Another token
 * is another connection. What it takes is loaded once the page has painted.
 */
export function RealtimeProvider() {
  const cache = useQueryClient();
  const token = useAtomValue(tokenAtom);
  const userId = useAtomValue(userAtom)?._id ?? null;

  useEffect(() => {
    // A token whose owner is not known yet: the session is still being checked.
    if (token !== null && userId === null) return;
    let stop: (() => void) | undefined;
    let isGone = false;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const start = async () => {
      try {
        const { goLive } = await import('./live.ts');
        if (isGone) return;
        stop = goLive(
          cache,
          token !== null && userId !== null ? { token, userId } : { token: null, userId: null },
        );
      } catch {
        // The network is away, or a newer release has replaced the file.
        if (!isGone) retry = setTimeout(start, AGAIN);
      }
    };
    const cancel = whenIdle(start);
    return () => {
      isGone = true;
      cancel();
      clearTimeout(retry);
      stop?.();
    };
  }, [cache, token, userId]);

  return null;
}

/** Calls `run` when the page has nothing more urgent to do. Returns how to call it off. */
function whenIdle(run: () => unknown): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(run, 200);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(run, { timeout: AT_THE_LATEST });
  return () => cancelIdleCallback(idle);
}
