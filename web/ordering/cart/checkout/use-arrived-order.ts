import { useAtomValue } from 'jotai';
import { useEffect, useEffectEvent } from 'react';
import type { Order } from '#contract/ordering/orders/orders';
import { arrivedOrderAtom } from '../events.ts';
import { isAttemptedBy } from './attempt.ts';
import { settleArrived } from './place-order.ts';

/** Calls `finish` once with the order that is being placed, where it came live and its answer did not, in whatever tab it was sent. */
export function useArrivedOrder(isSending: boolean, finish: (order: Order) => void): void {
  const arrived = useAtomValue(arrivedOrderAtom);
  const finishNow = useEffectEvent(finish);
  useEffect(() => {
    // While the request is under way its answer may yet come.
    if (isSending || !arrived || !isAttemptedBy(arrived.key)) return;
    settleArrived(arrived.key, arrived.order._id);
    finishNow(arrived.order);
  }, [isSending, arrived]);
}
