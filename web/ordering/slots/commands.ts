import { useMutation, useQueryClient } from '@tanstack/react-query';
import { slotsApi } from '#contract/farm/slots/constants';
import type { UpdateSlot } from '#contract/farm/slots/slots';
import { movesApi } from '#contract/ordering/moves/constants';
import type { MoveDay, MoveSlot } from '#contract/ordering/moves/moves';
import type { Order } from '#contract/ordering/orders/orders';
import { call } from '../../platform/api/api.ts';
import { plural } from '../../platform/format/format.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';
import { slotsKeys } from './keys.ts';

// What they change is shown when its event comes; the refetch is for a page without a connection.

/** Closes or opens a slot, or changes how many orders it takes. */
export function useUpdateSlot() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ slotId, change }: { slotId: string; change: UpdateSlot }) =>
      call(slotsApi.update, { params: { id: slotId }, body: change }),
    onSuccess: () => refetch(cache, slotsKeys.own()),
    onError: toastError,
  });
}

/** Moves all open orders of a slot. A refusal is shown in the dialog. */
export function useMoveSlot() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ slotId, ...body }: MoveSlot & { slotId: string }) =>
      call(movesApi.move, { params: { id: slotId }, body }),
    onSuccess: ({ data }) => {
      refetch(cache, slotsKeys.all);
      toast.success(`${plural(data.moved, 'order was', 'orders were')} moved.`);
    },
  });
}

/** Moves the open orders of a day to the same times of another day. */
export function useMoveDay() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: MoveDay) => call(movesApi.moveDay, { body }),
    onSuccess: () => refetch(cache, slotsKeys.all),
  });
}

/** Moves one order to another slot; the answer is the order. */
export function useMoveOrder() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ order, slotId }: { order: Order; slotId: string }) =>
      call(movesApi.moveOrder, {
        params: { id: order._id },
        body: { slotId, expectedVersion: order.version },
      }),
    onSuccess: () => {
      refetch(cache, slotsKeys.all);
      toast.success('The new time is set.');
    },
    // The times shown may be old.
    onError: () => refetch(cache, slotsKeys.all),
  });
}
