import { useAtomValue } from 'jotai';
import { useEffect, useEffectEvent } from 'react';
import type { Order } from '#contract/orders';
import { clearAttempt, isAttemptedBy } from './attempt.ts';
import { arrivedOrderAtom } from './events.ts';

/** Calls `finish` once with the order that is being placed, where it came live and its answer did not. */
export function useArrivedOrder(isSending: boolean, finish: (order: Order) => void): void {
  const arrived = useAtomValue(arrivedOrderAtom);
  const finishNow = useEffectEvent(finish);
  useEffect(() => {
    // While the request is under way its answer may yet come.
    if (isSending || !arrived || !isAttemptedBy(arrived.key)) return;
    clearAttempt();
    finishNow(arrived.order);
  }, [isSending, arrived]);
}
