import { endpoints } from '#contract/platform/http/endpoint';
import { named, text } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';
import { uploadsApi as calls, UPLOAD_FILES_MAX } from '#contract/platform/uploads/constants';

const UPLOADED = /^\/uploads\/[0-9a-f-]{36}\.webp$/;

/** The address of a picture that was uploaded here: an `/uploads/` path from the upload call. */
export const UploadUrl = text(500).regex(UPLOADED, { error: () => t('Upload the picture first.') });

/** The address of a picture: an `/uploads/` path from the upload call, or an https URL. */
export const ImageUrl = text(500).refine(
  (value) => UPLOADED.test(value) || /^https:\/\/[^\s"'<>\\]+$/.test(value),
  { error: () => t('Upload the picture, or enter an address that starts with https://.') },
);

export const UploadedImage = named('UploadedImage', {
  url: z.string(),
  width: z.int(),
  height: z.int(),
});
export type UploadedImage = z.infer<typeof UploadedImage>;

export const uploadsApi = endpoints(calls, {
  create: {
    summary: `Upload up to ${UPLOAD_FILES_MAX} pictures (JPEG, PNG, WebP or AVIF; 8 MB and 30 megapixels each) in the field "images", one upload of an account at a time`,
    access: ['farmer', 'admin'],
    farmPermission: 'changeProducts',
    answer: z.object({
      success: z.literal(true),
      data: z.array(UploadedImage),
      count: z.int(),
    }),
    status: 201,
    rate: 'uploads',
    multipart: true,
    failures: [408, 413, 415],
  },
});
