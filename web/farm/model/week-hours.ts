import { WEEKDAYS, type Weekday, weekdays } from '#contract/farm/farmers/constants';
import { spansOf } from '#contract/farm/farmers/constants/hours';
import type { BusinessHours } from '#contract/farm/farmers/farmers';
import { minutesOf, timeAt } from '#contract/platform/time/constants/clock';

/** Hours from one time of a day to another, as they stand in a form; empty while one is missing. */
export type Span = { from: string; to: string };
/** The hours of each day of a week in a form, none on a day that is closed. Each day is one value of its own. */
export type Week<Hours extends Span = Span> = Record<Weekday, Hours[]>;

const weekOf = <Hours extends Span>(hoursOf: (weekday: Weekday) => Hours[]): Week<Hours> =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, hoursOf(day)])) as Week<Hours>;

/** Returns the week of hours that name their day. */
export const toWeek = <Hours extends Span & { weekday: Weekday }>(
  hours: readonly Hours[],
): Week<Hours> => weekOf((day) => hours.filter(({ weekday }) => weekday === day));

/** Returns all hours of a week, each with its day, in the order in which a form shows them. */
export const hoursOf = <Hours extends Span>(week: Week<Hours>): (Hours & { weekday: Weekday })[] =>
  WEEKDAYS.flatMap((weekday) => week[weekday].map((hours) => ({ ...hours, weekday })));

/** Returns a farm's own hours as a week. */
export const weekOfBusiness = (hours: BusinessHours): Week =>
  weekOf((day) => spansOf(hours[day]).map(({ open, close }) => ({ from: open, to: close })));

/** Returns a week as a farm's own hours, which say of each day that it has no further hours, or which. */
export const toBusinessHours = (week: Week): BusinessHours =>
  Object.fromEntries(
    WEEKDAYS.map((day) => {
      const [first, ...more] = [...week[day]]
        .sort((one, other) => (one.from < other.from ? -1 : 1))
        .map(({ from, to }) => ({ open: from, close: to }));
      return [day, { ...(first ?? { open: '', close: '' }), more }];
    }),
  ) as BusinessHours;

/** Returns the hours with which a day opens: those of the open day before it, or else `first`. */
export function hoursToOpen<Hours extends Span>(
  week: Week<Hours>,
  weekday: Weekday,
  first: Hours,
): Hours[] {
  const at = weekdays().indexOf(weekday);
  const before = [...weekdays().slice(at), ...weekdays().slice(0, at)].reverse();
  const open = before.find((day) => week[day].length > 0);
  return structuredClone(open ? week[open] : [first]);
}

/** The pause before further hours of a day, in minutes. */
const PAUSE_MINUTES = 60;
const DAY_MINUTES = 24 * 60;

/** Returns further hours of a day: as long as the last ones, after a pause; without times where none are left. */
export function furtherHours<Hours extends Span>(last: Hours): Hours {
  const start = minutesOf(last.to) + PAUSE_MINUTES;
  const end = start + minutesOf(last.to) - minutesOf(last.from);
  const isWithinDay = start < end && end < DAY_MINUTES;
  return { ...last, from: isWithinDay ? timeAt(start) : '', to: isWithinDay ? timeAt(end) : '' };
}
