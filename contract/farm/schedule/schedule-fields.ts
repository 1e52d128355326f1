import { BOOKABLE_DAYS_MAX, CUTOFF_DAYS_MAX } from '#contract/farm/schedule/constants';
import { named, WallDate, WallTime } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';

/** Until when one can order for a day: so many days before it, at a time of the farm's clock. */
export const Cutoff = named('Cutoff', {
  daysBefore: z
    .number('Enter the number of days.')
    .int('Enter a whole number of days.')
    .min(0, "The number of days can't be negative.")
    .max(CUTOFF_DAYS_MAX, `The cut-off can be at most ${CUTOFF_DAYS_MAX} days before.`),
  time: WallTime,
});
export type Cutoff = z.infer<typeof Cutoff>;

/** How many days ahead customers can order. */
export const BookableDays = z
  .number('Enter a number of days.')
  .int('Enter a whole number of days.')
  .min(1, 'Customers can order at least one day ahead.')
  .max(BOOKABLE_DAYS_MAX, `Customers can order at most ${BOOKABLE_DAYS_MAX} days ahead.`);

/** A farm's cut-off, and the days of the next weeks on which it is closed. */
export const dayRuleFields = {
  /** Null where one can order until the farm closes. Absent only in answers of an older server. */
  cutoff: Cutoff.nullable().optional(),
  /** Those of the next five weeks, in order. Absent only in answers of an older server. */
  closedDays: z.array(WallDate).optional(),
  /** How many days ahead one can order. Absent only in answers of an older server. */
  bookableDays: z.int().optional(),
};
