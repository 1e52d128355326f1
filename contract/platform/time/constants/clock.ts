import { t } from '#contract/platform/text/constants/texts';
import {
  addDays,
  DAY_MS,
  dayStyles,
  formatNearDay,
  formatWallDate,
  formatWallTime,
  wallClockIn,
} from '#contract/platform/time/constants';

/**
 * Formats the times from one to another: '10:00–10:30 AM', '11:30 AM–12:00 PM', '6:00 PM to midnight'; without an end
 * '10:00 AM'.
 */
export function formatWallTimes(from: string, to: string | undefined): string {
  const start = formatWallTime(from);
  if (!to) return start;
  if (isMidnight(to)) return t('{start} to midnight', { start });
  const end = formatWallTime(to);
  const half = /\s[ap]\.?m\.?$/i;
  const isSameHalf = half.exec(start)?.[0] === half.exec(end)?.[0] && from < to;
  return `${isSameHalf ? start.replace(half, '') : start}–${end}`;
}

/** Returns whether hours that end at a time end with their day: '12:00 AM' would read as its start. */
export const isMidnight = (end: string): boolean => end === '24:00' || end === '00:00';

/** How a farm's own hours say an end at a place: its midnight is the next day's. */
export const closingOf = (end: string): string => (end === '24:00' ? '00:00' : end);

/** Returns days, in order, as runs of days that follow each other, each from its first to its last. */
export function runsOf(days: readonly string[]): { from: string; to: string }[] {
  const runs: { from: string; to: string }[] = [];
  for (const day of days) {
    const last = runs.at(-1);
    if (last && addDays(last.to, 1) === day) last.to = day;
    else runs.push({ from: day, to: day });
  }
  return runs;
}

/** Returns the minutes from midnight to a time, `HH:mm`; '24:00' is the end of the day. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Returns the time, `HH:mm`, so many minutes after midnight. */
export const timeAt = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/**
 * Returns whether the clock of a time zone shows a time on a day: some nights skip an hour, or half of one, and what is
 * no time it never shows.
 */
export function clockShows(
  timeZone: string,
  { date, time }: { date: string; time: string },
): boolean {
  const wallMs = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(wallMs)) return false;
  // Whatever changes that night, the clock differs from UTC as it does a day before, or as it does a day after.
  return [wallMs - DAY_MS, wallMs + DAY_MS].some((near) => {
    const there = wallClockIn(timeZone, near);
    const aheadMs = Date.parse(`${there.date}T${there.time}Z`) - near;
    const shown = wallClockIn(timeZone, wallMs - aheadMs);
    return shown.date === date && shown.time === time;
  });
}

/**
 * Formats the days from one to another: 'Nov 23 – 29', 'Nov 30 – Dec 6', and '23 – 29 Nov' where the day comes first.
 */
export const formatWallDates = (from: string, to: string): string =>
  // A range over the turn of the year would name both years.
  from.slice(0, 4) === to.slice(0, 4)
    ? dayStyles
        .short()
        .formatRange(Date.parse(from), Date.parse(to))
        .replace(/\s?–\s?/, ' – ')
    : `${formatWallDate(from, 'short')} – ${formatWallDate(to, 'short')}`;

/** Formats a day in full, after 'Today' and its like where that is said: 'Tomorrow, Sat, Nov 28, 2026'. */
export function formatFullDay(date: string, today: string, style: 'year' | 'long'): string {
  const isNear = [-1, 0, 1].some((days) => date.slice(0, 10) === addDays(today, days));
  const day = formatWallDate(date, style);
  return isNear ? t('{near}, {day}', { near: formatNearDay(date, today), day }) : day;
}

/** Returns what `formatNearDay` wrote for the middle of a sentence: 'today', but 'Sat'. */
export function midSentence(words: string): string {
  const near = [
    [t('Today'), t('inside|today')],
    [t('Tomorrow'), t('inside|tomorrow')],
    [t('Yesterday'), t('inside|yesterday')],
  ] as const;
  const [start = '', inside = ''] = near.find(([each]) => words.startsWith(each)) ?? [];
  return inside + words.slice(start.length);
}
