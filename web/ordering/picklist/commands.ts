import { useMutation, useQueryClient } from '@tanstack/react-query';
import { picklistApi, SEEN_MAX } from '#contract/ordering/picklist/constants';
import type { PickScope } from '#contract/ordering/picklist/pick-summary';
import type { PickChange, PickOrder } from '#contract/ordering/picklist/picklist';
import { weightsApi } from '#contract/ordering/weights/constants';
import { call } from '../../platform/api/api.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';
import { picklistKeys } from './keys.ts';
import type { PickLine } from './pack/weighing.ts';
import { scopeFields } from './queries.ts';

/**
 * Marks changes as seen, for everybody of the farm. The event shows it; the refetch is for a page without a connection.
 */
export function useMarkSeen(scope: PickScope) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (changes: readonly PickChange[]) => {
      const marks = new Map(changes.map(({ orderId, sequence }) => [orderId, sequence]));
      const all = [...marks].map(([orderId, sequence]) => ({ orderId, sequence }));
      for (let start = 0; start < all.length; start += SEEN_MAX) {
        await call(picklistApi.markSeen, {
          body: { ...scopeFields(scope), changes: all.slice(start, start + SEEN_MAX) },
        });
      }
    },
    onError: (error) => {
      toastError(error);
      refetch(cache, picklistKeys.all);
    },
  });
}

/** Asks the buyer for the whole price of a line that weighs more than expected. The event shows it. */
export function useAskBuyer(order: PickOrder, line: PickLine) {
  return useMutation({
    mutationFn: () =>
      call(weightsApi.weigh, {
        params: { id: order._id, lineId: line.lineId },
        body: { packed: line.packed, expectedPacked: line.packed, overweight: 'ask' },
      }),
    onSuccess: () => toast.success(`${order.customer.name} is asked`),
    onError: toastError,
  });
}

/** Numbers and keeps a print. */
export function usePrint(scope: PickScope) {
  return useMutation({
    mutationFn: async () => (await call(picklistApi.print, { body: scopeFields(scope) })).data,
    onError: toastError,
  });
}
