import { type QueryClient, queryOptions, skipToken, useQueryClient } from '@tanstack/react-query';
import { productsApi } from '#contract/catalogue/products/constants/products';
import { orderChangesApi } from '#contract/ordering/changes/constants';
import type {
  AnswerChange,
  ChangeItems,
  ProposeChange,
  SetPreference,
  ShareShortage,
} from '#contract/ordering/changes/order-changes';
import { isCalledOff } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { picklistApi } from '#contract/ordering/picklist/constants';
import { t } from '#contract/platform/text/constants/texts';
import { call, dataOf } from '../../platform/api/api.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { noteOwnChange } from '../../platform/queries/use-changes.ts';
import { shownByForm, useCommand } from '../../platform/queries/use-command.ts';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { mergeOrder } from '../model/order-cache.ts';

/** The server's most for one page. A farm with more finds the rest by searching. */
const GOODS_MAX = 200;

/**
 * What a farm sells, sold out or not. Fetched again whenever it is opened to choose from: consumers receive changes
 * of what they watch alone.
 */
export const goodsQuery = (farmId: string, search = '') =>
  queryOptions({
    // As the keys of lists of products begin, so that their events reach it.
    queryKey: ['products', 'goods', farmId, search],
    queryFn: dataOf(productsApi.list, {
      query: { farmer: farmId, search: search || undefined, limit: GOODS_MAX },
    }),
    refetchOnMount: 'always',
  });

/** What the consumer wished last for a shortage of these products. */
export const preferencesQuery = (productIds: readonly string[]) =>
  queryOptions({
    queryKey: ['wishes', ...productIds],
    queryFn: dataOf(orderChangesApi.wishes, { query: { products: [...productIds] } }),
    enabled: productIds.length > 0,
    refetchOnMount: 'always',
  });

/** The next day, from `today` on, on which open orders have a product; null for none. */
export const nextDayWithQuery = (productId: string, today: string) =>
  queryOptions({
    queryKey: ['next-day-with', productId, today],
    queryFn: async ({ signal }) => {
      const query = { from: today, product: productId };
      const { data } = await call(picklistApi.days, { query, signal });
      return data[0]?.date ?? null;
    },
    staleTime: 0,
    gcTime: 0,
  });

/** What sharing a shortage would come to; nothing is asked without a body. */
export const shortagePreviewQuery = (body: ShareShortage | null) =>
  queryOptions({
    queryKey: ['shortage-preview', body],
    queryFn: body
      ? async ({ signal }) =>
          (await call(orderChangesApi.shareShortage, { query: { preview: 'true' }, body, signal }))
            .data
      : skipToken,
    staleTime: 0,
    gcTime: 0,
  });

/** The time between two looks at a shortage that is being shared, in milliseconds. */
const PROGRESS_INTERVAL_MS = 800;

/** How far a shortage is; looked at again and again while it `isRunning`. */
export const shortageProgressQuery = (id: string, isRunning: boolean) =>
  queryOptions({
    queryKey: ['shortage-progress', id],
    queryFn: async ({ signal }) =>
      (await call(orderChangesApi.readShortage, { params: { id }, signal })).data,
    refetchInterval: ({ state }) =>
      isRunning && !state.data?.isFinished ? PROGRESS_INTERVAL_MS : false,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });

/** Returns the order as it is by now, if a refusal contains it. */
export function presentOrderOf(error: unknown): Order | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined;
  const { data } = (error.details ?? {}) as { data?: Partial<Order> };
  return data?._id !== undefined && data.items !== undefined ? (data as Order) : undefined;
}

/** The proposals that were answered, taken back or replaced by a command of this page. */
const endedHere = new WeakMap<QueryClient, Set<string>>();

/** Returns the proposals that ended by what was done on this page, which need not be told there. */
export function useEndedHere(): Set<string> {
  const cache = useQueryClient();
  const ids = endedHere.get(cache) ?? new Set();
  endedHere.set(cache, ids);
  return ids;
}

/**
 * A command whose answer is the changed order, which every page shows then; a toast says what is `done`.
 * @param ended the proposal that it ends
 */
const useOrderCommand = <Input>(
  send: (input: Input) => Promise<{ data: Order }>,
  done?: (order: Order) => string,
  onRefused: (error: Error) => unknown = toastError,
  ended?: string,
) => {
  const endedIds = useEndedHere();
  const sendEnding = (input: Input) => {
    // Its event may come before its answer.
    if (ended !== undefined) endedIds.add(ended);
    return send(input);
  };
  return useCommand(sendEnding, {
    onSuccess: (cache, { data }) => mergeOrder(cache, data),
    ...(done && { done: ({ data }) => done(data) }),
    onError: (error, cache) => {
      const present = presentOrderOf(error);
      if (!present && ended !== undefined) endedIds.delete(ended);
      // As good as changed here: the refusal says what somebody else did first.
      noteOwnChange(present);
      if (present) mergeOrder(cache, present);
      onRefused(error);
    },
  });
};

/** Proposes to change lines of an order. A repeat with the same `_id` makes no second proposal. */
export const useProposeChange = ({ _id: id, consumer, openChange: replaced }: Order) =>
  useOrderCommand(
    (body: ProposeChange) => call(orderChangesApi.propose, { params: { id }, body }),
    ({ openChange }) =>
      openChange ? t('{name} is asked', { name: consumer.name }) : t('The order was changed'),
    toastError,
    replaced?._id,
  );

/** Answers a proposal line by line, or cancels the order because of it. */
export const useAnswerChange = (id: string, changeId: string) =>
  useOrderCommand(
    (body: AnswerChange) => call(orderChangesApi.answer, { params: { id, changeId }, body }),
    ({ status }) =>
      isCalledOff(status) ? t('Your order is cancelled') : t('Your answer is with the farm'),
    toastError,
    changeId,
  );

/** Takes back a proposal that is not answered yet. */
export const useWithdrawChange = (id: string, changeId: string) =>
  useOrderCommand<void>(
    () => call(orderChangesApi.withdraw, { params: { id, changeId } }),
    () => t('The change was taken back'),
    toastError,
    changeId,
  );

/** Says what to do if the farm runs short of a line. */
export const useSetPreference = (id: string) =>
  useOrderCommand(({ lineId, ...body }: SetPreference & { lineId: string }) =>
    call(orderChangesApi.setWish, { params: { id, lineId }, body }),
  );

/** Replaces the lines of an own order. What is refused is shown by the form, line by line. */
export const useChangeItems = (id: string) =>
  useOrderCommand(
    (body: ChangeItems) => call(orderChangesApi.changeItems, { params: { id }, body }),
    undefined,
    shownByForm,
  );
