import type { QueryClient } from '@tanstack/react-query';
import { atom } from 'jotai';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order, StatusResult } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { t } from '#contract/platform/text/constants/texts';
import { store } from '../../../platform/session/session.ts';
import { toast } from '../../../platform/ui/feedback/toast.ts';
import { mergeOrder, ordersKeys } from '../../model/order-cache.ts';

/** Long enough to be read by somebody who has gone on to something else. */
const REFUSAL_TOAST_MS = 10_000;

/** What an answer has of an order, to name it in messages. */
export type AnsweredOrder = Pick<Order, '_id'> & { consumer: Pick<Order['consumer'], 'name'> };

/** An order that was not accepted, and why. */
export type RefusedAnswer = { order: AnsweredOrder; message: string };

/** The orders that could not be accepted, until they are dismissed. */
export const refusedAnswersAtom = atom<readonly RefusedAnswer[]>([]);

/** How many were accepted since the last toast; there is one toast when all is sent. */
let acceptedCount = 0;
/** Whether the page that lists the refused ones is open. */
let isListOpen = false;

/** Notes whether the page is open that shows {@link refusedAnswersAtom}. */
export function noteRefusedList(isOpen: boolean): void {
  isListOpen = isOpen;
}

/** Shows what became of an answer, or of a part of it, and what was refused. */
export function takeResults(
  { orders, status }: { orders: readonly AnsweredOrder[]; status: OrderStatus },
  results: readonly StatusResult[],
  cache: QueryClient,
): void {
  const ordersById = new Map(orders.map((order) => [order._id, order]));
  let changedCount = 0;
  const refused = results.flatMap((result): RefusedAnswer[] => {
    if ('order' in result) {
      mergeOrder(cache, result.order);
      changedCount += 1;
      return [];
    }
    const order = ordersById.get(result._id);
    return order ? [{ order, message: result.message }] : [];
  });
  if (refused.length > 0) {
    if (status === 'accepted') showNotAccepted(refused);
    else for (const { order, message } of refused) toastRefusal(order, status, message);
    void cache.invalidateQueries({ queryKey: ordersKeys.all });
  }
  if (status === 'accepted') acceptedCount += changedCount;
  else if (changedCount > 0) toast.success(statusUpdated(status));
}

/** Says which status an order has now. */
export const statusUpdated = (status: OrderStatus): string =>
  t(
    '{status, select, pending {Order status updated to pending} accepted {Order status updated to accepted} rejected {Order status updated to rejected} completed {Order status updated to completed} cancelled {Order status updated to cancelled} other {Order status updated}}',
    { status },
  );

/** Shows once how many orders were accepted, when nothing more is on the way. */
export function showAccepted(): void {
  if (acceptedCount === 0) return;
  toast.success(
    acceptedCount === 1
      ? statusUpdated('accepted')
      : t('Order status updated to accepted for {count} orders', { count: acceptedCount }),
  );
  acceptedCount = 0;
}

/** Lists what could not be accepted; on another page a toast says where. */
function showNotAccepted(refused: readonly RefusedAnswer[]): void {
  store.set(refusedAnswersAtom, (all) => [...all, ...refused]);
  if (isListOpen) return;
  const [first] = refused;
  if (refused.length === 1 && first) toastRefusal(first.order, 'accepted', first.message);
  else {
    toast.error(
      t('{count, plural, one {# order} other {# orders}} could not be accepted. Orders says why.', {
        count: refused.length,
      }),
      {
        duration: REFUSAL_TOAST_MS,
      },
    );
  }
}

/** The person who rejected or cancelled may be on any page by now. */
function toastRefusal({ _id }: AnsweredOrder, status: OrderStatus, message: string): void {
  const duration = REFUSAL_TOAST_MS;
  toast.error(
    [
      t(
        '{status, select, accepted {Order #{shortId} could not be accepted.} rejected {Order #{shortId} could not be rejected.} completed {Order #{shortId} could not be completed.} cancelled {Order #{shortId} could not be cancelled.} other {Order #{shortId} could not be changed.}}',
        { status, shortId: shortId(_id) },
      ),
      message,
    ].join(' '),
    { duration },
  );
}
