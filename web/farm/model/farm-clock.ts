import { listOf } from '#contract/platform/text/constants/formats';
import { isolate } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import {
  clockMs,
  formatDay,
  formatWallDate,
  formatWallTime,
  knowsTimeZone,
  wallClockIn,
} from '#contract/platform/time/constants';
import { formatWallTimes } from '#contract/platform/time/constants/clock';

/**
 * Formats the time of a handover: '10:00 AM', '10:00–10:30 AM', and for a reader whose clock shows another
 * one at that instant '10:00 AM at the farm (7:30 AM your time)', with the day where that differs too.
 */
export function formatFarmTime(
  { date, time, endTime }: { date: string; time: string; endTime?: string | undefined },
  startsAt: string | undefined,
  endsAt?: string | undefined,
): string {
  const atFarm = formatWallTimes(time, endTime);
  const here = timeHere({ date, time, endTime }, startsAt, endsAt);
  return here === undefined ? atFarm : t('{atFarm} at the farm ({here})', { atFarm, here });
}

/**
 * Returns the time of a handover by the reader's clock, '7:30 AM your time', with the day where that differs
 * too; undefined where it shows what the farm's does, and where the instant is unknown.
 */
export function timeHere(
  { date, time, endTime }: { date: string; time: string; endTime?: string | undefined },
  startsAt: string | undefined,
  endsAt?: string | undefined,
): string | undefined {
  const instant = new Date(startsAt ?? '');
  if (Number.isNaN(instant.getTime())) return undefined;
  const here = wallClockIn(undefined, instant);
  if (here.date === date && here.time === time) return undefined;
  const end = endTime && endsAt ? wallClockIn(undefined, new Date(endsAt)).time : undefined;
  const times = formatWallTimes(here.time, end);
  return here.date === date
    ? t('{time} your time', { time: times })
    : t('{day}, {time} your time', { day: formatWallDate(here.date, 'weekday'), time: times });
}

/**
 * Formats an instant by the clock of a farm, without 'Today' and its like: 'Sat, Nov 21, 4:05 PM', and for a reader
 * whose clock shows another time '… at the farm (1:35 PM your time)'. `farmToday` is the day that it is there.
 */
export function formatFarmInstant(
  instant: string,
  timeZone: string | undefined,
  farmToday: string,
): string {
  // By the reader's own where the farm's is not known here.
  const known = timeZone !== undefined && knowsTimeZone(timeZone) ? timeZone : undefined;
  const there = wallClockIn(known, Date.parse(instant));
  return listOf(
    [formatDay(there.date, farmToday), isolate(formatFarmTime(there, instant))],
    'unit',
  );
}

/**
 * Returns a sentence with what a farm's clock shows now, for a reader whose clock shows something else;
 * undefined for everyone else, and for a farm whose time zone is unknown here.
 */
export function farmClockNote(
  timeZone: string | undefined,
  now: Date | number = clockMs(),
): string | undefined {
  if (timeZone === undefined || !knowsTimeZone(timeZone)) return undefined;
  const [there, here] = [wallClockIn(timeZone, now), wallClockIn(undefined, now)];
  if (there.date === here.date && there.time === here.time) return undefined;
  const time = formatWallTime(there.time);
  return there.date === here.date
    ? t("By the farm's clock, where it is {time} now.", { time })
    : t("By the farm's clock, where it is {time} on {day} now.", {
        time,
        day: formatWallDate(there.date, 'weekday'),
      });
}
