import { useEffect, useEffectEvent } from 'react';

/**
 * Calls `send` with what waits for the buyer to verify their email, as soon as they did: here, in another tab or on
 * another device.
 */
export function useOnceVerified<Waiting>(
  waiting: Waiting | null,
  isVerified: boolean,
  send: (waiting: Waiting) => unknown,
): void {
  const sendNow = useEffectEvent(send);
  useEffect(() => {
    if (waiting !== null && isVerified) sendNow(waiting);
  }, [waiting, isVerified]);
}
