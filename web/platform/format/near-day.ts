import { listOf, wordLocale } from '#contract/platform/text/constants/formats';
import { ofReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { clockMs, formatDay, formatNearDay } from '#contract/platform/time/constants';
import { formatFullDay } from '#contract/platform/time/constants/clock';
import { formatTime, formatter, localToday } from './format.ts';

// The day of an instant depends on the time zone: the reader's, unless another one is given. `today` is
// `YYYY-MM-DD` in the same zone. An invalid instant is formatted as an empty text.

const dayOf = (iso: string, timeZone: string | undefined): string => {
  const instant = new Date(iso);
  return Number.isNaN(instant.getTime()) ? '' : localToday(instant, timeZone);
};

const dayAndTime = (day: string, time: string): string =>
  listOf([day, time].filter(Boolean), 'unit');

/** Formats the day of an instant as people say it: 'Today', 'Yesterday', 'Sat, Nov 21'. */
export const formatNearDate = (iso: string, today: string, timeZone?: string): string =>
  formatNearDay(dayOf(iso, timeZone), today);

/** Formats an instant as people say it: 'Today, 4:05 PM', 'Sat, Nov 21, 4:05 PM'. */
export const formatNearDateTime = (iso: string, today: string, timeZone?: string): string =>
  dayAndTime(formatNearDate(iso, today, timeZone), formatTime(iso, timeZone));

/** Formats the day of an instant in full: 'Sat, Nov 21, 2026', after 'Today' and its like. */
export const formatFullDate = (iso: string, today: string): string =>
  formatFullDay(dayOf(iso, undefined), today, 'year');

/** Formats the day of an instant without 'Today' and its like, for the middle of a sentence: 'Sat, Nov 21'. */
export const formatDate = (iso: string, today: string): string =>
  formatDay(dayOf(iso, undefined), today);

/** Formats an instant without 'Today' and its like, for the middle of a sentence: 'Sat, Nov 21, 4:05 PM'. */
export const formatDateTime = (iso: string, today: string): string =>
  dayAndTime(formatDate(iso, today), formatTime(iso));

const relative = ofReader(
  (market, language) =>
    new Intl.RelativeTimeFormat(wordLocale(market, language), { numeric: 'auto' }),
);

/** Formats an instant relative to `now` (milliseconds): '5 minutes ago'. */
export function formatRelative(iso: string | Date, now: number): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  if (Number.isNaN(seconds)) return '';
  const distance = Math.abs(seconds);
  if (distance < 45) return t('just now');
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
  if (minutes < 1) return t('< 1 min');
  if (minutes < 60) return t('{minutes} min', { minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 10 && !isShort) {
    return t('{hours} h {minutes} min', {
      hours,
      minutes: String(minutes % 60).padStart(2, '0'),
    });
  }
  if (hours < 48) return t('{hours} h', { hours });
  return t('{days, plural, one {# day} other {# days}}', { days: Math.floor(hours / 24) });
}

const day = formatter({ dateStyle: 'medium' });
const monthAndDay = formatter({ month: 'short', day: 'numeric' });

/** Formats the time of a conversation: the time if today, month and day if this year, else with year. */
export function formatConversationTime(iso: string, now: Date = new Date(clockMs())): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  if (date.toDateString() === now.toDateString()) return formatTime(date);
  return (date.getFullYear() === now.getFullYear() ? monthAndDay() : day()).format(date);
}
