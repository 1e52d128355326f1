import type { Calls } from '#contract/platform/http/constants';

/** The longest pause of a farm, in days. */
export const PAUSE_DAYS_MAX = 31;
/** How long a pause without an end lasts at a farm that lists no hours, in hours. */
export const PAUSE_HOURS = 24;
/** The longest note to customers, in characters. */
export const PAUSE_NOTE_MAX = 200;

export const pauseApi = {
  read: { method: 'GET', path: '/farm/pause' },
  pause: { method: 'POST', path: '/farm/pause' },
  resume: { method: 'DELETE', path: '/farm/pause' },
} as const satisfies Calls;
