import { ofMarket, theMarket } from '#contract/platform/market/constants';
import { englishLocale, formatCount } from '#contract/platform/text/constants/formats';
import { clockMs, dayIn } from '#contract/platform/time/constants';

export { formatMoney, formatMoneyShort } from '#contract/platform/money/constants';
export { formatAddress, formatCount } from '#contract/platform/text/constants/formats';
export { formatWallDate, formatWallTime } from '#contract/platform/time/constants';

/** The language of the interface. */
const LANGUAGE = 'en';

let relativeFormat: Intl.RelativeTimeFormat | undefined;

/** Returns the format of distances in time. Made when it is first used: the first page shows none. */
function relative(): Intl.RelativeTimeFormat {
  relativeFormat ??= new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' });
  return relativeFormat;
}

const formatter = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) =>
  ofMarket((market) => new Intl.DateTimeFormat(englishLocale(market), options));

const day = formatter({ dateStyle: 'medium' });
const clock = formatter({ timeStyle: 'short' });
const dayAndClock = formatter({
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const monthAndDay = formatter({ month: 'short', day: 'numeric' });

/** Returns the number with its noun: '1 order' or '3 orders'. */
export function plural(value: number, one: string, many: string = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`;
}

/** Formats the time of an instant, in the reader's time zone unless given: '4:05 PM'. Empty if invalid. */
export function formatTime(iso: string | Date, timeZone?: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  return timeZone
    ? new Intl.DateTimeFormat(englishLocale(theMarket()), { timeStyle: 'short', timeZone }).format(
        date,
      )
    : clock().format(date);
}

/** Formats an instant in full, in the reader's time zone: 'Sat, Nov 21, 2026, 4:05 PM'. Empty if invalid. */
export function formatInstant(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? '' : dayAndClock().format(date);
}

/** Formats an instant relative to `now` (milliseconds): '5 minutes ago'. */
export function formatRelative(iso: string | Date, now: number): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  if (Number.isNaN(seconds)) return '';
  const distance = Math.abs(seconds);
  if (distance < 45) return 'just now';
  if (distance < 3_570) return relative().format(Math.round(seconds / 60), 'minute');
  if (distance < 84_600) return relative().format(Math.round(seconds / 3_600), 'hour');
  if (distance < 2_500_000) return relative().format(Math.round(seconds / 86_400), 'day');
  if (distance < 31_000_000) return relative().format(Math.round(seconds / 2_629_800), 'month');
  return relative().format(Math.round(seconds / 31_557_600), 'year');
}

/**
 * Formats a waiting time, the longer the coarser: '< 1 min', '12 min', '3 h 05 min', '25 h', '2 days'. A short one has
 * whole hours: '3 h'.
 */
export function formatWait(milliseconds: number, { isShort = false } = {}): string {
  const minutes = Math.floor(Math.max(0, milliseconds) / 60_000);
  if (minutes < 1) return '< 1 min';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 10 && !isShort) return `${hours} h ${String(minutes % 60).padStart(2, '0')} min`;
  if (hours < 48) return `${hours} h`;
  return `${Math.floor(hours / 24)} days`;
}

/** Formats the time of a conversation: the time if today, month and day if this year, else with year. */
export function formatConversationTime(iso: string, now: Date = new Date(clockMs())): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  if (date.toDateString() === now.toDateString()) return clock().format(date);
  return (date.getFullYear() === now.getFullYear() ? monthAndDay() : day()).format(date);
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

/** Formats city and state, omitting missing parts: 'Salem, OR'. */
export function formatPlace(
  address: { city?: string | null; state?: string | null } | null | undefined,
): string {
  return [address?.city, address?.state].filter(Boolean).join(', ');
}

/** Replaces underscores by spaces: 'bank_transfer' becomes 'bank transfer'. */
export function withSpaces(value: string): string {
  return value.replaceAll('_', ' ');
}

/** Capitalizes the first letter: 'pending' becomes 'Pending'. */
export function capitalized(value: string): string {
  return value.charAt(0).toUpperCase() + value.slice(1);
}
