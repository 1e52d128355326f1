import type { Calls } from '#contract/platform/http/constants';

export const UPLOAD_FILES_MAX = 5;
export const UPLOAD_BYTES_MAX = 8 * 1024 * 1024;
/** Most pixels of one picture; memory use depends on them, not on the file's size. */
export const UPLOAD_PIXELS_MAX = 30_000_000;
/** Longest side, in pixels, of the two stored sizes of a picture. */
export const IMAGE_SIZES = { large: 1200, small: 480 } as const;

export const uploadsApi = {
  create: { method: 'POST', path: '/uploads' },
} as const satisfies Calls;
