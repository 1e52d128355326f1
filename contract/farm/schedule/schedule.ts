import {
  AT_CUTOFF,
  BOOKABLE_DAYS_MAX,
  CLOSED_DAYS_MAX,
  CUTOFF_DAYS_MAX,
  scheduleApi as calls,
  POSSIBLE_DAYS_MAX,
} from '#contract/farm/schedule/constants';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import {
  dayRangeOf,
  ExpectedVersion,
  Instant,
  idParams,
  named,
  one,
  WallDate,
  WallTime,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { mayMeetOrders } from '#contract/platform/orders/closing';
import { t } from '#contract/platform/text/constants/texts';

/** Until when one can order for a day: so many days before it, at a time of the farm's clock. */
export const Cutoff = named('Cutoff', {
  daysBefore: z
    .number({ error: () => t('Enter the number of days.') })
    .int({ error: () => t('Enter a whole number of days.') })
    .min(0, { error: () => t("The number of days can't be negative.") })
    .max(CUTOFF_DAYS_MAX, {
      error: () => t('The cut-off can be at most {max} days before.', { max: CUTOFF_DAYS_MAX }),
    }),
  time: WallTime,
});

/** How many days ahead customers can order. */
export const BookableDays = z
  .number({ error: () => t('Enter a number of days.') })
  .int({ error: () => t('Enter a whole number of days.') })
  .min(1, { error: () => t('Customers can order at least one day ahead.') })
  .max(BOOKABLE_DAYS_MAX, {
    error: () => t('Customers can order at most {max} days ahead.', { max: BOOKABLE_DAYS_MAX }),
  });

/** A farm's cut-off, and the days of the next weeks on which it is closed. */
export const dayRuleFields = {
  /** Null where one can order until the farm closes. Absent only in answers of an older server. */
  cutoff: Cutoff.nullable().optional(),
  /** Those of the next five weeks, in order. Absent only in answers of an older server. */
  closedDays: z.array(WallDate).optional(),
  /** How many days ahead one can order. Absent only in answers of an older server. */
  bookableDays: z.int().optional(),
};

/** How orders are taken: at any time until the cut-off of their day. */
const Mode = z.literal('notice');

/** A day on which the farm is closed, whatever its hours say. */
export const ScheduleException = named('ScheduleException', {
  date: WallDate,
  skip: z.literal(true),
});

/** Until when a farm takes orders for a day, and on which days it is closed. */
export const FarmSchedule = named('FarmSchedule', {
  mode: Mode,
  /** Null where one can order until the farm closes. */
  cutoff: Cutoff.nullable(),
  /** From today on, in order. */
  exceptions: z.array(ScheduleException),
  /** What becomes of orders that are unanswered at their cut-off. */
  atCutoff: z.enum(AT_CUTOFF),
  /** How many days ahead customers can order. Absent only in answers of an older server. */
  bookableDays: z.int().optional(),
  /** Grows with each change. */
  version: z.int(),
});
export type FarmSchedule = z.infer<typeof FarmSchedule>;

/** Fields left out keep their value. Exceptions that are over are taken off the list. */
export const UpdateFarmSchedule = z.object({
  mode: Mode.optional(),
  cutoff: Cutoff.nullable().optional(),
  exceptions: z
    .array(ScheduleException)
    .max(CLOSED_DAYS_MAX, {
      error: () => t('List at most {max} closed days.', { max: CLOSED_DAYS_MAX }),
    })
    .superRefine((exceptions, context) => {
      const seen = new Set<string>();
      for (const [index, { date }] of exceptions.entries()) {
        if (seen.has(date)) {
          context.addIssue({
            code: 'custom',
            path: [index, 'date'],
            message: t('List each day only once.'),
          });
        }
        seen.add(date);
      }
    })
    .optional(),
  atCutoff: z.enum(AT_CUTOFF).optional(),
  bookableDays: BookableDays.optional(),
  expectedVersion: ExpectedVersion,
});
export type UpdateFarmSchedule = z.infer<typeof UpdateFarmSchedule>;

/** A day for which one can still order. */
export const PossibleDay = named('PossibleDay', {
  date: WallDate,
  /** Null where the farm lists no hours. */
  open: WallTime.nullable(),
  close: WallTime.nullable(),
  /** The last instant to order for this day, exclusive. */
  ordersUntil: Instant,
});
export type PossibleDay = z.infer<typeof PossibleDay>;

/** The range begins today at the farm and has {@link POSSIBLE_DAYS_MAX} days where nothing else is asked for. */
export const PossibleDaysQuery = dayRangeOf(POSSIBLE_DAYS_MAX);
export type PossibleDaysQuery = z.infer<typeof PossibleDaysQuery>;

export const scheduleApi = endpoints(calls, {
  own: {
    summary: "The cut-off, the closed days and the days ahead of the caller's farm",
    ...forFarm('read'),
    answer: one(FarmSchedule),
    failures: [404],
  },
  update: {
    summary: "Change the cut-off, the closed days or the days ahead of the caller's farm",
    ...forFarm('changeFarm'),
    body: UpdateFarmSchedule,
    ...mayMeetOrders(FarmSchedule),
    failures: [404],
  },
  days: {
    summary: 'The days for which one can order from a farm now',
    access: 'optional',
    params: idParams(() => t('Farmer not found')),
    query: PossibleDaysQuery,
    answer: one(z.array(PossibleDay)),
  },
});
