import { useMutation } from '@tanstack/react-query';
import { orderChangesApi } from '#contract/ordering/changes/constants';
import type {
  AnswerChange,
  ChangeItems,
  ProposeChange,
  SetWish,
  ShareShortage,
} from '#contract/ordering/changes/order-changes';
import { isCalledOff } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { call } from '../../platform/api/api.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';

/** Called with an order as it is after a change, or as somebody else changed it first. */
export type OnChanged = (order: Order) => void;

/** Returns the order as it is by now, if a refusal contains it. */
export function presentOrderOf(error: unknown): Order | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined;
  const { data } = (error.details ?? {}) as { data?: Partial<Order> };
  return data?._id !== undefined && data.items !== undefined ? (data as Order) : undefined;
}

/** What each command does with its outcome: the order goes into the cache, a refusal is shown. */
const settle = (onChanged: OnChanged) => ({
  onSuccess: ({ data }: { data: Order }) => onChanged(data),
  onError: (error: Error) => {
    const present = presentOrderOf(error);
    if (present) onChanged(present);
    toastError(error);
  },
});

/** Proposes to change lines of an order. A repeat with the same `_id` makes no second proposal. */
export function useProposeChange(order: Order, onChanged: OnChanged) {
  const { onSuccess, onError } = settle(onChanged);
  return useMutation({
    mutationFn: (body: Omit<ProposeChange, 'expectedVersion'>) =>
      call(orderChangesApi.propose, { params: { id: order._id }, body }),
    onSuccess: (answer) => {
      onSuccess(answer);
      toast.success(
        answer.data.openChange ? `${order.consumer.name} is asked` : 'The order was changed',
      );
    },
    onError,
  });
}

/** Answers a proposal line by line, or cancels the order because of it. */
export function useAnswerChange(orderId: string, changeId: string, onChanged: OnChanged) {
  const { onSuccess, onError } = settle(onChanged);
  return useMutation({
    mutationFn: (body: AnswerChange) =>
      call(orderChangesApi.answer, { params: { id: orderId, changeId }, body }),
    onSuccess: (answer) => {
      onSuccess(answer);
      toast.success(
        isCalledOff(answer.data.status)
          ? 'Your order is cancelled'
          : 'Your answer is with the farm',
      );
    },
    onError,
  });
}

/** Takes back a proposal that is not answered yet. */
export function useWithdrawChange(orderId: string, onChanged: OnChanged) {
  const { onSuccess, onError } = settle(onChanged);
  return useMutation({
    mutationFn: (changeId: string) =>
      call(orderChangesApi.withdraw, { params: { id: orderId, changeId } }),
    onSuccess: (answer) => {
      onSuccess(answer);
      toast.success('The change was taken back');
    },
    onError,
  });
}

/** Says what to do if the farm runs short of a line. */
export function useSetWish(orderId: string, onChanged: OnChanged) {
  return useMutation({
    mutationFn: ({ lineId, ...body }: Omit<SetWish, 'expectedVersion'> & { lineId: string }) =>
      call(orderChangesApi.setWish, { params: { id: orderId, lineId }, body }),
    ...settle(onChanged),
  });
}

/** Replaces the lines of an own order. What is refused is shown by the form, line by line. */
export function useChangeItems(orderId: string, onChanged: OnChanged) {
  return useMutation({
    mutationFn: (body: ChangeItems) =>
      call(orderChangesApi.changeItems, { params: { id: orderId }, body }),
    onSuccess: ({ data }) => onChanged(data),
    onError: (error) => {
      const present = presentOrderOf(error);
      if (present) onChanged(present);
    },
  });
}

/** Returns what sharing a shortage would come to; writes nothing. */
export const previewShortage = async (body: ShareShortage, signal?: AbortSignal) =>
  (await call(orderChangesApi.shareShortage, { query: { preview: 'true' }, body, signal })).data;
