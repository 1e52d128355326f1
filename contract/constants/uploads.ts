import type { Calls } from '#contract/constants/http';

export const UPLOAD_FILES_MAX = 5;
export const UPLOAD_BYTES_MAX = 8 * 1024 * 1024;
/** Of one picture. What a form unfolds to in memory follows from this, not from its bytes. */
export const UPLOAD_PIXELS_MAX = 30_000_000;
/** Longest side, in pixels, of the two sizes every picture is kept in. */
export const IMAGE_SIZES = { large: 1200, small: 480 } as const;

/** Method and path of each call; `#contract/uploads` has the whole endpoints, with their schemas. */
export const uploadsApi = {
  create: { method: 'POST', path: '/uploads' },
} as const satisfies Calls;
