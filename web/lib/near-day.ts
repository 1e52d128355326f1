import { formatWallDate, localToday } from './format.ts';

const DAY_MS = 86_400_000;

const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' });

const parse = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** Returns the calendar day so many days after `date` (`YYYY-MM-DD`). */
export function addDays(date: string, days: number): string {
  return new Date(parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Formats a calendar day as people say it: 'Today', 'Tomorrow', 'Yesterday', the weekday within the
 * coming week ('Sat'), else weekday and date ('Sat, Dec 5'), with the year if it is another one.
 */
export function formatNearDay(date: string, today: string = localToday()): string {
  const day = parse(date);
  if (Number.isNaN(day)) return date;
  const days = Math.round((day - parse(today)) / DAY_MS);
  if (days === 0) return 'Today';
  if (days === 1) return 'Tomorrow';
  if (days === -1) return 'Yesterday';
  const name = weekday.format(day);
  if (days > 1 && days < 7) return name;
  const isThisYear = date.slice(0, 4) === today.slice(0, 4);
  return `${name}, ${formatWallDate(date, isThisYear ? 'short' : 'medium')}`;
}
