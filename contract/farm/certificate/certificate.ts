import {
  CERTIFICATE_CODE_MAX,
  certificateApi as calls,
} from '#contract/farm/certificate/constants';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import { Day, named, one, oneLine, WallDate } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';
import { UploadUrl } from '#contract/platform/uploads/uploads';

/** What a body has certified of a farm's organic goods, as everyone sees it. */
export const OrganicCertificate = named('OrganicCertificate', {
  /** Its picture, an address of `/uploads`. */
  image: z.string(),
  /** The code of the body that certifies, as it stands on labels. */
  code: z.string(),
  /** Its last day, by the farm's clock. It may be over. */
  validUntil: WallDate,
});
export type OrganicCertificate = z.infer<typeof OrganicCertificate>;

/** A farm's certificate as its people see it. */
export const FarmCertificate = named('FarmCertificate', {
  certificate: OrganicCertificate.nullable(),
  /** How many products lost their mark with its end, and get it back with another one. */
  lapsedProducts: z.int(),
});
export type FarmCertificate = z.infer<typeof FarmCertificate>;

export const SaveCertificate = z.object({
  /** One of the farm's own uploads. */
  image: UploadUrl,
  code: oneLine(CERTIFICATE_CODE_MAX, () => t('Enter the code of the body that certifies.')),
  /** Not over by the farm's clock. */
  validUntil: Day,
});
export type SaveCertificate = z.infer<typeof SaveCertificate>;

export const certificateApi = endpoints(calls, {
  read: {
    summary: "The organic certificate of the caller's farm",
    ...forFarm('read'),
    answer: one(FarmCertificate),
    failures: [404],
  },
  save: {
    summary:
      "Give the caller's farm an organic certificate, or a newer one: products that lost their mark with the end of one get it back",
    ...forFarm('changeFarm'),
    body: SaveCertificate,
    answer: one(FarmCertificate),
    failures: [404],
  },
  remove: {
    summary:
      "Remove the organic certificate of the caller's farm; its products keep their marks as they are",
    ...forFarm('changeFarm'),
    answer: one(FarmCertificate),
    failures: [404],
  },
});
