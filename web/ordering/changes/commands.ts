import { useMutation } from '@tanstack/react-query';
import { orderChangesApi } from '#contract/ordering/changes/constants/order-changes';
import type {
  AnswerChange,
  ChangeItems,
  ProposeChange,
  SetWish,
} from '#contract/ordering/changes/order-changes';
import { isCalledOff } from '#contract/ordering/orders/constants/orders';
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

/** A command whose answer is the changed order; a toast shows `wordsOf` it. */
function useOrderCommand<Input>(
  send: (input: Input) => Promise<{ data: Order }>,
  onChanged: OnChanged,
  wordsOf?: (order: Order) => string,
  onRefused: (error: Error) => void = toastError,
) {
  return useMutation({
    mutationFn: send,
    onSuccess: ({ data }) => {
      onChanged(data);
      if (wordsOf) toast.success(wordsOf(data));
    },
    onError: (error) => {
      const present = presentOrderOf(error);
      if (present) onChanged(present);
      onRefused(error);
    },
  });
}

/** Proposes to change lines of an order. A repeat with the same `_id` makes no second proposal. */
export const useProposeChange = ({ _id: id, consumer }: Order, onChanged: OnChanged) =>
  useOrderCommand(
    (body: ProposeChange) => call(orderChangesApi.propose, { params: { id }, body }),
    onChanged,
    ({ openChange }) => (openChange ? `${consumer.name} is asked` : 'The order was changed'),
  );

/** Answers a proposal line by line, or cancels the order because of it. */
export const useAnswerChange = (id: string, changeId: string, onChanged: OnChanged) =>
  useOrderCommand(
    (body: AnswerChange) => call(orderChangesApi.answer, { params: { id, changeId }, body }),
    onChanged,
    ({ status }) =>
      isCalledOff(status) ? 'Your order is cancelled' : 'Your answer is with the farm',
  );

/** Takes back a proposal that is not answered yet. */
export const useWithdrawChange = (id: string, onChanged: OnChanged) =>
  useOrderCommand(
    (changeId: string) => call(orderChangesApi.withdraw, { params: { id, changeId } }),
    onChanged,
    () => 'The change was taken back',
  );

/** Says what to do if the farm runs short of a line. */
export const useSetWish = (id: string, onChanged: OnChanged) =>
  useOrderCommand(
    ({ lineId, ...body }: SetWish & { lineId: string }) =>
      call(orderChangesApi.setWish, { params: { id, lineId }, body }),
    onChanged,
  );

/** Replaces the lines of an own order. What is refused is shown by the form, line by line. */
export const useChangeItems = (id: string, onChanged: OnChanged) =>
  useOrderCommand(
    (body: ChangeItems) => call(orderChangesApi.changeItems, { params: { id }, body }),
    onChanged,
    undefined,
    () => {},
  );
