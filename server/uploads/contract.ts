import { z } from 'zod';
import { endpoint, text } from '#contract/platform';

export const UPLOAD_FILES_MAX = 5;
export const UPLOAD_BYTES_MAX = 8 * 1024 * 1024;
/** Longest side, in pixels, of the two sizes every picture is kept in. */
export const IMAGE_SIZES = { large: 1200, small: 480 } as const;

const UPLOADED = /^\/uploads\/[0-9a-f-]{36}\.webp$/;

/** The address of a picture: one of ours, made by the upload call, or an https one. */
export const ImageUrl = text(500).refine(
  (value) => UPLOADED.test(value) || /^https:\/\/[^\s"'<>\\]+$/.test(value),
  'Upload the picture, or give an address that starts with https://.',
);

export const UploadedImage = z.object({
  url: z.string(),
  width: z.number().int(),
  height: z.number().int(),
});
export type UploadedImage = z.infer<typeof UploadedImage>;

export const uploadsApi = {
  create: endpoint({
    method: 'POST',
    path: '/uploads',
    summary: `Upload up to ${UPLOAD_FILES_MAX} pictures (JPEG, PNG, WebP or AVIF) in the field "images"`,
    access: ['farmer'],
    answer: z.object({
      success: z.literal(true),
      data: z.array(UploadedImage),
      count: z.number().int(),
    }),
    status: 201,
    rate: 'uploads',
    multipart: true,
    failures: [413, 415],
  }),
};
