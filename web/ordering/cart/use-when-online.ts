import { useAtomValue } from 'jotai';
import { useEffect, useEffectEvent } from 'react';
import { connectionAtom } from '../../platform/api/connection.ts';

/**
 * Calls `send` with what got no answer when the network or the live connection is back. `held.at` says since when it
 * waits, in milliseconds.
 */
export function useWhenOnline<Held extends { at: number }>(
  held: Held | null,
  send: (held: Held) => unknown,
): void {
  const { state, since } = useAtomValue(connectionAtom);
  const sendNow = useEffectEvent(send);
  useEffect(() => {
    if (!held) return;
    const onOnline = () => sendNow(held);
    // A connection that was live all along says nothing: the order got no answer over the same connection.
    if (state === 'live' && since > held.at) onOnline();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [held, state, since]);
}
