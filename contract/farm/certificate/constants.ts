import type { Calls } from '#contract/platform/http/constants';

/** The longest code of a body that certifies, such as `DE-ÖKO-006`, in characters. */
export const CERTIFICATE_CODE_MAX = 40;

/** How many days before its end a farm is notified. */
export const CERTIFICATE_REMINDER_DAYS = [30, 7] as const;

/** Returns whether a certificate holds on a day of the farm's clock: its last one included. */
export const isCertified = (
  certificate: { validUntil: string } | null | undefined,
  today: string,
): boolean => certificate != null && today <= certificate.validUntil;

/**
 * Returns whether a farm's products can be marked as organic: a certificate that it has must hold; without one only the
 * market may ask for one.
 */
export const mayBeOrganic = (
  certificate: { validUntil: string } | null | undefined,
  today: string,
  { requiresOrganicCertificate }: { requiresOrganicCertificate: boolean },
): boolean => (certificate ? isCertified(certificate, today) : !requiresOrganicCertificate);

export const certificateApi = {
  read: { method: 'GET', path: '/farm/certificate' },
  save: { method: 'PUT', path: '/farm/certificate' },
  remove: { method: 'DELETE', path: '/farm/certificate' },
} as const satisfies Calls;
