/** The language the interface speaks; names of days and months follow it. */
const LANGUAGE = 'en-US';

const money = new Intl.NumberFormat(LANGUAGE, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const wholeMoney = new Intl.NumberFormat(LANGUAGE, {
  notation: 'compact',
  maximumFractionDigits: 1,
});
const count = new Intl.NumberFormat(LANGUAGE);
const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' });

const day = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium' });
const clock = new Intl.DateTimeFormat(LANGUAGE, { timeStyle: 'short' });
const dayAndClock = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'short' });
const monthAndDay = new Intl.DateTimeFormat(LANGUAGE, { month: 'short', day: 'numeric' });
// Wall-clock values carry no zone: they are read as UTC and written as UTC, so nothing shifts them.
const wallDay = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeZone: 'UTC' });
const wallDayShort = new Intl.DateTimeFormat(LANGUAGE, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});
const wallDayLong = new Intl.DateTimeFormat(LANGUAGE, {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});
const wallClock = new Intl.DateTimeFormat(LANGUAGE, { timeStyle: 'short', timeZone: 'UTC' });

/** An amount as it stands on the wire (12.5) in the market's currency: '₨12.50'. */
export function formatMoney(amount: number): string {
  return amount < 0 ? `-₨${money.format(-amount)}` : `₨${money.format(amount)}`;
}

/** An amount short enough for an axis: '₨1.2K'. */
export function formatMoneyShort(amount: number): string {
  return `₨${wholeMoney.format(amount)}`;
}

/** A whole number with its separators: '1,204'. */
export function formatCount(value: number): string {
  return count.format(value);
}

/** 'one order' or '3 orders': the number with its noun in the right form. */
export function plural(value: number, one: string, many: string = `${one}s`): string {
  return `${count.format(value)} ${value === 1 ? one : many}`;
}

/** The day of an instant where the reader is: 'Nov 21, 2026'. Empty when it is no date. */
export function formatDate(iso: string | Date): string {
  return written(day, iso);
}

/** The time of an instant where the reader is: '4:05 PM'. Empty when it is no date. */
export function formatTime(iso: string | Date): string {
  return written(clock, iso);
}

/** Day and time of an instant where the reader is. Empty when it is no date. */
export function formatDateTime(iso: string | Date): string {
  return written(dayAndClock, iso);
}

function written(format: Intl.DateTimeFormat, when: string | Date): string {
  const date = new Date(when);
  return Number.isNaN(date.getTime()) ? '' : format.format(date);
}

const wallDays = { short: wallDayShort, medium: wallDay, long: wallDayLong };

/** A calendar day `YYYY-MM-DD` (or the start of an ISO time) as given, never shifted by a zone. */
export function formatWallDate(date: string, style: keyof typeof wallDays = 'medium'): string {
  const parsed = new Date(`${date.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(parsed.getTime()) ? date : wallDays[style].format(parsed);
}

/** A clock time `HH:mm` as given, in the reader's habit: '4:05 PM'. */
export function formatWallTime(time: string): string {
  const parsed = new Date(`1970-01-01T${time.slice(0, 5)}:00Z`);
  return Number.isNaN(parsed.getTime()) ? time : wallClock.format(parsed);
}

/** How long ago (or ahead) an instant is, seen from `now` in milliseconds: '5 minutes ago'. */
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

/** A wait in words for people at work: '< 1 min', '12 min', '3 h 05 min', '2 days'. */
export function formatWait(milliseconds: number): string {
  const minutes = Math.floor(Math.max(0, milliseconds) / 60_000);
  if (minutes < 1) return '< 1 min';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, '0')} min`;
  return `${Math.floor(hours / 24)} days`;
}

/** Beside a conversation: the time if today, month and day if this year, otherwise with the year. */
export function formatConversationTime(iso: string, now: Date = new Date()): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  if (date.toDateString() === now.toDateString()) return clock.format(date);
  return (date.getFullYear() === now.getFullYear() ? monthAndDay : day).format(date);
}

/** Today on the reader's calendar as `YYYY-MM-DD`, for the `min` of a date input. */
export function todayWall(now: Date = new Date()): string {
  const month = String(now.getMonth() + 1).padStart(2, '0');
  return `${now.getFullYear()}-${month}-${String(now.getDate()).padStart(2, '0')}`;
}

/** The part of an id that people read: its first 8 characters. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** The first word of a name, for the menu: 'Ada Lovelace' is 'Ada'. */
export function firstWord(name: string): string {
  return name.trim().split(/\s+/)[0] ?? '';
}

/** The letter that stands for someone without a picture. */
export function initial(name: string): string {
  return (Array.from(name.trim())[0] ?? '?').toUpperCase();
}

/** A place in one line, without what is missing: 'Salem, OR'. */
export function formatPlace(
  address: { city?: string | null; state?: string | null } | null | undefined,
): string {
  return [address?.city, address?.state].filter(Boolean).join(', ');
}

/** A whole address in one line, without what is missing: '1 Mill Rd, Salem, OR 97301'. */
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

/** A constant of the wire as words: 'bank_transfer' is 'bank transfer'. */
export function withSpaces(value: string): string {
  return value.replaceAll('_', ' ');
}

/** The first letter large: 'pending' is 'Pending'. */
export function capitalized(value: string): string {
  return value.charAt(0).toUpperCase() + value.slice(1);
}
