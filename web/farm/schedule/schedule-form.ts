import {
  AT_CUTOFF,
  BOOKABLE_DAYS_MAX,
  CUTOFF_DAYS_MAX,
  cutoffFor,
  scheduleApi,
} from '#contract/farm/schedule/constants';
import { type FarmSchedule, UpdateFarmSchedule } from '#contract/farm/schedule/schedule';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';
import { addDays, formatWallDate, formatWallTime } from '#contract/platform/time/constants';
import { runsOf } from '#contract/platform/time/constants/clock';
import { call } from '../../platform/api/api.ts';
import { isVersionConflict } from '../../platform/api/api-error.ts';
import {
  toastErrorOfClosing,
  useClosingQuestion,
} from '../../platform/queries/closing-question.ts';
import { shownByForm, useCommand } from '../../platform/queries/use-command.ts';
import { scheduleKeys } from './queries.ts';

/** The choice of a farm that takes orders until it closes. */
const NO_CUTOFF = 'none';

/** The day on which orders close, as a select has it: no cut-off, or so many days before. */
export const closingChoices = (): readonly (readonly [string | number, string])[] => [
  [NO_CUTOFF, t('When the farm closes')],
  [0, t('On the same day')],
  [1, t('The day before')],
  ...Array.from(
    { length: CUTOFF_DAYS_MAX - 1 },
    (_, index) =>
      [
        index + 2,
        t('{days, plural, one {# day before} other {# days before}}', { days: index + 2 }),
      ] as const,
  ),
];

/** The form of a farm's cut-off, and of how far ahead one can order; the time is of no matter without a cut-off. */
export const ScheduleInput = z
  .object({
    closes: z.string(),
    time: z.string(),
    atCutoff: z.enum(AT_CUTOFF),
    /** Undefined where an older server does not say. */
    bookableDays: z
      .custom<number>((days) => UpdateFarmSchedule.shape.bookableDays.safeParse(days).success, {
        error: () => t('Enter a whole number of days from 1 to {max}.', { max: BOOKABLE_DAYS_MAX }),
      })
      .optional(),
  })
  .refine(({ closes, time }) => closes === NO_CUTOFF || time !== '', {
    path: ['time'],
    error: () => t('Choose a time.'),
  });
export type ScheduleInput = z.infer<typeof ScheduleInput>;

/** Whether a form's choice is a cut-off. */
export const isCutoff = (closes: string): boolean => closes !== NO_CUTOFF;

/** Returns the form values of a schedule. */
export const toScheduleInput = ({
  cutoff,
  atCutoff,
  bookableDays,
}: FarmSchedule): ScheduleInput => ({
  closes: cutoff ? String(cutoff.daysBefore) : NO_CUTOFF,
  time: cutoff?.time ?? '18:00',
  atCutoff,
  bookableDays,
});

/** Returns the change that a form's values ask for. */
export const toChange = ({
  closes,
  time,
  atCutoff,
  bookableDays,
}: ScheduleInput): UpdateFarmSchedule => ({
  cutoff: isCutoff(closes) ? { daysBefore: Number(closes), time } : null,
  atCutoff,
  ...(bookableDays === undefined ? {} : { bookableDays }),
});

/** Returns a cut-off in a plain sentence, for the next Saturday from `today` on. */
export function cutoffSentence({ closes, time }: ScheduleInput, today: string): string {
  if (!isCutoff(closes)) return t('Customers can order until your farm closes.');
  if (time === '') return '';
  let saturday = today;
  while (new Date(`${saturday}T00:00:00Z`).getUTCDay() !== 6) saturday = addDays(saturday, 1);
  const cutoff = cutoffFor({ daysBefore: Number(closes), time }, saturday);
  return t('For {day}, customers can order until {lastDay} at {time}.', {
    day: formatWallDate(saturday, 'weekday'),
    lastDay: formatWallDate(cutoff.date, 'weekday'),
    time: formatWallTime(cutoff.time),
  });
}

/** Closed days in a row. */
export type ClosedDays = { from: string; to: string };

/** Returns closed days in rows of days that follow each other. */
export const rowsOf = (exceptions: FarmSchedule['exceptions']): ClosedDays[] =>
  runsOf(exceptions.map(({ date }) => date));

/** Returns each day of a row. */
export function daysOf({ from, to }: ClosedDays): string[] {
  const days: string[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) days.push(date);
  return days;
}

/** Returns the exceptions with the days of a row closed, or open again. */
export function withDays(
  exceptions: FarmSchedule['exceptions'],
  row: ClosedDays,
  isClosed: boolean,
): FarmSchedule['exceptions'] {
  const days = new Set(exceptions.map(({ date }) => date));
  for (const date of daysOf(row)) {
    if (isClosed) days.add(date);
    else days.delete(date);
  }
  return [...days].sort().map((date) => ({ date, skip: true }));
}

/** Formats a row: 'Thu, Dec 24, 2026', 'Thu, Dec 24, 2026 to Sat, Jan 2, 2027'. */
export const formatRow = ({ from, to }: ClosedDays): string =>
  to === from
    ? formatWallDate(from, 'year')
    : t('{from} to {to}', {
        from: formatWallDate(from, 'year'),
        to: formatWallDate(to, 'year'),
      });

/** How often a change of closed days is made again over somebody else's. */
const TRIES_MAX = 5;

/** Changes the cut-off of the signed-in person's farm. The event shows it everywhere else. */
export function useUpdateSchedule() {
  const save = useClosingQuestion();
  return useCommand(
    (body: UpdateFarmSchedule) => save((query) => call(scheduleApi.update, { query, body })),
    { refetches: scheduleKeys.all, onError: toastErrorOfClosing },
  );
}

/** Closes days in a row, or opens them again. */
type Change = { schedule: FarmSchedule; row: ClosedDays; isClosed: boolean };

/** Makes a change over what is there: days that somebody else closed in between stay closed. */
async function changeClosedDays(
  { schedule, row, isClosed }: Change,
  save: ReturnType<typeof useClosingQuestion>,
) {
  let present = schedule;
  for (let tries = 1; ; tries++) {
    const exceptions = withDays(present.exceptions, row, isClosed);
    const expectedVersion = present.version;
    try {
      const body = { exceptions, expectedVersion };
      return await save((query) => call(scheduleApi.update, { query, body }));
    } catch (error) {
      if (!isVersionConflict(error) || tries === TRIES_MAX) throw error;
      present = (error.details as { data: FarmSchedule }).data;
    }
  }
}

/** Changes the closed days of the signed-in person's farm. The caller shows a failure. */
export function useChangeClosedDays() {
  const save = useClosingQuestion();
  return useCommand((change: Change) => changeClosedDays(change, save), {
    refetches: scheduleKeys.all,
    onError: shownByForm,
  });
}
