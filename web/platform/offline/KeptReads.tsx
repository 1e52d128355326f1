import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { onFirstActivity, whenIdle } from '../hooks/when-idle.ts';
import { tokenAtom, userAtom } from '../session/session.ts';
import { noteRestored, noteRestoring } from './kept-reads.ts';
import type { Reader } from './persister.ts';

const IDLE_TIMEOUT_MS = 3_000;

/** Puts the reader's kept reads into the cache and keeps new ones. Returns how to stop. */
export type KeepReads = (cache: QueryClient, reader: Reader) => () => void;

interface Props {
  load: () => Promise<{ keepReads: KeepReads }>;
}

/**
 * Brings back what an earlier visit has read, and keeps what this one reads: at once for signed-in users, whose
 * pages would wait for it, and for visitors when they use the page or it has no line. `load` fetches the code for it.
 */
export function KeptReads({ load }: Props) {
  const cache = useQueryClient();
  const token = useAtomValue(tokenAtom);
  const user = useAtomValue(userAtom);
  const userId = user?._id ?? null;
  const { farmId, role } = user?.membership ?? {};
  // What a person may see depends on all of these.
  const owner =
    userId === null ? 'visitor' : [userId, user?.role, farmId, role].filter(Boolean).join(' ');

  useEffect(() => {
    // The session is still being checked.
    if ((token === null) !== (userId === null)) return;
    let stop: (() => void) | undefined;
    let isUnmounted = false;
    noteRestoring();
    const start = async () => {
      try {
        const { keepReads } = await load();
        if (isUnmounted && token === null) return;
        stop = keepReads(cache, { owner, userId, token });
        // A session that ended before the file came leaves nothing behind either.
        if (isUnmounted) stop();
      } catch {
        // The file cannot be fetched: the page works without it.
        noteRestored();
      }
    };
    const cancel = token === null ? whenNeeded(cache, start) : void start();
    return () => {
      isUnmounted = true;
      cancel?.();
      stop?.();
    };
  }, [cache, token, owner, userId, load]);

  return null;
}

/** Calls `start` once: when a visitor uses the page and it is idle, or when an answer does not come. */
function whenNeeded(cache: QueryClient, start: () => unknown): () => void {
  const stops: (() => void)[] = [];
  const stop = () => {
    for (const each of stops.splice(0)) each();
  };
  const startOnce = () => {
    stop();
    start();
  };
  stops.push(
    cache.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'failed') startOnce();
    }),
    onFirstActivity(() => stops.push(whenIdle(startOnce, IDLE_TIMEOUT_MS))),
  );
  return stop;
}
