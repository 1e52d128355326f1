export { formatMoney } from '#contract/constants/money';

/** The locale of the interface. */
const LOCALE = 'en-US';

const compactNumber = new Intl.NumberFormat(LOCALE, {
  notation: 'compact',
  maximumFractionDigits: 1,
});
const count = new Intl.NumberFormat(LOCALE);
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });

const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const clock = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });
const dayAndClock = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const monthAndDay = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric' });
// Wall-clock values have no time zone: parsed and formatted as UTC, they are never shifted.
const wallDay = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
const wallDayShort = new Intl.DateTimeFormat(LOCALE, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});
const wallDayLong = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});
const wallDayAndWeekday = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});
const wallClock = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short', timeZone: 'UTC' });

/** Formats an amount for a chart axis: '₨1.2K'. */
export function formatMoneyShort(amount: number): string {
  return `₨${compactNumber.format(amount)}`;
}

/** Formats a whole number with separators: '1,204'. */
export function formatCount(value: number): string {
  return count.format(value);
}

/** Returns the number with its noun: '1 order' or '3 orders'. */
export function plural(value: number, one: string, many: string = `${one}s`): string {
  return `${count.format(value)} ${value === 1 ? one : many}`;
}

/** Formats the day of an instant in the reader's time zone: 'Nov 21, 2026'. Empty if invalid. */
export function formatDate(iso: string | Date): string {
  return formatInstant(day, iso);
}

/** Formats the time of an instant in the reader's time zone: '4:05 PM'. Empty if invalid. */
export function formatTime(iso: string | Date): string {
  return formatInstant(clock, iso);
}

/** Formats day and time of an instant in the reader's time zone. Empty if invalid. */
export function formatDateTime(iso: string | Date): string {
  return formatInstant(dayAndClock, iso);
}

function formatInstant(format: Intl.DateTimeFormat, when: string | Date): string {
  const date = new Date(when);
  return Number.isNaN(date.getTime()) ? '' : format.format(date);
}

const wallDays = {
  short: wallDayShort,
  weekday: wallDayAndWeekday,
  medium: wallDay,
  long: wallDayLong,
};

/** Formats a calendar day `YYYY-MM-DD` (or the start of an ISO time) without a time zone shift. */
export function formatWallDate(date: string, style: keyof typeof wallDays = 'medium'): string {
  const parsed = new Date(`${date.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(parsed.getTime()) ? date : wallDays[style].format(parsed);
}

/** Formats a clock time `HH:mm` without a time zone shift: '4:05 PM'. */
export function formatWallTime(time: string): string {
  const parsed = new Date(`1970-01-01T${time.slice(0, 5)}:00Z`);
  return Number.isNaN(parsed.getTime()) ? time : wallClock.format(parsed);
}

/** Formats an instant relative to `now` (milliseconds): '5 minutes ago'. */
export function formatRelative(iso: string | Date, now: number): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  if (Number.isNaN(seconds)) return '';
  const distance = Math.abs(seconds);
  if (distance < 45) return 'just now';
  if (distance < 3_570) return relative.format(Math.round(seconds / 60), 'minute');
  if (distance < 84_600) return relative.format(Math.round(seconds / 3_600), 'hour');
  if (distance < 2_500_000) return relative.format(Math.round(seconds / 86_400), 'day');
  if (distance < 31_000_000) return relative.format(Math.round(seconds / 2_629_800), 'month');
  return relative.format(Math.round(seconds / 31_557_600), 'year');
}

/** Formats a waiting time: '< 1 min', '12 min', '3 h 05 min', '2 days'. */
export function formatWait(milliseconds: number): string {
  const minutes = Math.floor(Math.max(0, milliseconds) / 60_000);
  if (minutes < 1) return '< 1 min';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, '0')} min`;
  return `${Math.floor(hours / 24)} days`;
}

/** Formats the time of a conversation: the time if today, month and day if this year, else with year. */
export function formatConversationTime(iso: string, now: Date = new Date()): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  if (date.toDateString() === now.toDateString()) return clock.format(date);
  return (date.getFullYear() === now.getFullYear() ? monthAndDay : day).format(date);
}

/** Returns today in the reader's time zone as `YYYY-MM-DD`, for the `min` of a date input. */
export function localToday(now: Date = new Date()): string {
  const month = String(now.getMonth() + 1).padStart(2, '0');
  return `${now.getFullYear()}-${month}-${String(now.getDate()).padStart(2, '0')}`;
}

/** Returns the first 8 characters of an id, as shown to users. */
export function shortId(id: string): string {
  return id.slice(0, 8);
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

/** Formats an address in one line, omitting missing parts: '1 Mill Rd, Salem, OR 97301'. */
export function formatAddress(
  address:
    | {
        street?: string | null;
        city?: string | null;
        state?: string | null;
        zipCode?: string | null;
      }
    | null
    | undefined,
): string {
  const region = [address?.state, address?.zipCode].filter(Boolean).join(' ');
  return [address?.street, address?.city, region].filter(Boolean).join(', ');
}

/** Replaces underscores by spaces: 'bank_transfer' becomes 'bank transfer'. */
export function withSpaces(value: string): string {
  return value.replaceAll('_', ' ');
}

/** Capitalizes the first letter: 'pending' becomes 'Pending'. */
export function capitalized(value: string): string {
  return value.charAt(0).toUpperCase() + value.slice(1);
}
