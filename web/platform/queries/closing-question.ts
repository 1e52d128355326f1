import { createContext, useContext } from 'react';
import type { ClosingQuery, OrdersMet } from '#contract/platform/orders/closing';
import { t } from '#contract/platform/text/constants/texts';
import { ApiError } from '../api/api-error.ts';
import { toastErrorOfEdit } from '../ui/feedback/toast.ts';

/** The code of what is not saved because the farm went back to think about its orders. */
const NOT_SAVED = 'NOT_SAVED';

/**
 * Asks what becomes of the open orders that a change meets, and resolves with the key of those that are kept; undefined
 * where nothing is to be saved. `preview` asks for them again, `problem` says why they are asked about once more.
 */
export type AskAboutOrders = (question: {
  met: OrdersMet;
  preview: () => Promise<OrdersMet>;
  problem?: string | undefined;
}) => Promise<string | undefined>;

/** What asks, on pages that do. */
export const ClosingQuestionContext = createContext<AskAboutOrders | undefined>(undefined);

/** Shows a failure as {@link toastErrorOfEdit}, but not that the farm went back, which the form says. */
export function toastErrorOfClosing(error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== NOT_SAVED) toastErrorOfEdit(error);
}

/**
 * Returns what sends a change that may meet open orders: `save((query) => call(placesApi.update, { query, … }))`. It
 * asks the server first which orders those are, and then the farm, if there are any.
 */
export function useClosingQuestion() {
  const ask = useContext(ClosingQuestionContext);
  return async <Answer extends { data: unknown }>(
    send: (query: ClosingQuery) => Promise<Answer>,
  ): Promise<Answer> => {
    if (!ask) return send({});
    const asked = await send({ preview: 'true' });
    let met = asked.data as OrdersMet;
    // A server of the release before has no previews, and has saved.
    if (met.count === undefined) return asked;
    const preview = async () => (await send({ preview: 'true' })).data as OrdersMet;
    let problem: string | undefined;
    for (;;) {
      const keeps = met.count === 0 ? met.key : await ask({ met, preview, problem });
      if (keeps === undefined) {
        const message = t('Not saved yet. Your changes are still here.');
        throw new ApiError(message, { status: 409, code: NOT_SAVED });
      }
      try {
        return await send({ keeps });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'ORDERS_MET') throw error;
        met = (error.details as { data: OrdersMet }).data;
        problem = error.message;
      }
    }
  };
}
