import { Id, named, one, WallDate, WallEnd, WallTime } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { ORDER_STATUSES } from '#contract/platform/orders/constants';

// What a farm changes about its days, places and goods may leave open orders where it would take none any more.

/** An open order that a change meets: the farm could not take it afterwards, and can now. */
export const MetOrder = named('MetOrder', {
  _id: Id,
  /** Whose order it is, and its short id. */
  title: z.string(),
  date: WallDate,
  time: WallTime,
  /** When its slot ends; absent without a slot. */
  endTime: WallEnd.optional(),
  isDelivery: z.boolean(),
  /** Its slot, where it can be moved to another one. */
  slotId: Id.optional(),
  status: z.enum(ORDER_STATUSES),
});
export type MetOrder = z.infer<typeof MetOrder>;

/** How many open orders a change meets, and the first of them by day and time. */
export const OrdersMet = named('OrdersMet', {
  orders: z.array(MetOrder),
  count: z.int(),
  /** Stands for exactly these orders at these times, all of them: what `keeps` takes. */
  key: z.string(),
});
export type OrdersMet = z.infer<typeof OrdersMet>;

/**
 * With `preview` a change says which orders it meets, and writes nothing. With `keeps` it is written if it meets
 * exactly the orders that the preview of this key showed, and their customers are told that these stay as agreed; else
 * it is refused with 409 `ORDERS_MET` and a new preview. Without either it is written.
 */
const ClosingQuery = z.object({
  preview: z.enum(['true', 'false']).optional(),
  keeps: z.string().max(100).optional(),
});
export type ClosingQuery = z.infer<typeof ClosingQuery>;

/** Declares the query and the answer of a change that may meet open orders. @param data what it answers once written */
export const mayMeetOrders = <Data extends z.ZodType>(data: Data) => ({
  query: ClosingQuery,
  // Typed by the change itself. Who asks for a preview knows what it is.
  answer: one(z.union([data, OrdersMet])) as unknown as ReturnType<typeof one<Data>>,
});
