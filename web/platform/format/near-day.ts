import { formatDay, formatFullDay, formatNearDay } from '#contract/platform/time/constants';
import { formatTime, localToday } from './format.ts';

// The day of an instant depends on the time zone: the reader's, unless another one is given. `today` is
// `YYYY-MM-DD` in the same zone. An invalid instant is formatted as an empty text.

const dayOf = (iso: string, timeZone: string | undefined): string => {
  const instant = new Date(iso);
  return Number.isNaN(instant.getTime()) ? '' : localToday(instant, timeZone);
};

/** Formats the day of an instant as people say it: 'Today', 'Yesterday', 'Sat, Nov 21'. */
export const formatNearDate = (iso: string, today: string, timeZone?: string): string =>
  formatNearDay(dayOf(iso, timeZone), today);

/** Formats an instant as people say it: 'Today, 4:05 PM', 'Sat, Nov 21, 4:05 PM'. */
export const formatNearDateTime = (iso: string, today: string, timeZone?: string): string =>
  [formatNearDate(iso, today, timeZone), formatTime(iso, timeZone)].filter(Boolean).join(', ');

/** Formats the day of an instant in full: 'Sat, Nov 21, 2026', after 'Today' and its like. */
export const formatFullDate = (iso: string, today: string): string =>
  formatFullDay(dayOf(iso, undefined), today, 'year');

/** Formats the day of an instant without 'Today' and its like, for the middle of a sentence: 'Sat, Nov 21'. */
export const formatDate = (iso: string, today: string): string =>
  formatDay(dayOf(iso, undefined), today);

/** Formats an instant without 'Today' and its like, for the middle of a sentence: 'Sat, Nov 21, 4:05 PM'. */
export const formatDateTime = (iso: string, today: string): string =>
  [formatDate(iso, today), formatTime(iso)].filter(Boolean).join(', ');
