import { isOpenStatus } from '#contract/ordering/orders/constants';
import type { ORDER_STATUSES } from '#contract/platform/orders/constants';
import { listOf } from '#contract/platform/text/constants/formats';
import { type Message, msg } from '#contract/platform/text/constants/texts';
import { AppError, conflict } from '../../platform/http/errors.ts';
import { type OrderRow, presentOrder } from '../model/present.ts';
import { isFinalLine } from '../model/present-lines.ts';

/** 409 with the order as it is. */
export const refused = (order: OrderRow, code: string, message: Message): AppError =>
  new AppError(409, code, message, { data: presentOrder(order) });

/** 409: a proposal waits for the consumer's answer. */
export const openChange = (order: OrderRow): AppError =>
  refused(
    order,
    'OPEN_CHANGE',
    msg(
      "A change of this order waits for the customer's answer. Wait for it, or take it back first.",
    ),
  );

/** 409: a proposal is not open any more. */
export const changeNotOpen = (order: OrderRow): AppError =>
  refused(
    order,
    'CHANGE_NOT_OPEN',
    msg('This change is no longer open. Look at how the order is now.'),
  );

/** 409: the order is being packed, or is packed. */
export const packingBegun = (order: OrderRow): AppError =>
  refused(
    order,
    'PACKING_BEGUN',
    msg(
      "The farm packs this order already, so it can't change. Write to the farm if something is wrong.",
    ),
  );

/** 409: the handover has begun, so there is no time left to ask the consumer. */
export const handoverBegun = (): AppError =>
  conflict(
    'HANDOVER_BEGUN',
    msg('The handover of this order has begun. Talk to the customer about what is missing.'),
  );

/** Returns why an order's lines cannot change at all; undefined if they can. */
export const refuseClosed = (order: OrderRow): AppError | undefined =>
  isOpenStatus(order.status)
    ? undefined
    : refused(
        order,
        'ORDER_NOT_OPEN',
        msg(
          "This order is {status, select, pending {pending} accepted {accepted} rejected {rejected} completed {completed} other {cancelled}}, so it can't change.",
          { status: order.status },
        ),
      );

/** The status of an order from which nothing is left, by the status that it had. */
export const emptyStatusOf = (status: OrderRow['status']): (typeof ORDER_STATUSES)[number] =>
  status === 'pending' ? 'rejected' : 'cancelled';

/** 409: an order cannot be completed while something in it is not weighed. */
export function unweighed(order: OrderRow): AppError {
  const open = order.lines.filter((line) => !isFinalLine(line));
  const names = listOf(new Set(open.map(({ name }) => name)), 'unit');
  return refused(
    order,
    'UNWEIGHED',
    msg(
      'Not weighed yet: {names}. Weigh it first, or complete the order with the estimated price.',
      { names },
    ),
  );
}
