import type { Calls } from '#contract/platform/http/constants';

/** The longest name of a lot, in characters. */
export const LOT_MAX = 40;
/** Lines that one part of the file of a lot has at most. */
export const LOT_FILE_PART = 1000;

export const lotsApi = {
  list: { method: 'GET', path: '/farm/lots' },
  file: { method: 'GET', path: '/farm/lots/file' },
} as const satisfies Calls;
