import { Amount, named, WallDate } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';

// What dashboards count of orders.

/** One day of a series, a farm's or the market's by their own clock. */
export const DayFigures = named('DayFigures', {
  date: WallDate,
  orders: z.int(),
  /** Of completed orders placed that day. */
  revenue: Amount,
});
export type DayFigures = z.infer<typeof DayFigures>;

export const StatusCounts = named('StatusCounts', {
  pending: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  completed: z.int(),
  cancelled: z.int(),
});
export type StatusCounts = z.infer<typeof StatusCounts>;
