import { WEEKDAYS } from '#contract/farm/farmers/constants';
import type { BusinessHours } from '#contract/farm/farmers/farmers';
import { dayIn } from '#contract/platform/time/constants';
import { capitalized, formatWallTime } from '../../platform/format/format.ts';
import { useHydrated } from '../../platform/hooks/hydration.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { cn } from '../../platform/ui/cn.ts';
import { farmClockNote } from '../model/farm-clock.ts';
import { type OpenDay, openDays } from './rules.ts';

/** The hours of the day that the scale always contains. */
const SCALE_START_HOUR = 8;
const SCALE_END_HOUR = 18;

const hour = (time: string) => Number(time.slice(0, 2)) + Number(time.slice(3, 5)) / 60;

/** Returns the open hours within the day; hours past midnight wrap to its start. */
function openIntervals({ open, close }: OpenDay): { from: number; to: number }[] {
  const [from, to] = [hour(open), hour(close)];
  return from < to
    ? [{ from, to }]
    : [
        { from: 0, to },
        { from, to: 24 },
      ];
}

/** The business hours of a week: each open day with its times and a bar on a common scale. */
export function OpeningWeek({ hours, timeZone }: { hours: BusinessHours; timeZone: string }) {
  const days = openDays(hours);
  const all = days.flatMap(openIntervals);
  const start = Math.floor(Math.min(SCALE_START_HOUR, ...all.map(({ from }) => from)));
  const end = Math.ceil(Math.max(SCALE_END_HOUR, ...all.map(({ to }) => to)));
  const x = (at: number) => ((at - start) / (end - start)) * 100;
  // `getUTCDay` starts with Sunday, WEEKDAYS with Monday.
  const now = new Date(useNow(60_000));
  const today = WEEKDAYS[(new Date(dayIn(timeZone, now)).getUTCDay() + 6) % 7];
  // The server does not know the reader's clock.
  const note = useHydrated() ? farmClockNote(timeZone, now) : undefined;
  return (
    <>
      <dl className="grid gap-2 text-sm">
        {days.map((day) => (
          <div
            key={day.day}
            className={cn(
              'grid grid-cols-[6.5rem_1fr] items-center gap-x-3 gap-y-1 sm:grid-cols-[6.5rem_1fr_10.5rem]',
              day.day === today && 'font-semibold',
            )}
          >
            <dt>
              {capitalized(day.day)}
              {day.day === today && <span className="sr-only"> (today)</span>}
            </dt>
            <dd className="contents">
              <span className="tabular text-right sm:order-last">
                {formatWallTime(day.open)} – {formatWallTime(day.close)}
              </span>
              <svg
                viewBox="0 0 100 4"
                preserveAspectRatio="none"
                aria-hidden="true"
                className="col-span-2 block h-2 w-full rounded-full sm:col-span-1"
              >
                <rect width="100" height="4" className="fill-hairline" />
                {openIntervals(day).map(({ from, to }) => (
                  <rect
                    key={from}
                    x={x(from)}
                    width={x(to) - x(from)}
                    height="4"
                    className={day.day === today ? 'fill-leaf' : 'fill-straw'}
                  />
                ))}
              </svg>
            </dd>
          </div>
        ))}
      </dl>
      {note && <p className="mt-3 text-sm text-ink-soft">{note}</p>}
    </>
  );
}
