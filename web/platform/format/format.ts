import { theMarket } from '#contract/platform/market/constants';
import { wordLocale } from '#contract/platform/text/constants/formats';
import { ofReader, theReader } from '#contract/platform/text/constants/reader';
import { msg, writeMessage } from '#contract/platform/text/constants/texts';
import { clockMs, dayIn } from '#contract/platform/time/constants';

/** Returns a format for the present reader, made when it is first used. */
export const formatter = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) =>
  ofReader((market, language) => new Intl.DateTimeFormat(wordLocale(market, language), options));

const clock = formatter({ timeStyle: 'short' });
const dayAndClock = formatter({
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** Formats the time of an instant, in the reader's time zone unless given: '4:05 PM'. Empty if invalid. */
export function formatTime(iso: string | Date, timeZone?: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  return timeZone
    ? new Intl.DateTimeFormat(wordLocale(theMarket(), theReader().language), {
        timeStyle: 'short',
        timeZone,
      }).format(date)
    : clock().format(date);
}

/** Formats an instant in full, in the reader's time zone: 'Sat, Nov 21, 2026, 4:05 PM'. Empty if invalid. */
export function formatInstant(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? '' : dayAndClock().format(date);
}

/** Returns the calendar day of an instant, `YYYY-MM-DD`: now and in the reader's time zone unless given. */
export function localToday(now: Date = new Date(clockMs()), timeZone?: string): string {
  if (timeZone) return dayIn(timeZone, now);
  const month = String(now.getMonth() + 1).padStart(2, '0');
  return `${now.getFullYear()}-${month}-${String(now.getDate()).padStart(2, '0')}`;
}

/** Returns the first word of a name: 'Ada' of 'Ada Lovelace'. */
export function firstWord(name: string): string {
  return name.trim().split(/\s+/)[0] ?? '';
}

/** Returns the first letter of a name in upper case, '?' for an empty one. */
export function initial(name: string): string {
  return (Array.from(name.trim())[0] ?? '?').toUpperCase();
}

const ROLE_NAMES = { consumer: msg('Consumer'), farmer: msg('Farmer'), admin: msg('Admin') };

/** Returns the name of an account's role: 'Farmer'. */
export const roleName = (role: keyof typeof ROLE_NAMES): string =>
  writeMessage(ROLE_NAMES[role] ?? role);

/** Capitalizes the first letter: 'pending' becomes 'Pending'. */
export function capitalized(value: string): string {
  return value.charAt(0).toUpperCase() + value.slice(1);
}
