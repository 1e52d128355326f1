import type { ORDER_STATUSES } from '#contract/platform/orders/constants';
import { AppError, conflict } from '../../platform/http/errors.ts';
import { type OrderRow, presentOrder } from '../model/present.ts';
import { isOpenOrder } from './lines.ts';

/** 409: the order is not open any more; with the order as it is. */
export const orderNotOpen = (order: OrderRow): AppError =>
  new AppError(409, 'ORDER_NOT_OPEN', `This order is ${order.status}, so it can't change.`, {
    data: presentOrder(order),
  });

/** 409: a proposal waits for the buyer's answer; with the order as it is. */
export const openChange = (order: OrderRow): AppError =>
  new AppError(
    409,
    'OPEN_CHANGE',
    "A change of this order waits for the buyer's answer. Wait for it, or take it back first.",
    { data: presentOrder(order) },
  );

/** 409: a proposal is not open any more; with the order as it is. */
export const changeNotOpen = (order: OrderRow): AppError =>
  new AppError(
    409,
    'CHANGE_NOT_OPEN',
    'This change is no longer open. Look at how the order is now.',
    { data: presentOrder(order) },
  );

/** 409: the order is being packed, or is packed. */
export const packingBegun = (order: OrderRow): AppError =>
  new AppError(
    409,
    'PACKING_BEGUN',
    "The farm packs this order already, so it can't change. Write to the farm if something is wrong.",
    { data: presentOrder(order) },
  );

/** 409: the handover has begun, so there is no time left to ask the buyer. */
export const handoverBegun = (): AppError =>
  conflict(
    'HANDOVER_BEGUN',
    'The handover of this order has begun. Talk to the customer about what is missing.',
  );

/** Returns why an order's lines cannot change at all; undefined if they can. */
export const refuseClosed = (order: OrderRow): AppError | undefined =>
  isOpenOrder(order) ? undefined : orderNotOpen(order);

/** The status of an order from which nothing is left, by the status that it had. */
export const emptyStatusOf = (status: OrderRow['status']): (typeof ORDER_STATUSES)[number] =>
  status === 'pending' ? 'rejected' : 'cancelled';
