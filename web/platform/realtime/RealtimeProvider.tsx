import { useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { whenIdle } from '../hooks/when-idle.ts';
import { heldSessionAtom, tokenAtom, userAtom } from '../session/session.ts';
import type { OpenLiveConnection } from './live.ts';

/** The live connection starts after this time even if the page is not idle. */
const IDLE_TIMEOUT_MS = 1_500;
/** The delay before the code is fetched again after a failure. */
const RETRY_DELAY_MS = 3_000;

interface Props {
  load: () => Promise<{ openLiveConnection: OpenLiveConnection }>;
}

/**
 * Keeps a live connection for the visitor or the signed-in user, and reconnects when the token
 * changes. `load` fetches the code for it when the page is idle.
 */
export function RealtimeProvider({ load }: Props) {
  const cache = useQueryClient();
  const token = useAtomValue(tokenAtom);
  const userId = useAtomValue(userAtom)?._id ?? null;
  const isHeld = useAtomValue(heldSessionAtom) !== null;

  useEffect(() => {
    // The session is still being checked, or has ended.
    if ((token !== null && userId === null) || isHeld) return;
    let stop: (() => void) | undefined;
    let isUnmounted = false;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const start = async () => {
      try {
        const { openLiveConnection } = await load();
        if (isUnmounted) return;
        stop = openLiveConnection(
          cache,
          token !== null && userId !== null ? { token, userId } : { token: null, userId: null },
        );
      } catch {
        // The network is away, or a newer release has replaced the file.
        if (!isUnmounted) retry = setTimeout(start, RETRY_DELAY_MS);
      }
    };
    const cancel = whenIdle(start, IDLE_TIMEOUT_MS);
    return () => {
      isUnmounted = true;
      cancel();
      clearTimeout(retry);
      stop?.();
    };
  }, [cache, token, userId, isHeld, load]);

  return null;
}
