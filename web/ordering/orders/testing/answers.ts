import type { Order } from '#contract/ordering/orders/orders';
import { store } from '../../../platform/session/session.ts';
import type { Call, Reply } from '../../../platform/testing/network.ts';
import { anOrder } from '../../../platform/testing/orders.ts';
import { queuedAnswersAtom } from '../answers/queued-answers.ts';

export const queued = () => store.get(queuedAnswersAtom);

/** Returns the orders that a call is about. */
export const idsOf = ({ body }: Call) => (body as { ids: string[] }).ids;

/** Accepts what is asked for, but not these orders. */
export const accepts =
  (refused: readonly Order[] = []) =>
  (call: Call): Reply => ({
    status: 200,
    body: {
      success: true,
      data: idsOf(call).map((_id) =>
        refused.some((order) => order._id === _id)
          ? { _id, code: 'TRANSITION_NOT_ALLOWED', message: 'This order is cancelled.' }
          : { _id, order: { ...anOrder(1), _id, status: 'accepted', version: 2 } },
      ),
    },
  });
