import { Amount, WallDate } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';

// What dashboards count of orders.

/** One day of a series, a farm's or the market's by their own clock. */
export const DayFigures = z
  .object({
    date: WallDate,
    orders: z.number().int(),
    /** Of completed orders placed that day. */
    revenue: Amount,
  })
  .meta({ id: 'DayFigures' });
export type DayFigures = z.infer<typeof DayFigures>;

export const StatusCounts = z
  .object({
    pending: z.number().int(),
    accepted: z.number().int(),
    rejected: z.number().int(),
    completed: z.number().int(),
    cancelled: z.number().int(),
  })
  .meta({ id: 'StatusCounts' });
export type StatusCounts = z.infer<typeof StatusCounts>;
